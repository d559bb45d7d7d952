.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text
.globl scalar
.p2align 8
.type scalar,@function
scalar:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  s_mov_b32 s4, 0x1234
  s_mov_b32 s5, 2
  s_waitcnt lgkmcnt(0)
  s_store_dword s4, s[0:1], 0x4
  s_atomic_add s5, s[0:1], 0x4
  s_dcache_wb
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel scalar
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_kernarg_size 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.kernels:
  - .name: scalar
    .symbol: scalar.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .max_flat_workgroup_size: 128
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
