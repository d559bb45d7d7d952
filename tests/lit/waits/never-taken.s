// Branches that no wave takes, as no unsigned number is below zero: what is in flight on the way over the code behind them is no finding.
// RUN: inflight waits %s
// RUN: sed 's/s_cmp_lt_u32 s8, 0/s_cmp_lt_i32 s8, 0/' %s > %t.s
// RUN: not inflight waits %t.s 2>&1 | FileCheck %s
// CHECK: error: reads v2 while global_load_dword may still write it [-Wmissing-wait]
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
k:
  global_load_dword v2, v1, s[4:5]
  s_cmp_lt_u32 s8, 0
  s_cbranch_scc1 .L2
  s_waitcnt vmcnt(0)
  s_branch .L3
.L2:
  s_nop 0
.L3:
  v_add_u32_e32 v3, v2, v2
  s_endpgm
