// mfma: matrix instructions, independent and chained through their sums
// Shows: cycles each, and the operations a compute unit does in a cycle.
// Expect: four cycles a pass, whether independent or accumulating to the same registers: hardware forwards the sum. With the same
//   number of passes in the data file ('listed') all is as documented.
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
  .rept @COUNT@
  .set D, @FIRST_SUM@ + @SUM_REGISTERS@ * (1 - @CHAINED@) * (I % @SUMS@)
  @OP@
  .if @CHAINED@
  @WAIT_STATES@
  .endif
  .set I, I + 1
  .endr
  clock_stop
  s_nop 15
  s_nop 7
  probe_end
