// valu-to-scalar: a vector instruction's scalar result, read by a scalar one
// Shows: cycles for v_readfirstlane_b32, s_add_u32 of what it read, v_mov_b32 of that, one after another.
// Expect: three issues and the way from the VALU to a scalar register.
  probe_begin
  v_mov_b32 v8, 0
  samples
  clock_start
  .rept @COUNT@
  s_nop 0
  v_readfirstlane_b32 s20, v8
  s_add_u32 s20, s20, 1
  v_mov_b32 v8, s20
  .endr
  clock_stop
  probe_end
