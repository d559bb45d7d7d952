// Adds 1 to each dword of a buffer.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl add_one
.p2align 8
.type add_one,@function
add_one:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_lshl_b32 s3, s2, 8
  v_add_u32 v0, s3, v0
  v_lshlrev_b32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v1, v0, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_u32 v1, 1, v1
  global_store_dword v0, v1, s[4:5]
  s_endpgm
.size add_one, .-add_one
.rodata
.p2align 6
.amdhsa_kernel add_one
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: add_one
    .symbol: add_one.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args: [{.name: a, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}]
.end_amdgpu_metadata
