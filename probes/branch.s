// branch: taken and untaken branches
// Shows: cycles from a branch to the next instruction.
// Expect: one issue slot for a branch that isn't taken; several for one that is, and the way of its target's line to the wave's buffer.
  probe_begin
  samples
  s_cmp_lg_u32 s11, s11
  clock_start
  .rept @COUNT@
  .if @TAKEN@
  s_cbranch_scc0 1f
  .else
  s_cbranch_scc1 1f
  .endif
  .rept @SKIPPED@
  s_nop 0
  .endr
1:
  .endr
  clock_stop
  probe_end
