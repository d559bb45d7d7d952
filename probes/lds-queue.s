// lds-queue: how many LDS instructions a wave issues before it stalls
// Shows: when the N-th of N slow LDS reads (all lanes in one bank) has issued.
// Expect: 4 cycles each until the queue is full, or lgkmcnt at its limit of 15 or 16; then each waits for one to leave, 64 cycles and more.
  probe_begin
  v_mul_u32_u24 v8, @STRIDE@, v0
  samples
  clock_start
  .set I, 0
  .rept @COUNT@
  ds_read_b32 v[16 + I], v8
  .set I, I + 1
  .endr
  clock_stop
  probe_end
