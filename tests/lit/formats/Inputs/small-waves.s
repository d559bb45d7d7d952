.text
.globl k
.p2align 8
.type k,@function
k:
  v_add_f16 v0, v1, v2
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 3
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 3
    .max_flat_workgroup_size: 1024
.end_amdgpu_metadata
