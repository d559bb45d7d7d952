// valu: vector instructions, independent and chained, one wave and two on a SIMD
// Shows: cycles each where no instruction needs another's result; where each needs the one before; and of two waves that share a SIMD,
//   a SIMD's cycles for each instruction.
// Expect: 4 for what 16 lanes a cycle do: single precision, packed, double precision on these chips. 16 for integer multiplication of 32
//   bits and for transcendentals (8 on gfx950). A chain of transcendentals is slower than their rate. Two waves give no more than one
//   where the pipe is busy all the time.
  probe_begin
  .irp r, 8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23
  v_mov_b32 v\r, 0
  .endr
  s_mov_b64 s[20:21], 0
  s_mov_b64 vcc, 0
  s_nop 4
  samples
  clock_start
  .set I, 0
  .rept @COUNT@
  .set A, 8
  .set D, 8 + 2 * (1 - @CHAINED@) * (1 + I % 7)
  @OP@
  .set I, I + 1
  .endr
  clock_stop
  probe_end
