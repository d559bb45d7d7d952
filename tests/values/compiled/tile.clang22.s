	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.protected	tile
	.globl	tile
	.p2align	8
	.type	tile,@function
tile:
	s_mov_b64 s[2:3], src_shared_base
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[12:13], s[0:1], 0x10
	s_cmp_lg_u32 0, -1
	v_lshlrev_b32_e32 v16, 4, v0
	v_mov_b32_e32 v17, 0
	s_cselect_b32 s9, s3, 0
	s_cselect_b32 s8, 0, 0
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[16:17]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[4:5], s[4:5], 0, v[16:17]
	v_readfirstlane_b32 s9, v3
	v_readfirstlane_b32 s8, v2
	s_cmp_lg_u64 s[8:9], 0
	s_cselect_b32 m0, s8, -1
	v_readfirstlane_b32 s8, v4
	s_add_i32 s2, 0, 0x1000
	v_readfirstlane_b32 s9, v5
	s_mov_b32 s11, 0x27000
	s_brev_b32 s10, -2
	v_subrev_u32_e32 v1, s8, v4
	s_cmp_lg_u32 s2, -1
	s_mov_b64 s[14:15], 0x10000
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	s_cselect_b32 s8, s2, 0
	s_cselect_b32 s9, s3, 0
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[16:17]
	v_lshl_add_u64 v[6:7], v[4:5], 0, s[14:15]
	v_readfirstlane_b32 s9, v3
	v_readfirstlane_b32 s8, v2
	s_cmp_lg_u64 s[8:9], 0
	s_cselect_b32 m0, s8, -1
	v_readfirstlane_b32 s8, v6
	s_add_i32 s2, 0, 0x2000
	v_readfirstlane_b32 s9, v7
	v_subrev_u32_e32 v1, s8, v6
	s_cmp_lg_u32 s2, -1
	s_mov_b64 s[16:17], 0x20000
	v_lshl_add_u64 v[6:7], v[4:5], 0, s[16:17]
	s_mov_b64 s[18:19], 0x30000
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	s_cselect_b32 s8, s2, 0
	s_cselect_b32 s9, s3, 0
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[16:17]
	v_lshl_add_u64 v[4:5], v[4:5], 0, s[18:19]
	v_readfirstlane_b32 s9, v3
	v_readfirstlane_b32 s8, v2
	s_cmp_lg_u64 s[8:9], 0
	s_cselect_b32 m0, s8, -1
	v_readfirstlane_b32 s8, v6
	s_add_i32 s2, 0, 0x3000
	v_readfirstlane_b32 s9, v7
	v_subrev_u32_e32 v1, s8, v6
	s_cmp_lg_u32 s2, -1
	s_load_dword s26, s[0:1], 0x18
	s_mov_b64 s[0:1], 0
	s_nop 0
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	s_cselect_b32 s8, s2, 0
	s_cselect_b32 s9, s3, 0
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[16:17]
	s_nop 0
	v_readfirstlane_b32 s9, v3
	v_readfirstlane_b32 s8, v2
	s_cmp_lg_u64 s[8:9], 0
	s_cselect_b32 m0, s8, -1
	v_readfirstlane_b32 s8, v4
	s_add_i32 s2, 0, 0x8000
	v_readfirstlane_b32 s9, v5
	v_subrev_u32_e32 v1, s8, v4
	s_cmp_lg_u32 s2, -1
	v_lshl_add_u64 v[4:5], s[6:7], 0, v[16:17]
	v_lshl_add_u64 v[6:7], v[4:5], 0, s[14:15]
	s_nop 0
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	s_cselect_b32 s8, s2, 0
	s_cselect_b32 s9, s3, 0
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[16:17]
	s_nop 0
	v_readfirstlane_b32 s9, v3
	v_readfirstlane_b32 s8, v2
	s_cmp_lg_u64 s[8:9], 0
	s_cselect_b32 m0, s8, -1
	v_readfirstlane_b32 s8, v4
	s_add_i32 s2, 0, 0x9000
	v_readfirstlane_b32 s9, v5
	v_subrev_u32_e32 v1, s8, v4
	s_cmp_lg_u32 s2, -1
	s_nop 2
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	s_cselect_b32 s8, s2, 0
	s_cselect_b32 s9, s3, 0
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[16:17]
	s_nop 0
	v_readfirstlane_b32 s9, v3
	v_readfirstlane_b32 s8, v2
	s_cmp_lg_u64 s[8:9], 0
	s_cselect_b32 m0, s8, -1
	v_readfirstlane_b32 s8, v6
	s_add_i32 s2, 0, 0xa000
	v_readfirstlane_b32 s9, v7
	v_subrev_u32_e32 v1, s8, v6
	s_cmp_lg_u32 s2, -1
	v_lshl_add_u64 v[6:7], v[4:5], 0, s[16:17]
	v_lshl_add_u64 v[4:5], v[4:5], 0, s[18:19]
	s_nop 0
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	s_cselect_b32 s8, s2, 0
	s_cselect_b32 s9, s3, 0
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[16:17]
	s_nop 0
	v_readfirstlane_b32 s9, v3
	v_readfirstlane_b32 s8, v2
	s_cmp_lg_u64 s[8:9], 0
	s_cselect_b32 m0, s8, -1
	s_add_i32 s2, 0, 0xb000
	s_cmp_lg_u32 s2, -1
	s_cselect_b32 s2, s2, 0
	s_cselect_b32 s3, s3, 0
	v_readfirstlane_b32 s8, v6
	v_lshl_add_u64 v[2:3], s[2:3], 0, v[16:17]
	v_readfirstlane_b32 s9, v7
	v_subrev_u32_e32 v1, s8, v6
	v_readfirstlane_b32 s3, v3
	v_readfirstlane_b32 s2, v2
	s_cmp_lg_u64 s[2:3], 0
	v_and_b32_e32 v2, 7, v0
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	v_readfirstlane_b32 s8, v4
	s_cselect_b32 m0, s2, -1
	v_readfirstlane_b32 s9, v5
	v_subrev_u32_e32 v1, s8, v4
	v_and_b32_e32 v5, 31, v0
	s_waitcnt lgkmcnt(0)
	s_cmp_gt_i32 s26, 1
	v_lshlrev_b32_e32 v18, 7, v5
	buffer_load_dwordx4 v1, s[8:11], 0 offen lds
	v_lshrrev_b32_e32 v1, 2, v0
	v_and_or_b32 v4, v1, 32, v5
	v_bfe_u32 v1, v0, 5, 1
	v_bitop3_b32 v3, v1, v0, 7 bitop3:0x78
	v_lshlrev_b32_e32 v0, 6, v0
	s_cbranch_scc1 .LBB0_3
	v_bitop3_b32 v5, v1, v2, 2 bitop3:0x36
	v_lshlrev_b32_e32 v22, 4, v5
	v_bitop3_b32 v5, v1, v2, 4 bitop3:0x36
	v_lshlrev_b32_e32 v21, 4, v5
	v_bitop3_b32 v5, v1, v2, 6 bitop3:0x36
	v_lshlrev_b32_e32 v19, 4, v3
	v_and_b32_e32 v23, 0x1000, v0
	v_lshlrev_b32_e32 v20, 4, v5
	s_add_i32 s26, s26, -1
	s_andn2_b64 vcc, exec, s[0:1]
	v_lshlrev_b32_e32 v24, 7, v4
	s_cbranch_vccz .LBB0_4
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v0, 0
	s_branch .LBB0_6
.LBB0_3:
	s_add_i32 s26, s26, -1
	v_lshlrev_b32_e32 v24, 7, v4
.LBB0_4:
	v_and_b32_e32 v23, 0x1000, v0
	v_bitop3_b32 v0, v1, v2, 2 bitop3:0x36
	v_lshlrev_b32_e32 v22, 4, v0
	v_bitop3_b32 v0, v1, v2, 4 bitop3:0x36
	v_lshlrev_b32_e32 v21, 4, v0
	v_bitop3_b32 v0, v1, v2, 6 bitop3:0x36
	s_mov_b64 s[8:9], src_shared_base
	v_add_u32_e32 v25, 0, v24
	v_lshlrev_b32_e32 v19, 4, v3
	v_add3_u32 v26, 0, v23, v18
	v_lshlrev_b32_e32 v20, 4, v0
	s_movk_i32 s27, 0x80
	s_movk_i32 s28, 0x4000
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_mov_b64 s[10:11], 0x10000
	s_mov_b64 s[14:15], 0x20000
	s_mov_b64 s[16:17], 0x30000
	s_mov_b32 s29, s26
.LBB0_5:
	s_and_b32 s0, s28, 0x4000
	s_add_i32 s8, s0, 0
	v_lshl_add_u64 v[28:29], s[8:9], 0, v[16:17]
	s_add_u32 s0, s4, s27
	s_addc_u32 s1, s5, 0
	v_readfirstlane_b32 s37, v29
	v_readfirstlane_b32 s36, v28
	v_lshl_add_u64 v[28:29], s[0:1], 0, v[16:17]
	s_cmp_lg_u64 s[36:37], 0
	s_mov_b32 s19, s9
	s_cselect_b32 m0, s36, -1
	v_readfirstlane_b32 s0, v28
	s_add_i32 s18, s8, 0x1000
	v_readfirstlane_b32 s1, v29
	v_lshl_add_u64 v[30:31], v[28:29], 0, s[10:11]
	v_lshl_add_u64 v[32:33], v[28:29], 0, s[14:15]
	v_lshl_add_u64 v[34:35], v[28:29], 0, s[16:17]
	v_subrev_u32_e32 v27, s0, v28
	v_lshl_add_u64 v[28:29], s[18:19], 0, v[16:17]
	s_mov_b32 s21, s9
	v_readfirstlane_b32 s19, v29
	v_readfirstlane_b32 s18, v28
	s_cmp_lg_u64 s[18:19], 0
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	s_cselect_b32 m0, s18, -1
	s_add_i32 s20, s8, 0x2000
	v_lshl_add_u64 v[28:29], s[20:21], 0, v[16:17]
	v_readfirstlane_b32 s0, v30
	v_readfirstlane_b32 s19, v29
	v_readfirstlane_b32 s18, v28
	v_readfirstlane_b32 s1, v31
	v_subrev_u32_e32 v27, s0, v30
	s_cmp_lg_u64 s[18:19], 0
	s_mov_b32 s25, s9
	s_mov_b32 s31, s9
	s_mov_b32 s23, s9
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	s_cselect_b32 m0, s18, -1
	s_add_i32 s24, s8, 0x3000
	v_readfirstlane_b32 s0, v32
	v_lshl_add_u64 v[28:29], s[24:25], 0, v[16:17]
	v_readfirstlane_b32 s1, v33
	v_subrev_u32_e32 v27, s0, v32
	v_readfirstlane_b32 s19, v29
	v_readfirstlane_b32 s18, v28
	s_cmp_lg_u64 s[18:19], 0
	s_mov_b32 s35, s9
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	v_readfirstlane_b32 s0, v34
	v_readfirstlane_b32 s1, v35
	s_cselect_b32 m0, s18, -1
	v_subrev_u32_e32 v27, s0, v34
	s_add_i32 s30, s8, 0x8000
	v_lshl_add_u64 v[28:29], s[30:31], 0, v[16:17]
	s_nop 0
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	s_add_u32 s0, s6, s27
	s_addc_u32 s1, s7, 0
	v_readfirstlane_b32 s19, v29
	v_readfirstlane_b32 s18, v28
	v_lshl_add_u64 v[28:29], s[0:1], 0, v[16:17]
	s_cmp_lg_u64 s[18:19], 0
	s_cselect_b32 m0, s18, -1
	v_readfirstlane_b32 s0, v28
	s_add_i32 s22, s8, 0x9000
	v_readfirstlane_b32 s1, v29
	v_lshl_add_u64 v[30:31], v[28:29], 0, s[10:11]
	v_lshl_add_u64 v[32:33], v[28:29], 0, s[14:15]
	v_lshl_add_u64 v[34:35], v[28:29], 0, s[16:17]
	v_subrev_u32_e32 v27, s0, v28
	v_lshl_add_u64 v[28:29], s[22:23], 0, v[16:17]
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	v_readfirstlane_b32 s19, v29
	v_readfirstlane_b32 s18, v28
	s_cmp_lg_u64 s[18:19], 0
	s_cselect_b32 m0, s18, -1
	s_add_i32 s34, s8, 0xa000
	v_lshl_add_u64 v[28:29], s[34:35], 0, v[16:17]
	v_readfirstlane_b32 s0, v30
	v_readfirstlane_b32 s19, v29
	v_readfirstlane_b32 s18, v28
	v_readfirstlane_b32 s1, v31
	v_subrev_u32_e32 v27, s0, v30
	s_cmp_lg_u64 s[18:19], 0
	s_nop 2
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	s_cselect_b32 m0, s18, -1
	s_add_i32 s8, s8, 0xb000
	v_readfirstlane_b32 s0, v32
	v_lshl_add_u64 v[28:29], s[8:9], 0, v[16:17]
	v_readfirstlane_b32 s1, v33
	v_subrev_u32_e32 v27, s0, v32
	v_readfirstlane_b32 s19, v29
	v_readfirstlane_b32 s18, v28
	s_cmp_lg_u64 s[18:19], 0
	s_nop 0
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	v_readfirstlane_b32 s0, v34
	v_readfirstlane_b32 s1, v35
	s_cselect_b32 m0, s18, -1
	v_subrev_u32_e32 v27, s0, v34
	s_add_i32 s29, s29, -1
	s_addk_i32 s27, 0x80
	s_nop 0
	buffer_load_dwordx4 v27, s[0:3], 0 offen lds
	s_add_i32 s0, s28, 0xffffc000
	s_and_b32 s0, s0, 0x4000
	v_add_u32_e32 v27, s0, v25
	v_add_u32_e32 v28, s0, v26
	v_add_u32_e32 v29, v27, v19
	s_waitcnt vmcnt(8)
	s_barrier
	v_add_u32_e32 v30, v28, v19
	ds_read_b128 v[34:37], v29
	ds_read_b128 v[38:41], v30 offset:32768
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[34:37], v[38:41], v[0:15]
	v_add_u32_e32 v31, v27, v22
	v_add_u32_e32 v32, v28, v22
	ds_read_b128 v[34:37], v31
	ds_read_b128 v[38:41], v32 offset:32768
	v_add_u32_e32 v33, v27, v21
	ds_read_b128 v[30:33], v33
	v_add_u32_e32 v29, v28, v21
	v_add_u32_e32 v27, v27, v20
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[34:37], v[38:41], v[0:15]
	ds_read_b128 v[34:37], v29 offset:32768
	s_addk_i32 s28, 0x4000
	s_cmp_eq_u32 s29, 0
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[30:33], v[34:37], v[0:15]
	ds_read_b128 v[30:33], v27
	v_add_u32_e32 v27, v28, v20
	ds_read_b128 v[34:37], v27 offset:32768
	s_barrier
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[30:33], v[34:37], v[0:15]
	s_cbranch_scc0 .LBB0_5
.LBB0_6:
	s_lshl_b32 s0, s26, 14
	s_and_b32 s0, s0, 0x4000
	s_add_i32 s0, s0, 0
	v_add_u32_e32 v17, s0, v24
	v_add_u32_e32 v24, v17, v19
	s_waitcnt vmcnt(0)
	s_barrier
	ds_read_b128 v[24:27], v24
	v_add3_u32 v18, s0, v23, v18
	v_add_u32_e32 v19, v18, v19
	ds_read_b128 v[28:31], v19 offset:32768
	v_add_u32_e32 v19, v17, v22
	v_lshlrev_b32_e32 v16, 2, v16
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[24:27], v[28:31], v[0:15]
	ds_read_b128 v[24:27], v19
	v_add_u32_e32 v19, v18, v22
	ds_read_b128 v[28:31], v19 offset:32768
	v_add_u32_e32 v19, v17, v21
	v_add_u32_e32 v17, v17, v20
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[24:27], v[28:31], v[0:15]
	ds_read_b128 v[22:25], v19
	v_add_u32_e32 v19, v18, v21
	ds_read_b128 v[26:29], v19 offset:32768
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[22:25], v[26:29], v[0:15]
	ds_read_b128 v[22:25], v17
	v_add_u32_e32 v17, v18, v20
	ds_read_b128 v[18:21], v17 offset:32768
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_bf16 v[0:15], v[22:25], v[18:21], v[0:15]
	s_nop 11
	global_store_dwordx4 v16, v[0:3], s[12:13]
	global_store_dwordx4 v16, v[4:7], s[12:13] offset:16
	global_store_dwordx4 v16, v[8:11], s[12:13] offset:32
	global_store_dwordx4 v16, v[12:15], s[12:13] offset:48
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel tile
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 28
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 42
		.amdhsa_next_free_sgpr 38
		.amdhsa_accum_offset 44
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	tile, .Lfunc_end0-tile
	.set tile.num_vgpr, 42
	.set tile.num_agpr, 0
	.set tile.numbered_sgpr, 38
	.set tile.num_named_barrier, 0
	.set tile.private_seg_size, 0
	.set tile.uses_vcc, 1
	.set tile.uses_flat_scratch, 0
	.set tile.has_dyn_sized_stack, 0
	.set tile.has_recursion, 0
	.set tile.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.section	.bss,"aw",@nobits
	.byte	0
	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 28
    .max_flat_workgroup_size: 256
    .name:           tile
    .private_segment_fixed_size: 0
    .sgpr_count:     44
    .sgpr_spill_count: 0
    .symbol:         tile.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     42
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
