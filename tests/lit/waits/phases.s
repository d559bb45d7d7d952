// A loop is left in its third iteration. Its blocks stand once for each of four phases, and the code after it too: that control can't come there from one
// phase says nothing of the others.
// RUN: not inflight waits %s 2>&1 | FileCheck %s
// CHECK: error: overwrites v25 while global_load_dword may still write it [-Wmissing-wait]
// CHECK: error: reads v22 while ds_read_b32 may still write it [-Wmissing-wait]
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.globl k
.type k,@function
k:
  v_and_b32_e32 v3, 63, v0
  v_lshrrev_b32_e32 v4, 6, v0
  v_readfirstlane_b32 s21, v4
  s_mov_b32 s37, 2
  v_lshlrev_b32_e32 v2, 2, v3
.L1:
  s_waitcnt vmcnt(0)
  s_lshl_b32 s50, s21, 8
  v_add_u32_e32 v9, s50, v2
  s_mov_b32 s61, 0
.L4:
  s_lshl_b32 s50, s37, 8
  v_add_u32_e32 v9, s50, v2
  ds_read_b32 v22, v9
  s_add_u32 s37, s37, 1
  s_cmp_eq_u32 s37, 4
  s_cselect_b32 s37, 0, s37
  s_barrier
  s_add_u32 s61, s61, 1
  s_cmp_lt_u32 s61, 3
  s_cbranch_scc1 .L4
  global_load_dword v25, v1, s[4:5]
  ds_read_b32 v25, v9
  v_add_u32_e32 v10, v10, v22
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 8192
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 24
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 96
  .amdhsa_accum_offset 32
  .amdhsa_system_vgpr_workitem_id 0
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 8192
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 96
    .vgpr_count: 64
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}
      - {.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: out}
      - {.offset: 16, .size: 4, .value_kind: by_value, .name: n}
...
.end_amdgpu_metadata
