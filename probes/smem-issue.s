// smem-issue: how many scalar loads a wave issues before it stalls
// Shows: when the N-th of N scalar loads has issued.
// Expect: 4 cycles each until lgkmcnt is at its limit: after 15 or 16 dwords; a load of more than a dword counts twice.
  probe_begin
  s_mov_b32 s20, 0
  samples
  clock_start
  .set I, 0
  .rept @COUNT@
  @OP@
  .set I, I + 1
  .endr
  clock_stop
  s_add_u32 s6, s6, 0x4000
  s_addc_u32 s7, s7, 0
  probe_end
