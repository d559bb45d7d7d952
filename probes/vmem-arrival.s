// vmem-arrival: N loads, wait until Q are left, see which have come
// Shows: when s_waitcnt vmcnt(Q) lets go after 64 loads, for each Q, and whether the loads that it waits for hold their data.
// Expect: the loads come back in order, so the time falls as Q grows; every load but the last Q has its data, always. A wrong value means that
//   the counter lost count.
  probe_begin
  v_lshlrev_b32 v8, 2, v0
  samples
  .set I, 0
  .rept 64
  v_mov_b32 v[16 + I], -1
  .set I, I + 1
  .endr
  clock_start
  .set I, 0
  .rept 64
  global_load_dword v[16 + I], v8, s[6:7] offset:(I % 16) * 256
  .if I % 16 == 15
  v_add_u32 v8, 0x1000, v8
  .endif
  .set I, I + 1
  .endr
  s_waitcnt vmcnt(@LEFT@)
  // The last of those that must have come: its data say which it is.
  v_readfirstlane_b32 s16, v[16 + 63 - @LEFT@]
  clock_stop
  probe_end
