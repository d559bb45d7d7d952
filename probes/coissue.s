// coissue: instructions of different kinds from different waves
// Shows: a SIMD's cycles when each of its waves issues another kind of instruction, against one wave with each kind alone.
// Expect: as long as the slowest of them alone: a SIMD issues up to five instructions in its turn, one a wave, each of another category.
//   Two waves with the same kind take the sum.
  probe_begin
  v_lshlrev_b32 v8, 2, v0
  v_mov_b32 v9, 0
  s_mov_b32 s20, 0
  // Waves go to SIMDs in turn: those of one SIMD are four apart.
  s_lshr_b32 s21, s3, 2
  samples
  clock_start
  s_cmp_eq_u32 s21, @SECOND@
  s_cbranch_scc1 1f
  .rept @COUNT@
  @OP@
  .endr
  s_branch 2f
  .p2align 6
1:
  .rept @COUNT@
  @OTHER@
  .endr
2:
  s_waitcnt lgkmcnt(0) vmcnt(0)
  clock_stop
  probe_end
