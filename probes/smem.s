// smem: scalar loads: latency over a growing footprint
// Shows: cycles for each scalar load of a chain that walks through the footprint line by line (64 bytes), after a pass over all of it.
// Expect: the scalar cache's latency up to its 16 KiB, which two compute units share; the L2's on top beyond.
  probe_begin
  s_mov_b32 s20, 0
  s_mov_b32 s21, 0
  .if @WARM_STEPS@
  s_mov_b32 s24, @WARM_STEPS@
  s_mov_b32 s25, 0
1:
  s_load_dword s26, s[6:7], s25
  s_add_u32 s25, s25, 64
  s_waitcnt lgkmcnt(0)
  s_sub_u32 s24, s24, 1
  s_cmp_lg_u32 s24, 0
  s_cbranch_scc1 1b
  .endif
  samples
  clock_start
  .rept @COUNT@
  s_load_dword s20, s[6:7], s20
  s_waitcnt lgkmcnt(0)
  .endr
  clock_stop
  probe_end
