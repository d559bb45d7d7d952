// A loop with a barrier runs three iterations. LDS DMA from before it is in flight at its first barrier, and what reads the DMA's bytes comes after its
// last one: no path of a wave has both, and by then vmcnt(3) has waited for the DMA.
// RUN: inflight waits %s 2>&1 | count 0
// With one count more the DMA is in flight at the last barrier, too.
// RUN: sed 's/vmcnt(3)/vmcnt(4)/' %s > %t.s
// RUN: not inflight waits %t.s 2>&1 | FileCheck %s
// CHECK: error: s_barrier is reached while buffer_load_dword is still in flight to LDS bytes that other waves use after it {{.*}}[-Wmissing-wait]
// CHECK: note: used here after the barrier
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.globl k
.type k,@function
k:
  v_lshlrev_b32_e32 v1, 2, v0
  s_mov_b32 m0, 0
  s_nop 0
  buffer_load_dword v1, s[8:11], 0 offen lds
  s_mov_b32 s60, 0
.L1:
  global_load_dword v2, v1, s[4:5]
  s_waitcnt vmcnt(3)
  s_barrier
  s_add_u32 s60, s60, 1
  s_cmp_lt_u32 s60, 3
  s_cbranch_scc1 .L1
  v_xor_b32_e32 v1, 0x100, v1
  ds_read_b32 v3, v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 64
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 4
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size: [128, 1, 1]
...
.end_amdgpu_metadata
