.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
// What one wave writes before a barrier and reads after it, a word on.
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v9, 4, v1
  ds_write_b32 v1, v0
  s_barrier
  ds_read_b32 v7, v9
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v7, s[6:7]
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size 4096
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_next_free_vgpr 32
.amdhsa_next_free_sgpr 64
.amdhsa_accum_offset 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
