// chase: one load after another over a growing footprint
// Shows: cycles for each load of a chain that walks through the footprint line by line, after a pass over all of it.
// Expect: a stair: the latency of L1 up to its size, of L2 up to 4 MB (8 MB on gfx90a), of the Infinity Cache up to 256 MB where there is one, of memory beyond.
  probe_begin
  // Every line of the footprint once, 64 lines with an instruction.
  .if @WARM_STEPS@
  v_lshlrev_b32 v9, @WARM_SHIFT@, v0
  s_mov_b32 s20, @WARM_STEPS@
1:
  global_load_dword v10, v9, s[6:7]
  v_add_u32 v9, @WARM_BYTES@, v9
  s_sub_u32 s20, s20, 1
  s_cmp_lg_u32 s20, 0
  s_cbranch_scc1 1b
  .endif
  v_mov_b32 v8, 0
  samples
  clock_start
  .rept @COUNT@
  global_load_dword v8, v8, s[6:7]
  s_waitcnt vmcnt(0)
  .endr
  clock_stop
  probe_end
