// run: --block 128 --arg arange:512:i32 --arg zeros:512:i32
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected k
.globl k
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v3, 4, v1
  v_add_u32_e32 v6, 8, v1
  v_mov_b32_e32 v2, v0
  ds_bpermute_b32 v4, v3, v2
  ds_bpermute_b32 v5, v6, v2
  s_waitcnt lgkmcnt(1) // needed: v4; the pointers may be on their way
  v_add_u32_e32 v7, v2, v4
  ds_permute_b32 v4, v3, v7
  s_waitcnt lgkmcnt(1) // needed: v5
  v_add_u32_e32 v7, v7, v5
  s_waitcnt lgkmcnt(0) // needed: v4 and the pointers
  v_add_u32_e32 v7, v7, v4
  s_nop 1 // needed: VALU result before DPP, 2 states
  v_add_u32_dpp v8, v7, v7 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  ds_swizzle_b32 v9, v8 offset:swizzle(SWAP,16)
  v_readlane_b32 s8, v8, 3
  s_nop 0 // needed: an SGPR of VALU before another VALU instruction, 2 states with the wait
  s_waitcnt lgkmcnt(0) // needed: v9
  v_add_u32_e32 v9, s8, v9
  global_store_dword v1, v9, s[6:7]
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 64
    .max_flat_workgroup_size: 256
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}
      - {.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: out}
...
.end_amdgpu_metadata
