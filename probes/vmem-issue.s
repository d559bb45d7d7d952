// vmem-issue: how many loads a wave issues before it stalls
// Shows: when the N-th of N loads in a row has issued, for three patterns and 1 to 8 waves; and the first N at which a load waited clearly
//   longer than the first ones. Sequential: 256 bytes, one load after the other. Random: 256 bytes in a row at a random place for each load. Scattered:
//   a line for each lane.
// Expect: up to 64 loads of a wave are under way: vmcnt counts to 63, so the 65th waits until the first has come back, never later. On
//   MI308X a thread trace of the random pattern shows the first stall at the 24th. Scattered loads take the address unit a cycle for each
//   line, so the queue in front of it is full early.
  probe_begin
  s_mov_b32 s20, 0x9E3779B1
  s_lshl_b32 s21, s3, 13
  samples
  // Addresses are made in advance, so that the loads stand back to back: other ones for each sample and wave.
  s_lshl_b32 s22, s11, 16
  s_add_u32 s22, s22, s21
  v_add_u32 v10, s22, v0
  v_lshlrev_b32 v11, 2, v0
  s_lshl_b32 s23, s22, 4
  .set I, 0
  .rept @COUNT@
  .if @PATTERN@ == 2
  v_add_u32 v9, 64 * I, v10
  v_mul_lo_u32 v[112 + I], v9, s20
  v_and_b32 v[112 + I], @MASK@, v[112 + I]
  .elseif @PATTERN@ == 1
  v_add_u32 v9, s23, v11
  v_add_u32 v9, ((1664525 * I + 1013904223) & 0xffff) * 256, v9
  v_and_b32 v[112 + I], @MASK@ | 127, v9
  .else
  v_add_u32 v9, 64 * I, v10
  v_lshlrev_b32 v[112 + I], 2, v9
  .endif
  .set I, I + 1
  .endr
  clock_start
  .set I, 0
  .rept @COUNT@
  global_load_dword v[16 + I], v[112 + I], s[6:7]
  .set I, I + 1
  .endr
  clock_stop
  probe_end
