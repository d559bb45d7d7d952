// mfma-shadow: vector instructions while a matrix instruction runs
// Shows: cycles of a loop of one matrix instruction and K independent vector instructions after it.
// Expect: flat as long as they fit the shadow: a matrix instruction of P passes leaves 4 P cycles less those in which the SIMD issues no
//   VALU instruction; then 4 cycles for each (16 for a transcendental). Single and double precision matrix instructions leave no shadow.
  probe_begin
  .set I, 0
  .rept @VGPRS@ - 8
  v_mov_b32 v[8 + I], 0
  .set I, I + 1
  .endr
  s_nop 4
  samples
  clock_start
  .set I, 0
  .set J, 0
  .rept @COUNT@
  .set D, @FIRST_SUM@ + @SUM_REGISTERS@ * (I % @SUMS@)
  @OP@
  .rept @BESIDE@
  .set D, 8 + J % 7
  .set A, 15
  @OTHER@
  .set J, J + 1
  .endr
  .set I, I + 1
  .endr
  clock_stop
  s_nop 15
  s_nop 7
  probe_end
