.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected gdn_replayssm_compact_commit_kernel
.globl gdn_replayssm_compact_commit_kernel
.type gdn_replayssm_compact_commit_kernel,@function
gdn_replayssm_compact_commit_kernel:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_load_dwordx8 s[4:11], s[0:1], 0x8
  s_load_dwordx4 s[12:15], s[0:1], 0x28
  s_waitcnt lgkmcnt(0)
  s_branch .L100
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
.L100:
  s_mov_b32 s10, s17
  s_ashr_i32 s11, s17, 31
  s_mov_b64 s[24:25], s[2:3]
  s_lshl_b64 s[2:3], s[10:11], 1
  s_add_u32 s2, s14, s2
  s_addc_u32 s3, s15, s3
  v_mov_b32_e32 v1, 0
  global_load_ushort v2, v1, s[2:3]
  s_mov_b32 s2, 0x2f800000
  s_mov_b32 s3, 0xcf800000
  v_readfirstlane_b32 s22, v0
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v2, 16, v2
  v_trunc_f32_e32 v2, v2
  v_mul_f32_e64 v3, |v2|, s2
  v_floor_f32_e32 v3, v3
  v_fma_f32 v4, v3, s3, |v2|
  v_cvt_u32_f32_e32 v4, v4
  v_cvt_u32_f32_e32 v3, v3
  v_ashrrev_i32_e32 v5, 31, v2
  v_xor_b32_e32 v2, v4, v5
  v_xor_b32_e32 v3, v3, v5
  v_sub_co_u32_e32 v2, vcc, v2, v5
  s_nop 1
  v_subb_co_u32_e32 v3, vcc, v3, v5, vcc
  v_cmp_lt_i64_e32 vcc, 64, v[2:3]
  s_cbranch_vccz .Lda4
  s_load_dwordx2 s[2:3], s[0:1], 0x38
  s_load_dwordx2 s[14:15], s[0:1], 0x50
  s_mov_b64 s[12:13], s[6:7]
  s_lshl_b64 s[6:7], s[10:11], 2
  s_waitcnt lgkmcnt(0)
  s_add_u32 s2, s2, s6
  s_addc_u32 s3, s3, s7
  s_load_dword s2, s[2:3], 0x0
  s_waitcnt lgkmcnt(0)
  s_ashr_i32 s3, s2, 31
  s_lshl_b64 s[6:7], s[2:3], 1
  s_add_u32 s10, s14, s6
  s_addc_u32 s11, s15, s7
  global_load_ushort v1, v1, s[10:11]
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v1, 16, v1
  v_cmp_eq_f32_e32 vcc, 0, v1
  s_cbranch_vccnz .Lda4
  s_load_dwordx4 s[28:31], s[0:1], 0x40
  s_ashr_i32 s0, s18, 31
  s_lshr_b32 s0, s0, 28
  s_add_i32 s0, s18, s0
  s_ashr_i32 s10, s0, 4
  s_and_b32 s0, s0, -16
  s_sub_i32 s11, s18, s0
  s_lshl_b64 s[0:1], s[2:3], 3
  s_waitcnt lgkmcnt(0)
  s_add_u32 s0, s28, s0
  s_addc_u32 s1, s29, s1
  s_lshl_b32 s3, s10, 8
  s_add_u32 s6, s30, s6
  s_addc_u32 s7, s31, s7
  v_mov_b32_e32 v1, 0
  global_load_ushort v5, v1, s[6:7]
  s_mov_b32 s27, 0x27000
  s_mov_b32 s26, 0x7ffffffe
  s_and_b32 s13, s13, 0xffff
  s_mov_b32 s14, s26
  s_mov_b32 s15, s27
  buffer_load_dwordx4 v[24:27], v0, s[12:15], 0 offen
  v_and_b32_e32 v6, 63, v0
  v_lshlrev_b32_e32 v2, 13, v2
  v_lshrrev_b32_e32 v4, 1, v0
  s_load_dword s20, s[0:1], 0x0
  s_and_b32 s0, s22, 0x1c0
  s_lshl_b32 s1, s11, 12
  s_lshl_b32 s14, s16, 10
  s_and_b32 s29, s22, 0x100
  s_lshl_b32 s15, s2, 19
  s_mul_i32 s13, s16, 0xfffffc10
  v_and_b32_e32 v4, 28, v4
  v_add_u32_e32 v2, s3, v2
  s_lshl_b32 s30, s16, 4
  s_lshr_b32 s16, s22, 4
  v_or_b32_e32 v10, s0, v6
  s_add_i32 s0, s1, s14
  s_add_i32 s15, s15, s3
  s_lshr_b32 s3, s29, 7
  v_lshlrev_b32_e32 v3, 1, v0
  v_lshl_or_b32 v9, v6, 5, v4
  s_and_b32 s1, s16, 12
  v_add_u32_e32 v4, s0, v2
  v_mov_b32_e32 v2, s3
  s_movk_i32 s28, 0x80
  s_movk_i32 s23, 0xc0
  s_movk_i32 s6, 0x50
  s_movk_i32 s7, 0x90
  s_movk_i32 s12, 0xd0
  v_bitop3_b32 v12, s16, v9, 12 bitop3:0x6c
  v_and_or_b32 v17, v3, 62, v4
  v_bitop3_b32 v9, s1, v2, v9 bitop3:0xde
  v_lshrrev_b32_e32 v13, 3, v10
  v_lshrrev_b32_e32 v14, 5, v10
  v_bitop3_b32 v18, v12, s6, v2 bitop3:0x36
  v_bitop3_b32 v19, v12, s28, v2 bitop3:0x36
  v_bitop3_b32 v20, v12, s7, v2 bitop3:0x36
  v_bitop3_b32 v21, v12, s23, v2 bitop3:0x36
  v_bitop3_b32 v2, v12, s12, v2 bitop3:0x36
  v_lshlrev_b32_e32 v12, 1, v17
  v_add_u32_e32 v17, 0, v9
  v_xad_u32 v22, v9, 16, 0
  v_xad_u32 v9, v9, 64, 0
  s_add_i32 s0, s0, s13
  v_and_b32_e32 v8, 14, v3
  v_or_b32_e32 v16, s30, v14
  v_add_u32_e32 v18, 0, v18
  v_add_u32_e32 v19, 0, v19
  v_add_u32_e32 v20, 0, v20
  v_add_u32_e32 v21, 0, v21
  v_add_u32_e32 v23, 0, v2
  s_add_i32 s0, s0, s15
  v_bfrev_b32_e32 v1, 1
  v_or_b32_e32 v11, s30, v8
  v_cmp_gt_i32_e32 vcc, 64, v16
  v_lshl_add_u32 v2, v14, 7, v12
  v_or_b32_e32 v8, s0, v8
  v_cndmask_b32_e32 v2, v1, v2, vcc
  v_cmp_gt_i32_e32 vcc, 64, v11
  s_and_b32 s25, s25, 0xffff
  s_and_b32 s5, s5, 0xffff
  s_mov_b32 s6, s26
  s_mov_b32 s7, s27
  buffer_load_dword v2, v2, s[24:27], 0 offen
  v_and_b32_e32 v7, 6, v0
  v_lshrrev_b32_e32 v15, 2, v10
  v_mul_u32_u24_e32 v7, 0x420, v7
  s_movk_i32 s0, 0x4c
  v_bitop3_b32 v7, v15, v7, s0 bitop3:0x6c
  s_waitcnt vmcnt(1)
  ds_write_b16 v17, v24
  ds_write_b16_d16_hi v22, v24
  ds_write_b16 v9, v25 offset:2048
  ds_write_b16_d16_hi v18, v25 offset:2048
  ds_write_b16 v19, v26 offset:4096
  ds_write_b16_d16_hi v20, v26 offset:4096
  ds_write_b16 v21, v27 offset:6144
  ds_write_b16_d16_hi v23, v27 offset:6144
  v_lshlrev_b32_e32 v5, 16, v5
  v_cvt_i32_f32_e32 v5, v5
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_add_u32_e32 v9, v0, v5
  v_add_lshl_u32 v5, v13, v5, 6
  v_and_b32_e32 v5, 0xfc0, v5
  v_add_lshl_u32 v5, v8, v5, 1
  v_cndmask_b32_e32 v5, v1, v5, vcc
  buffer_load_dword v25, v5, s[4:7], 0 offen
  v_lshlrev_b32_e32 v8, 2, v0
  v_and_b32_e32 v5, 1, v0
  v_and_b32_e32 v8, 32, v8
  v_lshl_or_b32 v5, v5, 4, v8
  s_movk_i32 s0, 0x104
  v_bitop3_b32 v11, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x208
  v_bitop3_b32 v12, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x30c
  v_bitop3_b32 v13, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x410
  v_bitop3_b32 v14, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x514
  v_bitop3_b32 v15, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x618
  v_bitop3_b32 v16, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x71c
  v_bitop3_b32 v17, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x184
  v_bitop3_b32 v19, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x288
  v_bitop3_b32 v20, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x38c
  v_bitop3_b32 v21, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x490
  v_bitop3_b32 v22, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x594
  v_bitop3_b32 v23, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x698
  v_bitop3_b32 v24, v7, s0, v5 bitop3:0x36
  s_movk_i32 s0, 0x79c
  s_bfe_i32 s1, s22, 0x10006
  v_or_b32_e32 v8, v7, v5
  v_bitop3_b32 v18, v7, s28, v5 bitop3:0x36
  v_bitop3_b32 v5, v7, s0, v5 bitop3:0x36
  s_lshl_b32 s0, s11, 6
  v_lshlrev_b32_e32 v61, 2, v10
  s_and_b32 s1, s1, 0x110
  v_mov_b32_e32 v7, 0x6fc
  v_bitop3_b32 v7, v61, s1, v7 bitop3:0x6c
  s_lshl_b32 s1, s2, 8
  s_add_i32 s0, s0, s10
  v_and_b32_e32 v9, 63, v9
  v_add_u32_e32 v11, 0, v11
  v_add_u32_e32 v5, 0, v5
  v_add_u32_e32 v7, 0, v7
  s_add_i32 s0, s0, s1
  v_add_u32_e32 v8, 0, v8
  v_add_u32_e32 v12, 0, v12
  v_add_u32_e32 v13, 0, v13
  v_add_u32_e32 v14, 0, v14
  v_add_u32_e32 v15, 0, v15
  v_add_u32_e32 v16, 0, v16
  v_add_u32_e32 v17, 0, v17
  v_add_u32_e32 v18, 0, v18
  v_add_u32_e32 v19, 0, v19
  v_add_u32_e32 v20, 0, v20
  v_add_u32_e32 v21, 0, v21
  v_add_u32_e32 v22, 0, v22
  v_add_u32_e32 v23, 0, v23
  v_add_u32_e32 v24, 0, v24
  ds_read_b32 v30, v11
  ds_read_b32 v31, v12
  ds_read_b32 v32, v13
  ds_read_b32 v33, v14
  ds_read_b32 v50, v15
  ds_read_b32 v51, v16
  ds_read_b32 v52, v17
  ds_read_b32 v53, v8
  ds_read_b32 v54, v19
  ds_read_b32 v55, v20
  ds_read_b32 v56, v21
  ds_read_b32 v57, v22
  ds_read_b32 v58, v23
  ds_read_b32 v59, v24
  ds_read_b32 v5, v5
  ds_read_b32 v60, v18
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_and_b32 s9, s9, 0xffff
  s_mov_b32 s10, s26
  s_mov_b32 s11, s27
  v_and_b32_e32 v63, 15, v0
  s_movk_i32 s21, 0x110
  v_bfe_i32 v8, v0, 4, 1
  v_lshlrev_b32_e32 v10, 3, v63
  v_sub_u32_e64 v11, v6, 1 clamp
  v_lshlrev_b32_e32 v13, 2, v6
  v_cmp_gt_u32_e32 vcc, 2, v6
  v_cmp_gt_u32_e64 s[2:3], 8, v6
  v_cmp_gt_u32_e64 s[4:5], 16, v6
  v_cmp_gt_u32_e64 s[6:7], 32, v6
  v_cmp_lt_u32_e64 s[12:13], 3, v6
  s_waitcnt vmcnt(0)
  ds_write_b32 v7, v25
  v_add_lshl_u32 v7, s0, v9, 1
  s_waitcnt lgkmcnt(0)
  s_barrier
  buffer_load_ushort v7, v7, s[8:11], 0 offen
  v_lshlrev_b32_e32 v9, 4, v0
  v_and_b32_e32 v9, 0x200, v9
  v_cmp_gt_u32_e64 s[0:1], 4, v6
  v_cmp_eq_u32_e64 s[8:9], 0, v6
  v_cmp_lt_u32_e64 s[10:11], 1, v6
  v_cmp_lt_u32_e64 s[14:15], 7, v6
  v_cmp_lt_u32_e64 s[16:17], 15, v6
  v_cmp_lt_u32_e64 s[18:19], 31, v6
  v_bitop3_b32 v8, v8, v10, s21 bitop3:0x6c
  v_cmp_gt_i32_e64 s[20:21], s20, v6
  v_lshlrev_b32_e32 v10, 2, v11
  v_add3_u32 v8, 0, v9, v8
  v_add_u32_e32 v11, -8, v13
  v_subrev_u32_e32 v16, 64, v13
  v_cndmask_b32_e64 v22, v16, v13, s[4:5]
  v_add_u32_e32 v14, -16, v13
  v_subrev_u32_e32 v15, 32, v13
  v_add_u32_e32 v17, 0xffffff80, v13
  v_add_u32_e32 v24, 0, v13
  v_cndmask_b32_e64 v14, v14, v13, s[0:1]
  v_cndmask_b32_e64 v15, v15, v13, s[2:3]
  s_mov_b32 s31, 0xc2fc0000
  v_mov_b32_e32 v64, 0x42800000
  v_not_b32_e32 v12, 63
  v_and_b32_e32 v62, 48, v0
  v_lshl_add_u32 v46, v62, 1, 0
  s_mov_b32 s1, 0x5040100
  s_mov_b32 s2, 0x7060302
  v_lshl_add_u32 v4, v62, 4, v4
  v_bfe_i32 v0, v0, 0, 1
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v6, 16, v7
  v_cndmask_b32_e64 v9, 0, v6, s[20:21]
  ds_bpermute_b32 v6, v10, v9
  v_cndmask_b32_e32 v7, v11, v13, vcc
  v_cndmask_b32_e64 v13, v17, v13, s[6:7]
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v6, v9, v6
  v_cndmask_b32_e64 v16, v6, v9, s[8:9]
  ds_bpermute_b32 v20, v7, v16
  ds_read_b64_tr_b16 v[6:7], v8
  ds_read_b64_tr_b16 v[10:11], v8 offset:128
  ds_read_b64_tr_b16 v[18:19], v8 offset:1024
  s_waitcnt lgkmcnt(2)
  v_and_b32_e32 v23, 0xffff0000, v7
  v_add_f32_e32 v17, v16, v20
  v_cndmask_b32_e64 v16, v16, v17, s[10:11]
  ds_bpermute_b32 v14, v14, v16
  ds_read_b64_tr_b16 v[20:21], v8 offset:1152
  v_and_b32_e32 v17, 0xffff0000, v6
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_add_f32_e32 v8, v16, v14
  v_cndmask_b32_e64 v8, v16, v8, s[12:13]
  ds_bpermute_b32 v14, v15, v8
  v_lshlrev_b32_e32 v16, 16, v6
  v_add_f32_dpp v6, v9, v9 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_waitcnt lgkmcnt(0)
  v_and_b32_e32 v25, 0xffff0000, v10
  v_add_f32_e32 v9, v8, v14
  v_cndmask_b32_e64 v8, v8, v9, s[14:15]
  ds_bpermute_b32 v9, v22, v8
  v_add_f32_dpp v6, v6, v6 row_shr:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_lshlrev_b32_e32 v22, 16, v7
  v_and_b32_e32 v27, 0xffff0000, v11
  v_add_f32_dpp v6, v6, v6 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v9, v8, v9
  v_cndmask_b32_e64 v8, v8, v9, s[16:17]
  v_add_f32_dpp v6, v6, v6 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  ds_bpermute_b32 v9, v13, v8
  v_mov_b32_e32 v14, v6
  v_lshlrev_b32_e32 v26, 16, v11
  s_nop 0
  v_mov_b32_dpp v14, v14 row_bcast:15 row_mask:0xa bank_mask:0xf bound_ctrl:1
  v_add_f32_e32 v6, v6, v14
  s_nop 1
  v_add_f32_dpp v6, v6, v6 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_readlane_b32 s0, v6, 63
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v6, v8, v9
  v_cndmask_b32_e64 v6, v8, v6, s[18:19]
  v_sub_f32_e32 v6, s0, v6
  v_mul_f32_e32 v6, 0x3fb8aa3b, v6
  v_cmp_gt_f32_e32 vcc, s31, v6
  s_nop 1
  v_cndmask_b32_e32 v8, 0, v64, vcc
  v_add_f32_e32 v6, v6, v8
  v_exp_f32_e32 v6, v6
  v_cndmask_b32_e32 v7, 0, v12, vcc
  v_ldexp_f32 v6, v6, v7
  v_cndmask_b32_e64 v6, 0, v6, s[20:21]
  ds_write_b32 v24, v6
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b128 v[6:9], v46
  v_lshlrev_b32_e32 v24, 16, v10
  ds_read_b128 v[10:13], v46 offset:16
  s_waitcnt lgkmcnt(1)
  v_pk_mul_f32 v[14:15], v[6:7], v[16:17]
  v_pk_mul_f32 v[28:29], v[8:9], v[22:23]
  v_cvt_pk_bf16_f32 v14, v14, v15
  v_cvt_pk_bf16_f32 v15, v28, v29
  v_and_b32_e32 v29, 0xffff0000, v14
  v_lshlrev_b32_e32 v28, 16, v14
  v_pk_fma_f32 v[34:35], v[6:7], v[16:17], v[28:29] neg_lo:[0,0,1] neg_hi:[0,0,1]
  v_and_b32_e32 v7, 0xffff0000, v15
  v_lshlrev_b32_e32 v6, 16, v15
  v_pk_fma_f32 v[36:37], v[8:9], v[22:23], v[6:7] neg_lo:[0,0,1] neg_hi:[0,0,1]
  ds_read_b128 v[6:9], v46 offset:128
  s_waitcnt lgkmcnt(1)
  v_pk_mul_f32 v[16:17], v[10:11], v[24:25]
  v_pk_mul_f32 v[22:23], v[12:13], v[26:27]
  v_cvt_pk_bf16_f32 v16, v16, v17
  v_cvt_pk_bf16_f32 v17, v22, v23
  v_and_b32_e32 v23, 0xffff0000, v16
  v_lshlrev_b32_e32 v22, 16, v16
  v_pk_fma_f32 v[38:39], v[10:11], v[24:25], v[22:23] neg_lo:[0,0,1] neg_hi:[0,0,1]
  v_and_b32_e32 v11, 0xffff0000, v17
  v_lshlrev_b32_e32 v10, 16, v17
  v_pk_fma_f32 v[40:41], v[12:13], v[26:27], v[10:11] neg_lo:[0,0,1] neg_hi:[0,0,1]
  v_and_b32_e32 v13, 0xffff0000, v18
  v_lshlrev_b32_e32 v12, 16, v18
  s_waitcnt lgkmcnt(0)
  v_pk_mul_f32 v[10:11], v[6:7], v[12:13]
  v_lshlrev_b32_e32 v18, 16, v20
  v_cvt_pk_bf16_f32 v10, v10, v11
  v_and_b32_e32 v23, 0xffff0000, v10
  v_lshlrev_b32_e32 v22, 16, v10
  v_pk_fma_f32 v[42:43], v[6:7], v[12:13], v[22:23] neg_lo:[0,0,1] neg_hi:[0,0,1]
  v_and_b32_e32 v7, 0xffff0000, v19
  v_lshlrev_b32_e32 v6, 16, v19
  v_pk_mul_f32 v[12:13], v[8:9], v[6:7]
  v_and_b32_e32 v19, 0xffff0000, v20
  v_cvt_pk_bf16_f32 v11, v12, v13
  v_and_b32_e32 v13, 0xffff0000, v11
  v_lshlrev_b32_e32 v12, 16, v11
  v_pk_fma_f32 v[44:45], v[8:9], v[6:7], v[12:13] neg_lo:[0,0,1] neg_hi:[0,0,1]
  ds_read_b128 v[6:9], v46 offset:144
  v_lshrrev_b32_e32 v24, 2, v62
  v_or_b32_e32 v24, s30, v24
  v_cmp_gt_i32_e32 vcc, 64, v24
  v_perm_b32 v24, v58, v57, s1
  s_waitcnt lgkmcnt(0)
  v_pk_mul_f32 v[12:13], v[6:7], v[18:19]
  v_perm_b32 v25, v5, v59, s1
  v_cvt_pk_bf16_f32 v12, v12, v13
  v_and_b32_e32 v23, 0xffff0000, v12
  v_lshlrev_b32_e32 v22, 16, v12
  v_pk_fma_f32 v[46:47], v[6:7], v[18:19], v[22:23] neg_lo:[0,0,1] neg_hi:[0,0,1]
  v_and_b32_e32 v7, 0xffff0000, v21
  v_lshlrev_b32_e32 v6, 16, v21
  v_pk_mul_f32 v[18:19], v[8:9], v[6:7]
  v_perm_b32 v22, v54, v60, s1
  v_cvt_pk_bf16_f32 v13, v18, v19
  v_and_b32_e32 v19, 0xffff0000, v13
  v_lshlrev_b32_e32 v18, 16, v13
  v_pk_fma_f32 v[48:49], v[8:9], v[6:7], v[18:19] neg_lo:[0,0,1] neg_hi:[0,0,1]
  v_perm_b32 v6, v30, v53, s1
  v_perm_b32 v7, v32, v31, s1
  v_perm_b32 v8, v50, v33, s1
  v_perm_b32 v9, v52, v51, s1
  v_perm_b32 v23, v56, v55, s1
  v_perm_b32 v18, v30, v53, s2
  v_perm_b32 v19, v32, v31, s2
  v_perm_b32 v20, v50, v33, s2
  v_mfma_f32_16x16x32_bf16 v[30:33], v[14:17], v[6:9], 0
  v_perm_b32 v21, v52, v51, s2
  v_perm_b32 v26, v54, v60, s2
  v_perm_b32 v27, v56, v55, s2
  v_mfma_f32_16x16x32_bf16 v[14:17], v[14:17], v[22:25], 0
  v_perm_b32 v28, v58, v57, s2
  v_perm_b32 v29, v5, v59, s2
  s_lshr_b32 s1, s29, 4
  v_mfma_f32_16x16x32_bf16 v[30:33], v[10:13], v[18:21], v[30:33]
  v_or_b32_e32 v5, s1, v63
  v_or_b32_e32 v50, 32, v5
  v_or_b32_e32 v52, 64, v4
  v_mfma_f32_16x16x32_bf16 v[10:13], v[10:13], v[26:29], v[14:17]
  v_or_b32_e32 v51, v4, v5
  v_or_b32_e32 v53, v52, v5
  s_nop 0
  v_cvt_pk_bf16_f32 v14, v34, v35
  v_cvt_pk_bf16_f32 v15, v36, v37
  v_cvt_pk_bf16_f32 v16, v38, v39
  v_cvt_pk_bf16_f32 v17, v40, v41
  v_or_b32_e32 v38, 0x80, v4
  v_or_b32_e32 v40, 0xc0, v4
  v_or_b32_e32 v39, v38, v5
  v_cvt_pk_bf16_f32 v34, v42, v43
  v_or_b32_e32 v41, v40, v5
  v_or_b32_e32 v42, v4, v50
  v_mfma_f32_16x16x32_bf16 v[4:7], v[14:17], v[6:9], v[30:33]
  v_cvt_pk_bf16_f32 v35, v44, v45
  v_cvt_pk_bf16_f32 v36, v46, v47
  v_cvt_pk_bf16_f32 v37, v48, v49
  v_mfma_f32_16x16x32_bf16 v[8:11], v[14:17], v[22:25], v[10:13]
  v_and_b32_e32 v14, 0x1fc, v61
  s_barrier
  s_nop 0
  v_mov_b32_e32 v12, 0x3fb8aa3b
  v_mul_f32_e32 v12, s0, v12
  v_cmp_gt_f32_e64 s[0:1], s31, v12
  v_mfma_f32_16x16x32_bf16 v[4:7], v[34:37], v[18:21], v[4:7]
  v_and_b32_e32 v18, 0xffff0000, v2
  v_cndmask_b32_e64 v13, 0, v64, s[0:1]
  v_add_f32_e32 v12, v12, v13
  v_exp_f32_e32 v12, v12
  s_and_b64 s[0:1], s[0:1], exec
  s_cselect_b32 s0, 0xffffffc0, 0
  v_lshlrev_b32_e32 v13, 6, v62
  v_ldexp_f32 v12, v12, s0
  s_lshr_b32 s0, s22, 1
  s_and_b32 s0, s0, 0xc0
  v_lshlrev_b32_e32 v2, 16, v2
  v_bitop3_b32 v13, v14, s0, v13 bitop3:0x36
  v_mul_f32_e32 v2, v12, v2
  v_add_u32_e32 v14, 0, v13
  v_mul_f32_e32 v12, v12, v18
  ds_write_b32 v14, v2
  v_xad_u32 v2, v13, 32, 0
  ds_write_b32 v2, v12 offset:512
  v_and_b32_e32 v2, 28, v3
  s_lshr_b32 s0, s29, 3
  v_lshl_or_b32 v16, v62, 2, v2
  v_mov_b32_e32 v2, 0x220
  v_bitop3_b32 v0, s0, v0, v2 bitop3:0x78
  v_or_b32_e32 v14, v0, v16
  v_bitop3_b32 v12, v0, s28, v16 bitop3:0x36
  v_add_u32_e32 v2, 0, v14
  v_add_u32_e32 v12, 0, v12
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read2st64_b32 v[2:3], v2 offset1:1
  ds_read2st64_b32 v[12:13], v12 offset0:8 offset1:9
  v_bitop3_b32 v0, v0, s23, v16 bitop3:0x36
  s_and_b32 s0, s22, 0xc0
  v_add_u32_e32 v0, 0, v0
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v18, v2
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v19, v12
  v_pk_add_f32 v[4:5], v[4:5], v[18:19]
  s_cselect_b64 s[0:1], 0, -1
  ds_read2st64_b32 v[16:17], v0 offset0:12 offset1:13
  v_cvt_pk_bf16_f32 v0, v4, v5
  v_lshlrev_b32_e32 v5, 1, v51
  s_and_b64 vcc, vcc, s[0:1]
  v_xad_u32 v14, v14, 64, 0
  v_cndmask_b32_e32 v5, v1, v5, vcc
  ds_read2st64_b32 v[14:15], v14 offset0:4 offset1:5
  buffer_store_short v0, v5, s[24:27], 0 offen
  v_lshlrev_b32_e32 v5, 1, v53
  v_mov_b32_e32 v12, v3
  v_lshrrev_b32_e32 v0, 16, v0
  v_cndmask_b32_e32 v5, v1, v5, vcc
  v_mfma_f32_16x16x32_bf16 v[8:11], v[34:37], v[26:29], v[8:11]
  v_add_f32_e64 v2, v6, v12
  v_add_f32_e64 v3, v7, v13
  buffer_store_short v0, v5, s[24:27], 0 offen
  v_lshlrev_b32_e32 v0, 1, v39
  v_cvt_pk_bf16_f32 v2, v2, v3
  v_cndmask_b32_e32 v0, v1, v0, vcc
  buffer_store_short v2, v0, s[24:27], 0 offen
  v_lshrrev_b32_e32 v0, 16, v2
  v_lshlrev_b32_e32 v2, 1, v41
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v6, v14
  v_mov_b32_e32 v7, v16
  v_cndmask_b32_e32 v2, v1, v2, vcc
  v_or_b32_e32 v30, v52, v50
  v_pk_add_f32 v[6:7], v[8:9], v[6:7]
  buffer_store_short v0, v2, s[24:27], 0 offen
  v_lshlrev_b32_e32 v0, 1, v42
  v_cvt_pk_bf16_f32 v3, v6, v7
  v_cndmask_b32_e32 v0, v1, v0, vcc
  v_lshlrev_b32_e32 v2, 1, v30
  v_or_b32_e32 v31, v38, v50
  v_mov_b32_e32 v16, v15
  buffer_store_short v3, v0, s[24:27], 0 offen
  v_lshrrev_b32_e32 v0, 16, v3
  v_cndmask_b32_e32 v2, v1, v2, vcc
  v_or_b32_e32 v32, v40, v50
  v_pk_add_f32 v[8:9], v[10:11], v[16:17]
  buffer_store_short v0, v2, s[24:27], 0 offen
  v_lshlrev_b32_e32 v0, 1, v31
  v_cvt_pk_bf16_f32 v4, v8, v9
  v_cndmask_b32_e32 v0, v1, v0, vcc
  v_lshlrev_b32_e32 v2, 1, v32
  buffer_store_short v4, v0, s[24:27], 0 offen
  v_lshrrev_b32_e32 v0, 16, v4
  v_cndmask_b32_e32 v1, v1, v2, vcc
  buffer_store_short v0, v1, s[24:27], 0 offen
.Lda4:
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
.section .rodata,"a",@progbits
.p2align 6
.globl gdn_replayssm_compact_commit_kernel.kd
.type gdn_replayssm_compact_commit_kernel.kd,@object
.size gdn_replayssm_compact_commit_kernel.kd, 64
gdn_replayssm_compact_commit_kernel.kd:
  .long 0x00000000
  .long 0x00000000
  .long 0x00000080
  .long 0x00000000
  .quad gdn_replayssm_compact_commit_kernel-gdn_replayssm_compact_commit_kernel.kd
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000010
  .long 0x00af0108
  .long 0x000003a0
  .long 0x000e0008
  .long 0x00000000

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx950
amdhsa.kernels:
  - .name: gdn_replayssm_compact_commit_kernel
    .symbol: gdn_replayssm_compact_commit_kernel.kd
    .kernarg_segment_size: 128
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 65
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 512
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
        .value_kind: global_buffer
        .address_space: global
      - .offset: 24
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 32
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 40
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 48
        .size: 8
        .value_kind: global_buffer
        .address_space: global
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
        .value_kind: global_buffer
        .address_space: global
      - .offset: 80
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 88
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 96
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 104
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 112
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 120
        .size: 8
        .value_kind: global_buffer
        .address_space: global
.end_amdgpu_metadata
