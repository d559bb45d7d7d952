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
  s_waitcnt lgkmcnt(0) // needed: the pointers
  global_load_dword v2, v1, s[4:5]
  v_mov_b32_e32 v8, 1.0
  v_mov_b32_e32 v9, 1.0
  s_nop 1 // needed: VALU results before a matrix instruction, 2 states
  v_mfma_f32_4x4x1_16b_f32 v[12:15], v8, v9, 0
  s_nop 3 // needed: single-precision matrix results of 2 passes, 4 states
  v_add_f32_e32 v10, v12, v13
  s_nop 0 // not needed: plain VALU results are forwarded
  v_add_f32_e32 v10, v10, v14
  s_nop 1 // needed: VALU result before DPP, 2 states
  v_add_f32_dpp v11, v10, v10 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_rcp_f32_e32 v11, v11
  s_nop 0 // needed: a transcendental result before another VALU instruction
  v_add_f32_e32 v11, 1.0, v11
  v_cmp_lt_f32_e32 vcc, v10, v11
  s_nop 3 // needed: VCC before V_DIV_FMAS, 4 states
  v_div_fmas_f32 v11, v11, v10, v10
  v_readfirstlane_b32 s8, v1
  s_nop 3 // needed: an SGPR of VALU as lane select, 4 states
  v_readlane_b32 s9, v10, s8
  s_waitcnt vmcnt(0) // needed: v2
  v_add_u32_e32 v2, v2, v11
  global_store_dword v1, v2, s[6:7]
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
