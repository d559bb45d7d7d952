.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
.text
.globl k
.p2align 8
.type k,@function
k:
  v_pk_add_f16 v0, v1, v2
  v_add_f16 v0.l, v1.h, v2.l
  v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v4, v6
  s_set_vgpr_msb 0x41
  v_add_f32 v1, v2, v3
  tensor_load_to_lds s[28:31], s[36:43]
  .long 0xd0310000, 0, 0x7c7c241c
  .long 0xcc350000, 0x00020501, 0xcc330000, 0x04a23108
  .long 0xcc880004, 0x1cb24914
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 300
  .amdhsa_next_free_sgpr 44
  .amdhsa_group_segment_fixed_size 327680
  .amdhsa_named_barrier_count 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 327680
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 44
    .vgpr_count: 300
    .max_flat_workgroup_size: 1024
    .cluster_dims: [2, 1, 1]
    .dynamic_vgpr_en: true
.end_amdgpu_metadata
