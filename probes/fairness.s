// fairness: waves that compete for one SIMD's VALU
// Shows: when each wave of a SIMD begins and ends the same work.
// Expect: the oldest wave is preferred: waves end in the order of their age, each about as long after the other as the work takes alone. A
//   scheduler in turn would have them end together.
  probe_begin
  v_mov_b32 v8, 0
  samples
  clock_start
  .rept @COUNT@
  v_add_u32 v8, 1, v8
  .endr
  clock_stop
  probe_end
