// lds-stride: bank conflicts: cycles of an LDS access by the distance of lanes and the width
// Shows: cycles each of many accesses under way from one wave, where lane i accesses address i times the stride.
// Expect: for 4 bytes a lane, 32 banks (64 on gfx950): no conflict for odd numbers of dwords, twice the time for each factor of 2 in the stride, until all
//   lanes meet in one bank: 64 cycles. Wide accesses go in groups of lanes, so that their stride of no conflict is their width.
  probe_begin
  v_mul_u32_u24 v40, @STRIDE@, v0
  .irp r, 8,9,10,11,12,13,14,15
  v_mov_b32 v\r, 0
  .endr
  samples
  clock_start
  .set I, 0
  .rept @COUNT@
  .set A, 40
  .set D, 8 + 4 * (I % 7)
  @OP@
  .set I, I + 1
  .endr
  s_waitcnt lgkmcnt(0)
  clock_stop
  probe_end
