.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl matrix
.p2align 8
.type matrix,@function
matrix:
  v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[6:7], a[0:15]
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel matrix
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 24
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_kernarg_size 0
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: matrix
    .symbol: matrix.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .agpr_count: 8
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size: [128, 1, 1]
.end_amdgpu_metadata
