// Almost nothing but scalar instructions.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl scalar
.p2align 8
.type scalar,@function
scalar:
  s_mov_b32 s4, 200
.Lscalar:
  .rept 8
  s_mov_b32 s5, 1
  s_and_b32 s8, s8, s8
  s_add_i32 s8, s8, 1
  .endr
  s_sub_i32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 .Lscalar
  s_endpgm
.size scalar, .-scalar
.rodata
.p2align 6
.amdhsa_kernel scalar
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: scalar
    .symbol: scalar.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
