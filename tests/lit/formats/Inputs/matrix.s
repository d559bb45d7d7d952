// Matrix instructions for some microseconds, on one SIMD of each compute unit.
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.globl matrix
.p2align 8
.type matrix,@function
matrix:
  s_movk_i32 s4, 300
.Lagain:
  v_mfma_f32_32x32x16_f16 a[0:15], v[4:7], v[8:11], a[0:15]
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 .Lagain
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel matrix
  .amdhsa_next_free_vgpr 28
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 12
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: matrix
    .symbol: matrix.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 28
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
