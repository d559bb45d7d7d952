// slots: s_nop, s_sleep and other instructions that only take their issue
// Shows: cycles from one such instruction to the wave's next.
// Expect: 4 for each wait state of s_nop, so 4 (N + 1); about 64 N for s_sleep N; 4 for the rest. Steps of 4, as a SIMD has its turn
//   every fourth cycle.
  probe_begin
  samples
  clock_start
  .rept @COUNT@
  @OP@
  .endr
  clock_stop
  probe_end
