// Kernels without any code, as libraries have for chips that theirs isn't for, begin where the next one does: both have their names.
// RUN: %inflight asm %s -o %t.hsaco && %inflight dis %t.hsaco -o %t.s && FileCheck %s < %t.s
// RUN: %inflight asm %t.s -o %t.again.hsaco && %inflight dis %t.again.hsaco -o - | diff %t.s -
// CHECK: .type empty,@function
// CHECK-NEXT: empty:
// CHECK: .type k,@function
// CHECK-NEXT: k:
// CHECK-NEXT: s_cmp_eq_u32
.amdgcn_target "amdgcn-amd-amdhsa--gfx1201"
.text
.globl empty
.p2align 8
.type empty,@function
empty:
.size empty, 0
.globl k
.type k,@function
k:
  s_cmp_eq_u32 s0, 0
  s_cbranch_scc1 k
  s_endpgm
.Lk:
.size k, .Lk-k
.rodata
.p2align 6
.amdhsa_kernel empty
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - { .name: empty, .symbol: empty.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 32, .sgpr_count: 1, .vgpr_count: 1, .max_flat_workgroup_size: 64 }
  - { .name: k, .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 32, .sgpr_count: 1, .vgpr_count: 1, .max_flat_workgroup_size: 64 }
...
.end_amdgpu_metadata
