// clock: what the clocks count
// Shows: ticks of s_memtime, with which all probes measure, against those of s_memrealtime, which is a constant 100 MHz.
// Expect: s_memtime at the shader clock: its MHz stand in the table. About 100 MHz means that no probe of this device can be
//   trusted, as then s_memtime doesn't count cycles.
  probe_begin
  samples
  clock_start
  s_memrealtime s[20:21]
  s_waitcnt lgkmcnt(0)
  .rept @COUNT@
  s_sleep 100
  .endr
  s_memrealtime s[22:23]
  s_waitcnt lgkmcnt(0)
  clock_stop
  s_sub_u32 s16, s22, s20
  s_subb_u32 s17, s23, s21
  probe_end
