// salu: scalar instructions, independent and chained
// Shows: cycles each where no instruction needs another's result, and where each needs the one before.
// Expect: 4, or the latency of the scalar unit in a chain where that is more.
  probe_begin
  .irp r, 20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37
  s_mov_b32 s\r, 0
  .endr
  samples
  clock_start
  .set I, 0
  .rept @COUNT@
  .set A, 20
  .set D, 20 + 2 * (1 - @CHAINED@) * (1 + I % 7)
  @OP@
  .set I, I + 1
  .endr
  clock_stop
  probe_end
