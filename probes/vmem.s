// vmem: vector memory instructions by size and where the data are
// Shows: latency of a chain of loads; cycles of a compute unit for each when 16 waves have many under way, and the bytes a cycle that this makes.
// Expect: latency about 120 to 150 cycles from L1, 300 from L2, 500 to 800 and more from memory. L1 gives 64 bytes a cycle, so a dword (256 bytes a wave)
//   takes 4 cycles and a dwordx4 16. From L2 at most 64 bytes a cycle for a compute unit.
  probe_begin
  v_lshlrev_b32 v8, @SHIFT@, v0
  s_mul_i32 s20, s3, @WAVE_BYTES@
  v_add_u32 v8, s20, v8
  samples
  clock_start
  .set I, 0
  .rept @COUNT@
  .set A, 8
  .set D, 16 + 4 * (I % 12)
  @OP@
  .if @STEP@
  v_add_u32 v8, @STEP@, v8
  .endif
  .set I, I + 1
  .endr
  s_waitcnt vmcnt(0)
  clock_stop
  // Again the same addresses, or those that follow.
  .if @REPEATS@
  v_subrev_u32 v8, @STEP@ * @COUNT@, v8
  .endif
  probe_end
