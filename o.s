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
  s_load_dwordx8 s[20:27], s[0:1], 0x38
  s_lshl_b32 s0, s17, 1
  v_mov_b32_e32 v1, s0
  global_load_ushort v1, v1, s[14:15]
  v_mov_b32_e32 v2, 0xffffffe0
  s_lshl_b32 s0, s17, 2
  s_lshr_b32 s1, s17, 30
  v_and_b32_e32 v6, 0x3ff, v0
  s_mov_b64 s[10:11], 0x41
  s_mov_b32 s17, 0x1fc
  v_readfirstlane_b32 s19, v6
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s12, v1
  s_lshl_b32 s12, s12, 16
  s_nop 0
  v_cvt_f64_f32_e32 v[4:5], s12
  v_trunc_f64_e32 v[4:5], v[4:5]
  v_ldexp_f64 v[2:3], v[4:5], v2
  v_floor_f64_e32 v[2:3], v[2:3]
  v_ldexp_f64 v[8:9], v[2:3], 32
  v_add_f64 v[4:5], v[4:5], -v[8:9]
  s_waitcnt lgkmcnt(0)
  s_add_u32 s0, s20, s0
  s_addc_u32 s1, s21, s1
  s_load_dword s20, s[0:1], 0x0
  v_cvt_u32_f64_e32 v8, v[4:5]
  v_cvt_i32_f64_e32 v9, v[2:3]
  v_cmp_lt_i64_e64 s[0:1], v[8:9], s[10:11]
  s_and_saveexec_b64 s[10:11], s[0:1]
  s_andn2_b64 exec, s[10:11], s[0:1]
  s_cbranch_execz .Ld3c
  s_waitcnt lgkmcnt(0)
  s_ashr_i32 s21, s20, 31
  s_and_b32 s0, s18, -16
  s_lshl_b64 s[10:11], s[20:21], 1
  s_lshr_b32 s28, s19, 6
  s_lshr_b32 s29, s18, 4
  s_sub_i32 s14, s18, s0
  s_add_u32 s0, s26, s10
  s_addc_u32 s1, s27, s11
  v_mov_b32_e32 v1, 0
  global_load_ushort v2, v1, s[0:1]
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v2, 16, v2
  v_cmp_eq_f32_e64 s[0:1], v2, 0
  s_and_saveexec_b64 s[26:27], s[0:1]
  s_andn2_b64 exec, s[26:27], s[0:1]
  s_cbranch_execz .Ld38
  s_mov_b64 s[0:1], s[6:7]
  s_mov_b64 s[12:13], s[2:3]
  s_lshl_b64 s[2:3], s[20:21], 3
  s_add_u32 s2, s22, s2
  s_addc_u32 s3, s23, s3
  s_load_dwordx2 s[22:23], s[2:3], 0x0
  s_lshl_b32 s6, s29, 8
  s_add_u32 s2, s24, s10
  s_addc_u32 s3, s25, s11
  global_load_ushort v1, v1, s[2:3]
  s_mov_b32 s2, 0x7ffffffe
  s_mov_b32 s3, 0x27000
  buffer_load_dwordx4 v[2:5], off, s[0:3], 0
  v_and_b32_e32 v7, 63, v0
  s_and_b32 s0, s19, 0x1c0
  v_or_b32_e32 v9, s0, v7
  s_lshl_b32 s0, s16, 4
  v_lshrrev_b32_e32 v10, 5, v9
  v_lshlrev_b32_e32 v11, 1, v6
  v_or_b32_e32 v12, s0, v10
  s_lshl_b32 s1, s14, 12
  s_lshl_b32 s7, s16, 10
  v_and_b32_e32 v13, 14, v11
  v_lshl_add_u32 v8, v8, 13, s6
  s_add_i32 s7, s1, s7
  v_cmp_lt_i32_e64 s[10:11], v12, 64
  v_or_b32_e32 v12, s0, v13
  v_add_u32_e32 v8, s7, v8
  v_and_or_b32 v14, 62, v11, v8
  s_lshl_b32 s7, s20, 19
  s_lshl_b32 s14, s28, 2
  v_lshlrev_b32_e32 v15, 5, v7
  v_lshrrev_b32_e32 v16, 1, v6
  v_cmp_lt_i32_e64 s[24:25], v12, 64
  s_and_b32 s16, s19, 0x100
  v_lshlrev_b32_e32 v12, 1, v14
  v_lshrrev_b32_e32 v14, 3, v9
  s_and_b32 s14, s14, 12
  v_and_or_b32 v15, 28, v16, v15
  s_add_i32 s6, s7, s6
  s_add_i32 s1, s1, s0
  v_lshl_add_u32 v10, v10, 7, v12
  v_mov_b32_e32 v12, 0x80000000
  s_lshr_b32 s7, s16, 7
  v_xor_b32_e32 v15, s14, v15
  s_add_i32 s1, s1, s6
  v_cndmask_b32_e64 v10, v12, v10, s[10:11]
  v_or_b32_e32 v16, s7, v15
  v_or_b32_e32 v13, s1, v13
  s_mov_b32 s14, s2
  s_mov_b32 s15, s3
  buffer_load_dword v10, v10, s[12:15], 0 offen
  v_add_u32_e32 v15, s7, v15
  v_xor_b32_e32 v17, 16, v16
  v_xor_b32_e32 v18, 64, v16
  v_xor_b32_e32 v19, 0x50, v16
  v_xor_b32_e32 v20, 0x80, v16
  v_xor_b32_e32 v21, 0x90, v16
  v_xor_b32_e32 v22, 0xc0, v16
  v_xor_b32_e32 v16, 0xd0, v16
  s_mov_b32 s6, s2
  s_mov_b32 s10, s2
  s_mov_b32 s7, s3
  s_mov_b32 s11, s3
  v_and_b32_e32 v23, 6, v0
  s_mov_b32 s1, 0x420
  v_mul_lo_u32 v23, s1, v23
  v_lshrrev_b32_e32 v24, 2, v9
  v_lshlrev_b32_e32 v25, 2, v6
  v_and_b32_e32 v26, 1, v0
  v_and_b32_e32 v25, 32, v25
  v_and_b32_e32 v24, 0x4c, v24
  v_lshl_or_b32 v27, v26, 4, v25
  v_xor_b32_e32 v23, v24, v23
  v_lshl_add_u32 v24, v26, 4, v23
  v_or_b32_e32 v23, v23, v27
  v_add_u32_e32 v24, v25, v24
  v_xor_b32_e32 v25, 0x104, v23
  v_xor_b32_e32 v27, 0x208, v23
  v_xor_b32_e32 v28, 0x30c, v23
  v_xor_b32_e32 v29, 0x410, v23
  v_xor_b32_e32 v30, 0x514, v23
  v_xor_b32_e32 v31, 0x618, v23
  v_xor_b32_e32 v32, 0x71c, v23
  v_xor_b32_e32 v33, 0x80, v23
  v_xor_b32_e32 v34, 0x184, v23
  v_xor_b32_e32 v35, 0x288, v23
  v_xor_b32_e32 v36, 0x38c, v23
  v_xor_b32_e32 v37, 0x490, v23
  v_xor_b32_e32 v38, 0x594, v23
  v_xor_b32_e32 v39, 0x698, v23
  v_xor_b32_e32 v23, 0x79c, v23
  s_and_b32 s1, s19, 64
  s_lshr_b32 s2, s16, 4
  s_cmp_eq_u32 s1, 0
  v_lshlrev_b32_e32 v9, 2, v9
  s_cselect_b32 s1, 0, 0x110
  s_lshl_b32 s3, s18, 7
  s_lshl_b32 s18, s20, 9
  v_and_b32_e32 v40, 0x6fc, v9
  s_add_i32 s3, s18, s3
  s_mul_i32 s18, s29, 0xfffff802
  v_xor_b32_e32 v40, s1, v40
  s_add_i32 s1, s18, s3
  s_waitcnt lgkmcnt(0)
  v_cmp_lt_i32_e64 s[20:21], v7, s22
  v_max_u32_e32 v41, 1, v7
  v_add_lshl_u32 v41, -1, v41, 2
  v_cmp_eq_u32_e64 s[22:23], v7, 0
  v_cmp_lt_u32_e64 s[30:31], v7, 2
  v_lshlrev_b32_e32 v42, 2, v7
  v_add_u32_e32 v43, -8, v42
  v_cmp_gt_u32_e64 s[32:33], v7, 1
  v_cmp_lt_u32_e64 s[34:35], v7, 4
  v_cndmask_b32_e64 v43, v43, v42, s[30:31]
  v_add_u32_e32 v44, -16, v42
  v_cmp_gt_u32_e64 s[30:31], v7, 3
  v_cmp_lt_u32_e64 s[36:37], v7, 8
  v_cndmask_b32_e64 v44, v44, v42, s[34:35]
  v_add_u32_e32 v45, 0xffffffe0, v42
  v_cmp_gt_u32_e64 s[34:35], v7, 7
  v_cmp_lt_u32_e64 s[38:39], v7, 16
  v_cndmask_b32_e64 v45, v45, v42, s[36:37]
  v_add_u32_e32 v46, 0xffffffc0, v42
  v_cmp_gt_u32_e64 s[36:37], v7, 15
  v_cmp_lt_u32_e64 s[40:41], v7, 32
  v_cndmask_b32_e64 v46, v46, v42, s[38:39]
  v_add_u32_e32 v47, 0xffffff80, v42
  v_and_b32_e32 v48, 16, v0
  v_cmp_eq_u32_e64 s[38:39], v48, 0
  v_cndmask_b32_e64 v47, v47, v42, s[40:41]
  v_cmp_gt_u32_e64 s[40:41], v7, 31
  v_and_b32_e32 v7, 15, v0
  v_mov_b32_e32 v48, 0x110
  v_lshlrev_b32_e32 v49, 4, v6
  v_lshlrev_b32_e32 v50, 3, v7
  v_cndmask_b32_e64 v48, v48, 0, s[38:39]
  v_and_b32_e32 v49, 0x200, v49
  v_xad_u32 v48, v48, v50, v49
  s_mov_b32 s3, 0xc2fc0000
  v_mov_b32_e32 v49, 0x42800000
  v_mov_b32_e32 v50, 0xffffffc0
  v_and_b32_e32 v0, 48, v0
  v_lshlrev_b32_e32 v51, 1, v0
  s_mov_b32 s18, 0x5040100
  s_mov_b32 s29, 0x3fb8aa3b
  v_mov_b32_e32 v52, s29
  s_mov_b32 s29, 0x7060302
  v_cmp_eq_u32_e64 s[38:39], v26, 0
  s_lshl_b32 s28, s28, 5
  v_lshlrev_b32_e32 v26, 6, v0
  v_mov_b32_e32 v53, 0x220
  s_and_b32 s28, s28, 0xc0
  v_and_or_b32 v9, s17, v9, v26
  v_cndmask_b32_e64 v26, v53, 0, s[38:39]
  s_lshr_b32 s16, s16, 3
  v_xor_b32_e32 v53, s28, v9
  v_lshlrev_b32_e32 v9, 2, v0
  v_and_b32_e32 v11, 28, v11
  v_xor_b32_e32 v26, s16, v26
  v_xor_b32_e32 v54, 32, v53
  v_or3_b32 v55, v9, v11, v26
  v_add3_u32 v56, v26, v9, v11
  v_xor_b32_e32 v57, 0x80, v55
  v_xor_b32_e32 v58, 64, v55
  v_xor_b32_e32 v55, 0xc0, v55
  v_lshrrev_b32_e32 v9, 2, v0
  v_or_b32_e32 v9, s0, v9
  v_cmp_lt_i32_e64 s[16:17], v9, 64
  v_lshlrev_b32_e32 v0, 4, v0
  v_or_b32_e32 v7, s2, v7
  v_or_b32_e32 v9, 64, v0
  v_or_b32_e32 v11, 0x80, v0
  v_or_b32_e32 v26, 0xc0, v0
  s_and_b32 s0, s19, 0xc0
  v_add_u32_e32 v0, v0, v8
  v_add_u32_e32 v9, v9, v8
  v_add_u32_e32 v11, v11, v8
  v_add_u32_e32 v8, v26, v8
  v_or_b32_e32 v26, 32, v7
  s_cmp_eq_u32 s0, 0
  s_cselect_b64 s[38:39], -1, 0
  v_or_b32_e32 v59, v0, v7
  v_or_b32_e32 v60, v9, v7
  v_or_b32_e32 v61, v11, v7
  v_or_b32_e32 v7, v8, v7
  v_or_b32_e32 v0, v0, v26
  v_or_b32_e32 v9, v9, v26
  v_or_b32_e32 v11, v11, v26
  v_or_b32_e32 v8, v8, v26
  s_and_b64 s[16:17], s[16:17], s[38:39]
  v_lshlrev_b32_e32 v26, 1, v59
  v_lshlrev_b32_e32 v59, 1, v60
  v_lshlrev_b32_e32 v60, 1, v61
  v_lshlrev_b32_e32 v7, 1, v7
  v_lshlrev_b32_e32 v0, 1, v0
  v_lshlrev_b32_e32 v9, 1, v9
  v_lshlrev_b32_e32 v11, 1, v11
  v_lshlrev_b32_e32 v8, 1, v8
  v_cndmask_b32_e64 v61, v12, v26, s[16:17]
  v_cndmask_b32_e64 v59, v12, v59, s[16:17]
  v_cndmask_b32_e64 v60, v12, v60, s[16:17]
  v_cndmask_b32_e64 v62, v12, v7, s[16:17]
  v_cndmask_b32_e64 v63, v12, v0, s[16:17]
  v_cndmask_b32_e64 v64, v12, v9, s[16:17]
  v_cndmask_b32_e64 v65, v12, v11, s[16:17]
  v_cndmask_b32_e64 v66, v12, v8, s[16:17]
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v26, 16, v10
  v_lshlrev_b32_e32 v0, 16, v1
  v_cvt_i32_f32_e32 v0, v0
  v_add_lshl_u32 v1, v14, v0, 6
  v_and_b32_e32 v1, 0xfc0, v1
  v_add_lshl_u32 v1, v13, v1, 1
  ds_write_b16 v15, v2
  ds_write_b16_d16_hi v17, v2
  ds_write_b16 v18, v3 offset:2048
  ds_write_b16_d16_hi v19, v3 offset:2048
  ds_write_b16 v20, v4 offset:4096
  ds_write_b16_d16_hi v21, v4 offset:4096
  ds_write_b16 v22, v5 offset:6144
  ds_write_b16_d16_hi v16, v5 offset:6144
  v_cndmask_b32_e64 v1, v12, v1, s[24:25]
  s_waitcnt lgkmcnt(0)
  s_barrier
  buffer_load_dword v16, v1, s[4:7], 0 offen
  ds_read_b32 v4, v24
  ds_read_b32 v5, v25
  ds_read_b32 v7, v27
  ds_read_b32 v8, v28
  ds_read_b32 v9, v29
  ds_read_b32 v11, v30
  ds_read_b32 v12, v31
  ds_read_b32 v13, v32
  ds_read_b32 v14, v33
  ds_read_b32 v15, v34
  ds_read_b32 v17, v35
  ds_read_b32 v18, v36
  ds_read_b32 v19, v37
  ds_read_b32 v20, v38
  ds_read_b32 v21, v39
  ds_read_b32 v22, v23
  v_add_u32_e32 v0, v6, v0
  v_and_b32_e32 v0, 63, v0
  v_lshl_add_u32 v23, v0, 1, s1
  v_and_b32_e32 v24, 0xffff0000, v10
  s_waitcnt lgkmcnt(8)
  v_perm_b32 v3, v13, v12, s18
  v_perm_b32 v0, v5, v4, s18
  v_perm_b32 v1, v8, v7, s18
  v_perm_b32 v2, v11, v9, s18
  v_perm_b32 v4, v5, v4, s29
  v_perm_b32 v5, v8, v7, s29
  v_perm_b32 v6, v11, v9, s29
  v_perm_b32 v7, v13, v12, s29
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_perm_b32 v8, v15, v14, s18
  v_perm_b32 v9, v18, v17, s18
  v_perm_b32 v10, v20, v19, s18
  v_perm_b32 v11, v22, v21, s18
  v_perm_b32 v12, v15, v14, s29
  v_perm_b32 v13, v18, v17, s29
  v_perm_b32 v14, v20, v19, s29
  v_perm_b32 v15, v22, v21, s29
  s_waitcnt vmcnt(0)
  ds_write_b32 v40, v16
  s_waitcnt lgkmcnt(0)
  s_barrier
  buffer_load_ushort v16, v23, s[8:11], 0 offen
  ds_read_b64_tr_b16 v[18:19], v48
  ds_read_b64_tr_b16 v[20:21], v48 offset:128
  ds_read_b64_tr_b16 v[22:23], v48 offset:1024
  ds_read_b64_tr_b16 v[28:29], v48 offset:1152
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_lshlrev_b32_e32 v32, 16, v18
  v_and_b32_e32 v33, 0xffff0000, v18
  v_lshlrev_b32_e32 v34, 16, v19
  v_and_b32_e32 v35, 0xffff0000, v19
  v_lshlrev_b32_e32 v36, 16, v20
  v_and_b32_e32 v37, 0xffff0000, v20
  v_lshlrev_b32_e32 v38, 16, v21
  v_and_b32_e32 v39, 0xffff0000, v21
  v_lshlrev_b32_e32 v68, 16, v22
  v_and_b32_e32 v69, 0xffff0000, v22
  v_lshlrev_b32_e32 v70, 16, v23
  v_and_b32_e32 v71, 0xffff0000, v23
  v_lshlrev_b32_e32 v72, 16, v28
  v_and_b32_e32 v73, 0xffff0000, v28
  v_lshlrev_b32_e32 v74, 16, v29
  v_and_b32_e32 v75, 0xffff0000, v29
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v16, 16, v16
  v_cndmask_b32_e64 v16, 0, v16, s[20:21]
  ds_bpermute_b32 v17, v41, v16
  s_nop 0
  v_add_f32_dpp v18, v16, v16 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 1
  v_add_f32_dpp v18, v18, v18 row_shr:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 1
  v_add_f32_dpp v18, v18, v18 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 1
  v_add_f32_dpp v18, v18, v18 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_e32 v19, v18
  s_nop 0
  v_mov_b32_dpp v19, v18 row_bcast:15 row_mask:0xa bank_mask:0xf bound_ctrl:1
  v_add_f32_e32 v18, v18, v19
  s_nop 1
  v_add_f32_dpp v18, v18, v18 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_readlane_b32 s0, v18, 63
  s_nop 1
  v_mul_f32_e32 v18, s0, v52
  v_cmp_gt_f32_e64 s[4:5], s3, v18
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v17, v16, v17
  v_cndmask_b32_e64 v16, v17, v16, s[22:23]
  ds_bpermute_b32 v17, v43, v16
  v_cndmask_b32_e64 v19, 0, v49, s[4:5]
  v_add_f32_e32 v18, v18, v19
  v_exp_f32_e32 v18, v18
  v_cndmask_b32_e64 v19, 0, v50, s[4:5]
  v_ldexp_f32 v18, v18, v19
  v_mul_f32_e32 v40, v18, v26
  v_mul_f32_e32 v41, v18, v24
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v17, v16, v17
  v_cndmask_b32_e64 v16, v16, v17, s[32:33]
  ds_bpermute_b32 v17, v44, v16
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v17, v16, v17
  v_cndmask_b32_e64 v16, v16, v17, s[30:31]
  ds_bpermute_b32 v17, v45, v16
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v17, v16, v17
  v_cndmask_b32_e64 v16, v16, v17, s[34:35]
  ds_bpermute_b32 v17, v46, v16
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v17, v16, v17
  v_cndmask_b32_e64 v16, v16, v17, s[36:37]
  ds_bpermute_b32 v17, v47, v16
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v17, v16, v17
  v_cndmask_b32_e64 v16, v16, v17, s[40:41]
  v_sub_f32_e32 v16, s0, v16
  v_mul_f32_e32 v16, 0x3fb8aa3b, v16
  v_cmp_gt_f32_e64 s[0:1], s3, v16
  s_nop 1
  v_cndmask_b32_e64 v17, 0, v49, s[0:1]
  v_add_f32_e32 v16, v16, v17
  v_exp_f32_e32 v16, v16
  v_cndmask_b32_e64 v17, 0, v50, s[0:1]
  v_ldexp_f32 v16, v16, v17
  v_cndmask_b32_e64 v16, 0, v16, s[20:21]
  ds_write_b32 v42, v16
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b128 v[16:19], v51
  ds_read_b128 v[20:23], v51 offset:16
  ds_read_b128 v[24:27], v51 offset:128
  ds_read_b128 v[28:31], v51 offset:144
  s_waitcnt lgkmcnt(0)
  v_pk_mul_f32 v[42:43], v[28:29], v[72:73]
  v_pk_mul_f32 v[32:33], v[16:17], v[32:33]
  v_pk_mul_f32 v[34:35], v[18:19], v[34:35]
  v_pk_mul_f32 v[36:37], v[20:21], v[36:37]
  v_pk_mul_f32 v[38:39], v[22:23], v[38:39]
  v_cvt_pk_bf16_f32 v16, v32, v33
  v_cvt_pk_bf16_f32 v17, v34, v35
  v_cvt_pk_bf16_f32 v18, v36, v37
  v_cvt_pk_bf16_f32 v19, v38, v39
  v_pk_mul_f32 v[44:45], v[24:25], v[68:69]
  s_nop 0
  v_mfma_f32_16x16x32_bf16 v[20:23], v[16:19], v[0:3], 0
  v_pk_mul_f32 v[46:47], v[26:27], v[70:71]
  v_pk_mul_f32 v[48:49], v[30:31], v[74:75]
  v_cvt_pk_bf16_f32 v24, v44, v45
  v_cvt_pk_bf16_f32 v25, v46, v47
  v_cvt_pk_bf16_f32 v26, v42, v43
  v_cvt_pk_bf16_f32 v27, v48, v49
  v_mfma_f32_16x16x32_bf16 v[28:31], v[16:19], v[8:11], 0
  s_barrier
  ds_write_b32 v53, v40
  ds_write_b32 v54, v41 offset:512
  v_mfma_f32_16x16x32_bf16 v[20:23], v[24:27], v[4:7], v[20:23]
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_mfma_f32_16x16x32_bf16 v[28:31], v[24:27], v[12:15], v[28:31]
  v_lshlrev_b32_e32 v40, 16, v16
  v_and_b32_e32 v41, 0xffff0000, v16
  v_lshlrev_b32_e32 v16, 16, v17
  v_and_b32_e32 v17, 0xffff0000, v17
  v_lshlrev_b32_e32 v50, 16, v18
  v_and_b32_e32 v51, 0xffff0000, v18
  v_lshlrev_b32_e32 v18, 16, v19
  v_pk_add_f32 v[32:33], v[32:33], v[40:41] neg_lo:[0,1] neg_hi:[0,1]
  v_and_b32_e32 v19, 0xffff0000, v19
  v_pk_add_f32 v[34:35], v[34:35], v[16:17] neg_lo:[0,1] neg_hi:[0,1]
  v_pk_add_f32 v[36:37], v[36:37], v[50:51] neg_lo:[0,1] neg_hi:[0,1]
  v_pk_add_f32 v[38:39], v[38:39], v[18:19] neg_lo:[0,1] neg_hi:[0,1]
  v_cvt_pk_bf16_f32 v16, v32, v33
  v_cvt_pk_bf16_f32 v17, v34, v35
  v_cvt_pk_bf16_f32 v18, v36, v37
  v_cvt_pk_bf16_f32 v19, v38, v39
  s_nop 1
  v_mfma_f32_16x16x32_bf16 v[20:23], v[16:19], v[0:3], v[20:23]
  ds_read_b32 v32, v56
  ds_read_b32 v33, v57 offset:2048
  ds_read_b32 v34, v56 offset:256
  ds_read_b32 v35, v57 offset:2304
  ds_read_b32 v36, v58 offset:1024
  ds_read_b32 v37, v55 offset:3072
  ds_read_b32 v38, v58 offset:1280
  ds_read_b32 v39, v55 offset:3328
  v_mfma_f32_16x16x32_bf16 v[28:31], v[16:19], v[8:11], v[28:31]
  v_lshlrev_b32_e32 v0, 16, v24
  v_and_b32_e32 v1, 0xffff0000, v24
  v_lshlrev_b32_e32 v2, 16, v25
  v_and_b32_e32 v3, 0xffff0000, v25
  v_lshlrev_b32_e32 v8, 16, v26
  v_and_b32_e32 v9, 0xffff0000, v26
  v_lshlrev_b32_e32 v10, 16, v27
  v_and_b32_e32 v11, 0xffff0000, v27
  v_pk_add_f32 v[0:1], v[44:45], v[0:1] neg_lo:[0,1] neg_hi:[0,1]
  v_pk_add_f32 v[2:3], v[46:47], v[2:3] neg_lo:[0,1] neg_hi:[0,1]
  v_pk_add_f32 v[8:9], v[42:43], v[8:9] neg_lo:[0,1] neg_hi:[0,1]
  v_pk_add_f32 v[10:11], v[48:49], v[10:11] neg_lo:[0,1] neg_hi:[0,1]
  v_cvt_pk_bf16_f32 v0, v0, v1
  v_cvt_pk_bf16_f32 v1, v2, v3
  v_cvt_pk_bf16_f32 v2, v8, v9
  v_cvt_pk_bf16_f32 v3, v10, v11
  s_nop 1
  v_mfma_f32_16x16x32_bf16 v[20:23], v[0:3], v[4:7], v[20:23]
  v_mfma_f32_16x16x32_bf16 v[28:31], v[0:3], v[12:15], v[28:31]
  s_waitcnt lgkmcnt(4)
  s_nop 5
  v_pk_add_f32 v[0:1], v[22:23], v[34:35]
  v_pk_add_f32 v[2:3], v[20:21], v[32:33]
  v_cvt_pk_bf16_f32 v2, v2, v3
  v_cvt_pk_bf16_f32 v0, v0, v1
  buffer_store_short v2, v61, s[12:15], 0 offen
  buffer_store_short_d16_hi v2, v59, s[12:15], 0 offen
  buffer_store_short v0, v60, s[12:15], 0 offen
  buffer_store_short_d16_hi v0, v62, s[12:15], 0 offen
  s_waitcnt lgkmcnt(0)
  v_pk_add_f32 v[0:1], v[30:31], v[38:39]
  v_pk_add_f32 v[2:3], v[28:29], v[36:37]
  v_cvt_pk_bf16_f32 v2, v2, v3
  v_cvt_pk_bf16_f32 v0, v0, v1
  buffer_store_short v2, v63, s[12:15], 0 offen
  buffer_store_short_d16_hi v2, v64, s[12:15], 0 offen
  buffer_store_short v0, v65, s[12:15], 0 offen
  buffer_store_short_d16_hi v0, v66, s[12:15], 0 offen
.Ld38:
  s_mov_b64 exec, s[26:27]
.Ld3c:
  s_endpgm
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
  .long 0x00000012
  .long 0x00af0149
  .long 0x00000ba0
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
    .sgpr_count: 48
    .vgpr_count: 76
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 512
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .name: "arg0"
        .address_space: global
      - .offset: 8
        .size: 8
        .value_kind: global_buffer
        .name: "arg1"
        .address_space: global
      - .offset: 16
        .size: 8
        .value_kind: global_buffer
        .name: "arg2"
        .address_space: global
      - .offset: 24
        .size: 8
        .value_kind: global_buffer
        .name: "arg3"
        .address_space: global
      - .offset: 32
        .size: 8
        .value_kind: global_buffer
        .name: "arg4"
        .address_space: global
      - .offset: 40
        .size: 8
        .value_kind: global_buffer
        .name: "arg5"
        .address_space: global
      - .offset: 48
        .size: 8
        .value_kind: global_buffer
        .name: "arg6"
        .address_space: global
      - .offset: 56
        .size: 8
        .value_kind: global_buffer
        .name: "arg7"
        .address_space: global
      - .offset: 64
        .size: 8
        .value_kind: global_buffer
        .name: "arg8"
        .address_space: global
      - .offset: 72
        .size: 8
        .value_kind: global_buffer
        .name: "arg9"
        .address_space: global
      - .offset: 80
        .size: 8
        .value_kind: global_buffer
        .name: "arg10"
        .address_space: global
      - .offset: 88
        .size: 8
        .value_kind: global_buffer
        .name: "arg11"
        .address_space: global
      - .offset: 96
        .size: 8
        .value_kind: global_buffer
        .name: "arg12"
        .address_space: global
      - .offset: 104
        .size: 8
        .value_kind: global_buffer
        .name: "arg13"
        .address_space: global
      - .offset: 112
        .size: 8
        .value_kind: global_buffer
        .name: "arg14"
        .address_space: global
      - .offset: 120
        .size: 8
        .value_kind: global_buffer
        .name: "arg15"
        .address_space: global
.end_amdgpu_metadata
