// lds: LDS instructions by kind and width
// Shows: latency, from a chain in which each address is what was read before; cycles each of many under way from one wave; and a
//   compute unit's cycles for each when waves on all four SIMDs have many under way. Lanes access consecutive addresses: no bank conflicts.
// Expect: latency of 50 to 90 cycles, more for wide reads, whose data take 64 bytes a cycle to arrive. By one wave 4 for 4 bytes a lane and
//   16 for 16 bytes; by the compute unit 128 bytes a cycle at most (256 on gfx950 when reading). A write of 4 bytes takes the port 8 cycles and one of 16
//   bytes 20, as addresses share it with data.
  probe_begin
  v_mul_u32_u24 v8, @STRIDE@, v0
  v_mov_b32 v9, v8
  .irp r, 10,11,12,13,14,15
  v_mov_b32 v\r, 0
  .endr
  ds_write_b32 v8, v8
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v40, v8
  .if @CHAINED@ == 0
  v_mov_b32 v8, 0
  .endif
  samples
  clock_start
  .set I, 0
  .rept @COUNT@
  .set A, 8 + 32 * (1 - @CHAINED@)
  .set D, 8 + 4 * (1 - @CHAINED@) * (1 + I % 7)
  @OP@
  .if @CHAINED@
  s_waitcnt lgkmcnt(0)
  .endif
  .set I, I + 1
  .endr
  s_waitcnt lgkmcnt(0)
  clock_stop
  probe_end
