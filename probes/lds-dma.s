// lds-dma: loads from memory straight to LDS
// Shows: cycles from issue until vmcnt says that one has come, and cycles each of many, for data in L1.
// Expect: latency like that of a load to registers; the data pass through LDS instead of the registers' return path.
  s_mov_b32 m0, 0
  probe_begin
  s_mov_b32 s20, s6
  s_and_b32 s21, s7, 0xffff
  s_mov_b32 s22, -1
  s_mov_b32 s23, 0x00020000
  v_lshlrev_b32 v8, @SHIFT@, v0
  samples
  clock_start
  .rept @COUNT@
  @OP@
  .if @CHAINED@
  s_waitcnt vmcnt(0)
  .endif
  .endr
  s_waitcnt vmcnt(0)
  clock_stop
  probe_end
