.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected softmax
.globl softmax
.type softmax,@function
softmax:
  s_load_dwordx4 s[8:11], s[0:1], 0x20
  s_load_dwordx2 s[12:13], s[0:1], 0x8
  s_ashr_i32 s23, s2, 31
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v3, 0xff800000
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_i64_e32 vcc, s[8:9], v[0:1]
  s_mul_i32 s3, s10, s23
  s_mul_hi_u32 s21, s10, s2
  s_mul_i32 s22, s11, s2
  s_mul_i32 s10, s10, s2
  v_lshlrev_b32_e32 v2, 2, v0
  s_and_saveexec_b64 s[6:7], vcc
  s_cbranch_execz .Lbc
  s_add_i32 s4, s21, s3
  s_add_i32 s11, s4, s22
  s_lshl_b64 s[4:5], s[10:11], 2
  s_add_u32 s4, s12, s4
  v_mov_b32_e32 v3, v1
  s_addc_u32 s5, s13, s5
  v_lshl_add_u64 v[4:5], s[4:5], 0, v[2:3]
  s_mov_b64 s[14:15], 0
  v_mov_b32_e32 v3, 0xff800000
  s_mov_b64 s[16:17], 0x100
  v_mov_b64_e32 v[6:7], v[0:1]
.L7c:
  global_load_dword v8, v[4:5], off
  v_lshl_add_u64 v[6:7], v[6:7], 0, 64
  v_max_f32_e32 v3, v3, v3
  v_cmp_le_i64_e64 s[4:5], s[8:9], v[6:7]
  v_lshl_add_u64 v[4:5], v[4:5], 0, s[16:17]
  s_or_b64 s[14:15], s[4:5], s[14:15]
  s_waitcnt vmcnt(0)
  v_max_f32_e32 v8, v8, v8
  v_max_f32_e32 v3, v3, v8
  s_andn2_b64 exec, exec, s[14:15]
  s_cbranch_execnz .L7c
  s_or_b64 exec, exec, s[14:15]
.Lbc:
  s_or_b64 exec, exec, s[6:7]
  v_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_f32_e32 v4, v4, v4
  v_max_f32_e32 v3, v3, v3
  v_max_f32_e32 v3, v3, v4
  v_mov_b32_e32 v8, 0
  s_nop 0
  v_mov_b32_dpp v4, v3 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_f32_e32 v4, v4, v4
  v_max_f32_e32 v3, v3, v4
  s_nop 1
  v_mov_b32_dpp v4, v3 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_f32_e32 v4, v4, v4
  v_max_f32_e32 v3, v3, v4
  s_nop 1
  v_mov_b32_dpp v4, v3 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_f32_e32 v4, v4, v4
  v_max_f32_e32 v3, v3, v4
  v_mov_b32_e32 v4, v3
  s_nop 1
  v_mov_b32_dpp v4, v4 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_max_f32_e32 v4, v4, v4
  v_max_f32_e32 v3, v3, v4
  s_nop 1
  v_mov_b32_dpp v4, v3 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_max_f32_e32 v4, v4, v4
  v_max_f32_e32 v3, v4, v3
  s_nop 0
  v_readlane_b32 s20, v3, 63
  v_mov_b32_e32 v3, 0
  s_and_saveexec_b64 s[14:15], vcc
  s_cbranch_execz .L20c
  s_add_i32 s4, s21, s3
  s_add_i32 s11, s4, s22
  s_lshl_b64 s[4:5], s[10:11], 2
  s_add_u32 s4, s12, s4
  s_addc_u32 s5, s13, s5
  v_lshl_add_u64 v[4:5], s[4:5], 0, v[2:3]
  s_mov_b64 s[16:17], 0
  v_mov_b32_e32 v8, 0
  s_mov_b32 s11, 0xc2fc0000
  v_mov_b32_e32 v3, 0x42800000
  v_not_b32_e32 v9, 63
  s_mov_b64 s[18:19], 0x100
  v_mov_b64_e32 v[6:7], v[0:1]
.L19c:
  global_load_dword v10, v[4:5], off
  v_lshl_add_u64 v[6:7], v[6:7], 0, 64
  v_cmp_le_i64_e64 s[6:7], s[8:9], v[6:7]
  v_lshl_add_u64 v[4:5], v[4:5], 0, s[18:19]
  s_or_b64 s[16:17], s[6:7], s[16:17]
  s_waitcnt vmcnt(0)
  v_subrev_f32_e32 v10, s20, v10
  v_mul_f32_e32 v10, 0x3fb8aa3b, v10
  v_cmp_gt_f32_e64 s[4:5], s11, v10
  s_nop 1
  v_cndmask_b32_e64 v11, 0, v3, s[4:5]
  v_add_f32_e32 v10, v10, v11
  v_exp_f32_e32 v10, v10
  v_cndmask_b32_e64 v11, 0, v9, s[4:5]
  v_ldexp_f32 v10, v10, v11
  v_add_f32_e32 v8, v8, v10
  s_andn2_b64 exec, exec, s[16:17]
  s_cbranch_execnz .L19c
  s_or_b64 exec, exec, s[16:17]
.L20c:
  s_or_b64 exec, exec, s[14:15]
  v_add_f32_dpp v3, v8, v8 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 1
  v_add_f32_dpp v3, v3, v3 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 1
  v_add_f32_dpp v3, v3, v3 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 1
  v_add_f32_dpp v3, v3, v3 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_e32 v4, v3
  s_nop 1
  v_mov_b32_dpp v4, v4 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_add_f32_e32 v3, v3, v4
  s_nop 1
  v_add_f32_dpp v3, v3, v3 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_readlane_b32 s4, v3, 63
  s_and_saveexec_b64 s[6:7], vcc
  s_cbranch_execz .L3a0
  s_load_dwordx2 s[6:7], s[0:1], 0x60
  s_load_dwordx2 s[14:15], s[0:1], 0x40
  v_mov_b32_e32 v3, 0
  v_mov_b32_e32 v6, 0x42800000
  v_not_b32_e32 v7, 63
  s_waitcnt lgkmcnt(0)
  s_mul_i32 s1, s6, s23
  s_mul_hi_u32 s5, s6, s2
  s_mul_i32 s7, s7, s2
  s_add_i32 s1, s5, s1
  s_mul_i32 s0, s6, s2
  s_add_i32 s1, s1, s7
  s_lshl_b64 s[0:1], s[0:1], 2
  s_add_u32 s0, s14, s0
  s_addc_u32 s1, s15, s1
  v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
  s_add_i32 s0, s21, s3
  s_add_i32 s11, s0, s22
  s_lshl_b64 s[0:1], s[10:11], 2
  s_add_u32 s0, s12, s0
  s_addc_u32 s1, s13, s1
  v_lshl_add_u64 v[2:3], s[0:1], 0, v[2:3]
  s_mov_b64 s[0:1], 0
  s_mov_b32 s5, 0xc2fc0000
  s_mov_b64 s[2:3], 0x100
.L2f0:
  global_load_dword v8, v[2:3], off
  v_lshl_add_u64 v[0:1], v[0:1], 0, 64
  v_cmp_le_i64_e32 vcc, s[8:9], v[0:1]
  s_or_b64 s[0:1], vcc, s[0:1]
  v_lshl_add_u64 v[2:3], v[2:3], 0, s[2:3]
  s_waitcnt vmcnt(0)
  v_subrev_f32_e32 v8, s20, v8
  v_mul_f32_e32 v8, 0x3fb8aa3b, v8
  v_cmp_gt_f32_e32 vcc, s5, v8
  s_nop 1
  v_cndmask_b32_e32 v9, 0, v6, vcc
  v_add_f32_e32 v8, v8, v9
  v_exp_f32_e32 v8, v8
  v_cndmask_b32_e32 v9, 0, v7, vcc
  v_ldexp_f32 v8, v8, v9
  v_div_scale_f32 v9, s[6:7], s4, s4, v8
  v_rcp_f32_e32 v10, v9
  v_div_scale_f32 v11, vcc, v8, s4, v8
  v_fma_f32 v12, -v9, v10, 1.0
  v_fmac_f32_e32 v10, v12, v10
  v_mul_f32_e32 v12, v11, v10
  v_fma_f32 v13, -v9, v12, v11
  v_fmac_f32_e32 v12, v13, v10
  v_fma_f32 v9, -v9, v12, v11
  v_div_fmas_f32 v9, v9, v10, v12
  v_div_fixup_f32 v8, v9, s4, v8
  global_store_dword v[4:5], v8, off
  v_lshl_add_u64 v[4:5], v[4:5], 0, s[2:3]
  s_andn2_b64 exec, exec, s[0:1]
  s_cbranch_execnz .L2f0
.L3a0:
  s_endpgm
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
.section .rodata,"a",@progbits
.p2align 6
.globl softmax.kd
.type softmax.kd,@object
.size softmax.kd, 64
softmax.kd:
  .long 0x00000000
  .long 0x00000000
  .long 0x00000070
  .long 0x00000000
  .quad softmax-softmax.kd
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000003
  .long 0x00af00c1
  .long 0x00000084
  .long 0x00000008
  .long 0x00000000

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: softmax
    .symbol: softmax.kd
    .kernarg_segment_size: 112
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 30
    .vgpr_count: 14
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 8
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 16
        .size: 8
        .value_kind: by_value
      - .offset: 24
        .size: 8
        .value_kind: by_value
      - .offset: 32
        .size: 8
        .value_kind: by_value
      - .offset: 40
        .size: 8
        .value_kind: by_value
      - .offset: 48
        .size: 8
        .value_kind: by_value
      - .offset: 56
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 64
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 72
        .size: 8
        .value_kind: by_value
      - .offset: 80
        .size: 8
        .value_kind: by_value
      - .offset: 88
        .size: 8
        .value_kind: by_value
      - .offset: 96
        .size: 8
        .value_kind: by_value
      - .offset: 104
        .size: 8
        .value_kind: by_value
.end_amdgpu_metadata
