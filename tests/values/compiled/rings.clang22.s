	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	dbuf
	.globl	dbuf
	.p2align	8
	.type	dbuf,@function
dbuf:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_readfirstlane_b32 s9, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s9, 2
	s_and_b32 s4, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v1, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v1, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1000
	s_add_i32 m0, s4, 0x1000
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1400
	s_add_i32 m0, s4, 0x1400
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1800
	s_add_i32 m0, s4, 0x1800
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1c00
	s_add_i32 m0, s4, 0x1c00
	s_cmp_lt_i32 s8, 2
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_cbranch_scc1 .LBB0_4
	v_lshlrev_b32_e32 v6, 3, v0
	v_and_b32_e32 v0, 0xf8, v6
	v_add_u32_e32 v2, 37, v6
	v_add_u32_e32 v3, 0x4a, v6
	v_add_u32_e32 v4, 0x6f, v6
	v_add_u32_e32 v5, 0x94, v6
	v_add_u32_e32 v7, 0xb9, v6
	v_add_u32_e32 v6, 0xde, v6
	v_and_b32_e32 v2, 0xfd, v2
	v_and_b32_e32 v3, 0xfa, v3
	v_and_b32_e32 v4, 0xff, v4
	v_and_b32_e32 v5, 0xfc, v5
	v_and_b32_e32 v7, 0xf9, v7
	v_and_b32_e32 v8, 0xfe, v6
	s_mov_b32 s5, 1
	s_movk_i32 s9, 0x3c00
	v_mov_b32_e32 v6, 0
.LBB0_2:
	s_and_b32 s10, s5, 1
	s_lshl_b32 s10, s10, 13
	s_add_i32 s10, s4, s10
	s_add_i32 s11, s9, 0xffffe400
	s_mov_b32 m0, s10
	s_add_i32 s12, s9, 0xffffe800
	buffer_load_dword v1, s[0:3], s11 offen lds
	s_add_i32 m0, s10, 0x400
	s_add_i32 s13, s9, 0xffffec00
	buffer_load_dword v1, s[0:3], s12 offen lds
	s_add_i32 m0, s10, 0x800
	s_add_i32 s14, s9, 0xfffff000
	buffer_load_dword v1, s[0:3], s13 offen lds
	s_add_i32 m0, s10, 0xc00
	s_add_i32 s15, s9, 0xfffff400
	buffer_load_dword v1, s[0:3], s14 offen lds
	s_add_i32 m0, s10, 0x1000
	s_add_i32 s16, s9, 0xfffff800
	buffer_load_dword v1, s[0:3], s15 offen lds
	s_add_i32 m0, s10, 0x1400
	s_add_i32 s17, s9, 0xfffffc00
	buffer_load_dword v1, s[0:3], s16 offen lds
	s_add_i32 m0, s10, 0x1800
	s_nop 0
	buffer_load_dword v1, s[0:3], s17 offen lds
	s_add_i32 m0, s10, 0x1c00
	s_add_i32 s10, s5, -1
	buffer_load_dword v1, s[0:3], s9 offen lds
	s_and_b32 s10, s10, 1
	s_lshl_b32 s10, s10, 13
	v_lshl_or_b32 v9, v0, 2, s10
	v_lshl_or_b32 v10, v2, 2, s10
	v_lshl_or_b32 v11, v3, 2, s10
	v_lshl_or_b32 v12, v4, 2, s10
	v_lshl_or_b32 v13, v5, 2, s10
	v_lshl_or_b32 v14, v7, 2, s10
	v_lshl_or_b32 v15, v8, 2, s10
	s_waitcnt vmcnt(8)
	s_barrier
	ds_read_b32 v16, v9
	ds_read_b32 v10, v10 offset:1024
	ds_read_b32 v11, v11 offset:2048
	ds_read_b32 v12, v12 offset:3072
	ds_read_b32 v13, v13 offset:4096
	ds_read_b32 v14, v14 offset:5120
	ds_read_b32 v15, v15 offset:6144
	ds_read_b32 v9, v9 offset:7180
	s_waitcnt lgkmcnt(7)
	v_add_f32_e32 v6, v6, v16
	s_waitcnt lgkmcnt(6)
	v_add_f32_e32 v6, v6, v10
	s_waitcnt lgkmcnt(5)
	v_add_f32_e32 v6, v6, v11
	s_waitcnt lgkmcnt(4)
	v_add_f32_e32 v6, v6, v12
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v6, v6, v13
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v6, v6, v14
	s_add_i32 s5, s5, 1
	s_addk_i32 s9, 0x2000
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v6, v6, v15
	s_cmp_eq_u32 s8, s5
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v6, v6, v9
	s_barrier
	s_cbranch_scc0 .LBB0_2
	global_store_dword v1, v6, s[6:7]
	s_endpgm
.LBB0_4:
	v_mov_b32_e32 v6, 0
	global_store_dword v1, v6, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel dbuf
		.amdhsa_group_segment_fixed_size 16384
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 97
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 20
		.amdhsa_reserve_vcc 0
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
	.size	dbuf, .Lfunc_end0-dbuf
	.set dbuf.num_vgpr, 17
	.set dbuf.num_agpr, 0
	.set dbuf.numbered_sgpr, 18
	.set dbuf.num_named_barrier, 0
	.set dbuf.private_seg_size, 0
	.set dbuf.uses_vcc, 0
	.set dbuf.uses_flat_scratch, 0
	.set dbuf.has_dyn_sized_stack, 0
	.set dbuf.has_recursion, 0
	.set dbuf.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	ring3
	.globl	ring3
	.p2align	8
	.type	ring3,@function
ring3:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s9, s[0:1], 0x10
	v_readfirstlane_b32 s8, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s8, 2
	s_and_b32 s4, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v1, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v1, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_mov_b32 s8, 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1000
	s_add_i32 m0, s4, 0x1000
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1400
	s_add_i32 m0, s4, 0x1400
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1800
	s_add_i32 m0, s4, 0x1800
	s_nop 0
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1c00
	s_add_i32 m0, s4, 0x1c00
	s_cmp_lt_i32 s9, 3
	buffer_load_dword v1, s[0:3], s5 offen lds
	s_mov_b32 s5, 2
	s_cbranch_scc1 .LBB1_4
	v_lshlrev_b16_e32 v4, 2, v0
	v_lshlrev_b16_e32 v3, 1, v0
	v_add_u16_e32 v2, 0x6c, v4
	v_add_u16_e32 v3, 36, v3
	v_add_u16_e32 v4, 36, v4
	v_and_b32_e32 v2, 0xfc, v2
	v_and_b32_e32 v3, 0x7e, v3
	v_and_b32_e32 v4, 0xfc, v4
	v_and_b32_e32 v0, 63, v0
	s_add_i32 s9, s9, -2
	v_lshlrev_b32_e32 v2, 2, v2
	v_lshlrev_b32_e32 v3, 3, v3
	v_lshlrev_b32_e32 v4, 2, v4
	v_lshlrev_b32_e32 v5, 4, v0
	s_movk_i32 s10, 0x2c00
	v_mov_b32_e32 v0, 0
.LBB1_2:
	s_mul_hi_u32 s11, s5, 0xaaaaaaab
	s_lshr_b32 s11, s11, 1
	s_mulk_i32 s11, 0xd000
	s_add_i32 s11, s4, s11
	s_add_i32 s11, s11, s10
	s_add_i32 s12, s10, 0xfffff400
	s_add_i32 m0, s11, 0xfffff400
	s_add_i32 s13, s10, 0xfffff800
	buffer_load_dword v1, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0xfffff800
	s_add_i32 s14, s10, 0xfffffc00
	buffer_load_dword v1, s[0:3], s13 offen lds
	s_add_i32 m0, s11, 0xfffffc00
	s_add_i32 s9, s9, -1
	buffer_load_dword v1, s[0:3], s14 offen lds
	s_mov_b32 m0, s11
	s_mul_hi_u32 s11, s8, 0xaaaaaaab
	buffer_load_dword v1, s[0:3], s10 offen lds
	s_lshr_b32 s11, s11, 1
	s_mulk_i32 s11, 0xd000
	s_add_i32 s11, s10, s11
	v_add_u32_e32 v6, s11, v5
	v_add_u32_e32 v7, s11, v4
	v_add_u32_e32 v8, s11, v3
	v_add_u32_e32 v9, s11, v2
	v_add_u32_e32 v6, 0xffffd400, v6
	v_add_u32_e32 v7, 0xffffd804, v7
	v_add_u32_e32 v8, 0xffffdc08, v8
	v_add_u32_e32 v9, 0xffffe00c, v9
	s_waitcnt vmcnt(8)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7
	ds_read_b32 v8, v8
	ds_read_b32 v9, v9
	s_add_i32 s8, s8, 1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v0, v0, v6
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v0, v0, v7
	s_add_i32 s5, s5, 1
	s_addk_i32 s10, 0x1000
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v0, v0, v8
	s_cmp_eq_u32 s9, 0
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v9
	s_barrier
	s_cbranch_scc0 .LBB1_2
	global_store_dword v1, v0, s[6:7]
	s_endpgm
.LBB1_4:
	v_mov_b32_e32 v0, 0
	global_store_dword v1, v0, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel ring3
		.amdhsa_group_segment_fixed_size 12288
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 81
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end1:
	.size	ring3, .Lfunc_end1-ring3
	.set ring3.num_vgpr, 10
	.set ring3.num_agpr, 0
	.set ring3.numbered_sgpr, 15
	.set ring3.num_named_barrier, 0
	.set ring3.private_seg_size, 0
	.set ring3.uses_vcc, 0
	.set ring3.uses_flat_scratch, 0
	.set ring3.has_dyn_sized_stack, 0
	.set ring3.has_recursion, 0
	.set ring3.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	ring3c
	.globl	ring3c
	.p2align	8
	.type	ring3c,@function
ring3c:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s9, s[0:1], 0x10
	v_readfirstlane_b32 s8, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s8, 2
	s_and_b32 s4, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v0, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v0, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_mov_b32 s8, 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1000
	s_add_i32 m0, s4, 0x1000
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1400
	s_add_i32 m0, s4, 0x1400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1800
	s_add_i32 m0, s4, 0x1800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1c00
	s_add_i32 m0, s4, 0x1c00
	s_cmp_lt_i32 s9, 3
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_mov_b32 s5, 2
	s_cbranch_scc1 .LBB2_4
	v_add_u32_e32 v1, 37, v0
	v_and_b32_e32 v3, 0xfd, v1
	v_add_u32_e32 v1, 0x4a, v0
	v_and_b32_e32 v4, 0xfe, v1
	v_add_u32_e32 v1, 0x6f, v0
	v_and_b32_e32 v2, 0xfc, v0
	v_and_b32_e32 v5, 0xff, v1
	s_add_i32 s9, s9, -2
	s_movk_i32 s10, 0x2000
	v_mov_b32_e32 v1, 0
.LBB2_2:
	s_lshl_b32 s11, s5, 12
	s_add_i32 s11, s4, s11
	s_mov_b32 m0, s11
	s_add_i32 s12, s10, 0x400
	buffer_load_dword v0, s[0:3], s10 offen lds
	s_add_i32 m0, s11, 0x400
	s_add_i32 s13, s10, 0x800
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0x800
	s_add_i32 s14, s10, 0xc00
	buffer_load_dword v0, s[0:3], s13 offen lds
	s_add_i32 m0, s11, 0xc00
	s_lshl_b32 s11, s8, 12
	buffer_load_dword v0, s[0:3], s14 offen lds
	v_lshl_or_b32 v6, v2, 2, s11
	v_lshl_or_b32 v7, v3, 2, s11
	v_lshl_or_b32 v8, v4, 2, s11
	v_lshl_or_b32 v9, v5, 2, s11
	s_add_i32 s12, s8, 1
	s_waitcnt vmcnt(8)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7 offset:1024
	ds_read_b32 v8, v8 offset:2048
	ds_read_b32 v9, v9 offset:3072
	s_cmp_lg_u32 s8, 2
	s_cselect_b32 s8, s12, 0
	s_add_i32 s11, s5, 1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v1, v1, v6
	s_cmp_lg_u32 s5, 2
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v1, v1, v7
	s_cselect_b32 s5, s11, 0
	s_add_i32 s9, s9, -1
	s_addk_i32 s10, 0x1000
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v1, v1, v8
	s_cmp_eq_u32 s9, 0
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v9
	s_barrier
	s_cbranch_scc0 .LBB2_2
	global_store_dword v0, v1, s[6:7]
	s_endpgm
.LBB2_4:
	v_mov_b32_e32 v1, 0
	global_store_dword v0, v1, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel ring3c
		.amdhsa_group_segment_fixed_size 12288
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 81
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end2:
	.size	ring3c, .Lfunc_end2-ring3c
	.set ring3c.num_vgpr, 10
	.set ring3c.num_agpr, 0
	.set ring3c.numbered_sgpr, 15
	.set ring3c.num_named_barrier, 0
	.set ring3c.private_seg_size, 0
	.set ring3c.uses_vcc, 0
	.set ring3c.uses_flat_scratch, 0
	.set ring3c.has_dyn_sized_stack, 0
	.set ring3c.has_recursion, 0
	.set ring3c.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	swp
	.globl	swp
	.p2align	8
	.type	swp,@function
swp:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s9, s[0:1], 0x10
	v_readfirstlane_b32 s8, v0
	s_andn2_b32 s8, s8, 63
	s_mov_b32 s3, 0x27000
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s8, 2
	s_and_b32 s1, s5, 0xffff
	s_brev_b32 s2, -2
	v_lshlrev_b32_e32 v0, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v0, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_cmp_lt_i32 s9, 2
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_mov_b32 s4, 0
	s_cbranch_scc1 .LBB3_4
	v_add_u32_e32 v2, 37, v0
	v_and_b32_e32 v3, 0xfd, v2
	v_add_u32_e32 v2, 0x4a, v0
	v_and_b32_e32 v4, 0xfe, v2
	v_add_u32_e32 v2, 0x6f, v0
	v_and_b32_e32 v1, 0xfc, v0
	v_and_b32_e32 v5, 0xff, v2
	s_add_i32 s5, s9, -1
	s_movk_i32 s10, 0x1000
	s_movk_i32 s9, 0x1c00
	v_mov_b32_e32 v2, 0
.LBB3_2:
	s_mov_b32 s11, s10
	s_lshl2_add_u32 s14, s8, s11
	s_add_i32 s10, s9, 0xfffff400
	s_mov_b32 m0, s14
	s_add_i32 s12, s9, 0xfffff800
	buffer_load_dword v0, s[0:3], s10 offen lds
	s_add_i32 m0, s14, 0x400
	s_add_i32 s13, s9, 0xfffffc00
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s14, 0x800
	v_lshl_add_u32 v6, v1, 2, s4
	buffer_load_dword v0, s[0:3], s13 offen lds
	s_add_i32 m0, s14, 0xc00
	v_lshl_add_u32 v7, v3, 2, s4
	buffer_load_dword v0, s[0:3], s9 offen lds
	v_lshl_add_u32 v8, v4, 2, s4
	v_lshl_add_u32 v9, v5, 2, s4
	s_waitcnt vmcnt(4)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7 offset:1024
	ds_read_b32 v8, v8 offset:2048
	ds_read_b32 v9, v9 offset:3072
	s_add_i32 s5, s5, -1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v2, v2, v6
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v2, v2, v7
	s_addk_i32 s9, 0x1000
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v2, v2, v8
	s_mov_b32 s10, s4
	s_mov_b32 s4, s11
	s_cmp_eq_u32 s5, 0
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v9
	s_barrier
	s_cbranch_scc0 .LBB3_2
	global_store_dword v0, v2, s[6:7]
	s_endpgm
.LBB3_4:
	v_mov_b32_e32 v2, 0
	global_store_dword v0, v2, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel swp
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 15
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end3:
	.size	swp, .Lfunc_end3-swp
	.set swp.num_vgpr, 10
	.set swp.num_agpr, 0
	.set swp.numbered_sgpr, 15
	.set swp.num_named_barrier, 0
	.set swp.private_seg_size, 0
	.set swp.uses_vcc, 0
	.set swp.uses_flat_scratch, 0
	.set swp.has_dyn_sized_stack, 0
	.set swp.has_recursion, 0
	.set swp.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	tog
	.globl	tog
	.p2align	8
	.type	tog,@function
tog:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_readfirstlane_b32 s9, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s9, 2
	s_and_b32 s4, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v0, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v0, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_mov_b32 s9, 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_cmp_lt_i32 s8, 2
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_cbranch_scc1 .LBB4_4
	v_add_u32_e32 v1, 37, v0
	v_and_b32_e32 v3, 0xfd, v1
	v_add_u32_e32 v1, 0x4a, v0
	v_and_b32_e32 v4, 0xfe, v1
	v_add_u32_e32 v1, 0x6f, v0
	v_and_b32_e32 v2, 0xfc, v0
	v_and_b32_e32 v5, 0xff, v1
	s_add_i32 s5, s8, -1
	s_movk_i32 s8, 0x1c00
	v_mov_b32_e32 v1, 0
.LBB4_2:
	s_xor_b32 s10, s9, 0x400
	s_lshl2_add_u32 s14, s10, s4
	s_add_i32 s11, s8, 0xfffff400
	s_mov_b32 m0, s14
	s_add_i32 s12, s8, 0xfffff800
	buffer_load_dword v0, s[0:3], s11 offen lds
	s_add_i32 m0, s14, 0x400
	s_add_i32 s13, s8, 0xfffffc00
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s14, 0x800
	s_lshl_b32 s9, s9, 2
	buffer_load_dword v0, s[0:3], s13 offen lds
	s_add_i32 m0, s14, 0xc00
	v_lshl_add_u32 v6, v2, 2, s9
	buffer_load_dword v0, s[0:3], s8 offen lds
	v_lshl_add_u32 v7, v3, 2, s9
	v_lshl_add_u32 v8, v4, 2, s9
	v_lshl_add_u32 v9, v5, 2, s9
	s_waitcnt vmcnt(4)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7 offset:1024
	ds_read_b32 v8, v8 offset:2048
	ds_read_b32 v9, v9 offset:3072
	s_add_i32 s5, s5, -1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v1, v1, v6
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v1, v1, v7
	s_addk_i32 s8, 0x1000
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v1, v1, v8
	s_mov_b32 s9, s10
	s_cmp_eq_u32 s5, 0
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v9
	s_barrier
	s_cbranch_scc0 .LBB4_2
	global_store_dword v0, v1, s[6:7]
	s_endpgm
.LBB4_4:
	v_mov_b32_e32 v1, 0
	global_store_dword v0, v1, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel tog
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 15
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end4:
	.size	tog, .Lfunc_end4-tog
	.set tog.num_vgpr, 10
	.set tog.num_agpr, 0
	.set tog.numbered_sgpr, 15
	.set tog.num_named_barrier, 0
	.set tog.private_seg_size, 0
	.set tog.uses_vcc, 0
	.set tog.uses_flat_scratch, 0
	.set tog.has_dyn_sized_stack, 0
	.set tog.has_recursion, 0
	.set tog.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	two
	.globl	two
	.p2align	8
	.type	two,@function
two:
	s_load_dword s15, s[0:1], 0x10
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_readfirstlane_b32 s8, v0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s15, 2
	s_cbranch_scc1 .LBB5_4
	v_add_u32_e32 v2, 37, v1
	v_add_u32_e32 v4, 0x4a, v1
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s8, 2
	v_and_b32_e32 v2, 0xfd, v2
	v_and_b32_e32 v4, 0xfe, v4
	v_add_u32_e32 v6, 0x6f, v1
	v_mov_b32_e32 v7, 2
	s_and_b32 s4, s4, 0xffffff00
	v_lshlrev_b32_e32 v0, 4, v0
	v_lshlrev_b32_e32 v2, 2, v2
	v_lshlrev_b32_e32 v4, 2, v4
	v_lshlrev_b32_sdwa v6, v7, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	s_and_b32 s1, s5, 0xffff
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_add_i32 s5, s4, 0x1000
	v_and_b32_e32 v0, 0x3f0, v0
	s_add_i32 s8, s4, 0x400
	s_add_i32 s9, s4, 0x800
	s_movk_i32 s10, 0xc00
	s_add_i32 s11, s4, 0xc00
	v_or_b32_e32 v3, 0x1000, v2
	v_or_b32_e32 v5, 0x1000, v4
	v_or_b32_e32 v7, 0x1000, v6
	s_add_i32 s12, s4, 0x1400
	s_add_i32 s13, s4, 0x1800
	s_add_i32 s14, s4, 0x1c00
	s_add_i32 s15, s15, -1
	v_mov_b32_e32 v8, 0
.LBB5_2:
	s_mov_b32 m0, s4
	s_add_i32 s16, s10, 0xfffff400
	s_add_i32 s17, s10, 0xfffff800
	buffer_load_dword v1, s[0:3], s16 offen lds
	s_mov_b32 m0, s8
	s_add_i32 s18, s10, 0xfffffc00
	buffer_load_dword v1, s[0:3], s17 offen lds
	s_mov_b32 m0, s9
	s_waitcnt vmcnt(2)
	ds_read_b32 v9, v0 offset:4096
	ds_read_b32 v10, v3 offset:1024
	ds_read_b32 v11, v5 offset:2048
	ds_read_b32 v12, v7 offset:3072
	buffer_load_dword v1, s[0:3], s18 offen lds
	s_mov_b32 m0, s11
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v8, v8, v9
	buffer_load_dword v1, s[0:3], s10 offen lds
	s_mov_b32 m0, s5
	s_barrier
	buffer_load_dword v1, s[0:3], s16 offen lds
	s_mov_b32 m0, s12
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v8, v8, v10
	buffer_load_dword v1, s[0:3], s17 offen lds
	s_mov_b32 m0, s13
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v8, v8, v11
	buffer_load_dword v1, s[0:3], s18 offen lds
	s_mov_b32 m0, s14
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v8, v8, v12
	buffer_load_dword v1, s[0:3], s10 offen lds
	s_waitcnt vmcnt(4)
	s_barrier
	s_waitcnt vmcnt(4)
	ds_read_b32 v9, v0
	ds_read_b32 v10, v2 offset:1024
	ds_read_b32 v11, v4 offset:2048
	ds_read_b32 v12, v6 offset:3072
	s_add_i32 s15, s15, -1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v8, v8, v9
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v8, v8, v10
	s_addk_i32 s10, 0x1000
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v8, v8, v11
	s_cmp_lg_u32 s15, 0
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v8, v8, v12
	s_barrier
	s_cbranch_scc1 .LBB5_2
	global_store_dword v1, v8, s[6:7]
	s_endpgm
.LBB5_4:
	v_mov_b32_e32 v8, 0
	global_store_dword v1, v8, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel two
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 13
		.amdhsa_next_free_sgpr 19
		.amdhsa_accum_offset 16
		.amdhsa_reserve_vcc 0
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
.Lfunc_end5:
	.size	two, .Lfunc_end5-two
	.set two.num_vgpr, 13
	.set two.num_agpr, 0
	.set two.numbered_sgpr, 19
	.set two.num_named_barrier, 0
	.set two.private_seg_size, 0
	.set two.uses_vcc, 0
	.set two.uses_flat_scratch, 0
	.set two.has_dyn_sized_stack, 0
	.set two.has_recursion, 0
	.set two.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	st2
	.globl	st2
	.p2align	8
	.type	st2,@function
st2:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_readfirstlane_b32 s9, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s9, 2
	s_and_b32 s9, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v0, 2, v0
	s_add_i32 s5, s9, 0x400
	s_mov_b32 m0, s9
	s_movk_i32 s4, 0x400
	s_add_i32 s11, s9, 0x800
	buffer_load_dword v0, s[0:3], 0 offen lds
	s_mov_b32 m0, s5
	s_movk_i32 s10, 0x800
	s_add_i32 s13, s9, 0xc00
	buffer_load_dword v0, s[0:3], s4 offen lds
	s_mov_b32 m0, s11
	s_movk_i32 s12, 0xc00
	buffer_load_dword v0, s[0:3], s10 offen lds
	s_mov_b32 m0, s13
	s_cmp_lt_i32 s8, 1
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_mov_b32 s12, 0
	s_cbranch_scc1 .LBB6_8
	v_add_u32_e32 v1, 37, v0
	v_and_b32_e32 v3, 0xfd, v1
	v_add_u32_e32 v1, 0x4a, v0
	v_and_b32_e32 v4, 0xfe, v1
	v_add_u32_e32 v1, 0x6f, v0
	v_and_b32_e32 v2, 0xfc, v0
	v_and_b32_e32 v5, 0xff, v1
	s_movk_i32 s10, 0x1c00
	v_mov_b32_e32 v1, 0
	s_mov_b32 s11, 0
	s_branch .LBB6_3
.LBB6_2:
	s_lshl_b32 s4, s12, 12
	v_lshl_or_b32 v6, v2, 2, s4
	v_lshl_or_b32 v7, v3, 2, s4
	v_lshl_or_b32 v8, v4, 2, s4
	v_lshl_or_b32 v9, v5, 2, s4
	s_waitcnt vmcnt(4)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7 offset:1024
	ds_read_b32 v8, v8 offset:2048
	ds_read_b32 v9, v9 offset:3072
	s_addk_i32 s10, 0x1000
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v1, v1, v6
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v1, v1, v7
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v1, v1, v8
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v9
	s_cmp_lg_u32 s8, s11
	s_mov_b32 s12, s13
	s_barrier
	s_cbranch_scc0 .LBB6_7
.LBB6_3:
	s_add_i32 s11, s11, 1
	s_cmp_lt_i32 s11, s8
	s_mov_b64 s[4:5], -1
	s_cbranch_scc1 .LBB6_5
	s_xor_b32 s13, s12, 1
	s_mov_b64 s[4:5], 0
.LBB6_5:
	s_andn2_b64 vcc, exec, s[4:5]
	s_cbranch_vccnz .LBB6_2
	s_xor_b32 s13, s12, 1
	s_lshl_b32 s5, s13, 12
	s_add_i32 s5, s9, s5
	s_add_i32 s4, s10, 0xfffff400
	s_add_i32 s18, s5, 0x400
	s_mov_b32 m0, s5
	s_add_i32 s16, s5, 0x800
	s_add_i32 s17, s10, 0xfffff800
	buffer_load_dword v0, s[0:3], s4 offen lds
	s_mov_b32 m0, s18
	s_add_i32 s14, s5, 0xc00
	s_add_i32 s15, s10, 0xfffffc00
	buffer_load_dword v0, s[0:3], s17 offen lds
	s_mov_b32 m0, s16
	s_nop 0
	buffer_load_dword v0, s[0:3], s15 offen lds
	s_mov_b32 m0, s14
	s_nop 0
	buffer_load_dword v0, s[0:3], s10 offen lds
	s_branch .LBB6_2
.LBB6_7:
	global_store_dword v0, v1, s[6:7]
	s_endpgm
.LBB6_8:
	v_mov_b32_e32 v1, 0
	global_store_dword v0, v1, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel st2
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 19
		.amdhsa_accum_offset 12
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
.Lfunc_end6:
	.size	st2, .Lfunc_end6-st2
	.set st2.num_vgpr, 10
	.set st2.num_agpr, 0
	.set st2.numbered_sgpr, 19
	.set st2.num_named_barrier, 0
	.set st2.private_seg_size, 0
	.set st2.uses_vcc, 1
	.set st2.uses_flat_scratch, 0
	.set st2.has_dyn_sized_stack, 0
	.set st2.has_recursion, 0
	.set st2.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	st3
	.globl	st3
	.p2align	8
	.type	st3,@function
st3:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_readfirstlane_b32 s9, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s9, 2
	s_and_b32 s4, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v0, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v0, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1000
	s_add_i32 m0, s4, 0x1000
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1400
	s_add_i32 m0, s4, 0x1400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1800
	s_add_i32 m0, s4, 0x1800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1c00
	s_add_i32 m0, s4, 0x1c00
	s_cmp_lt_i32 s8, 1
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_mov_b32 s5, 0
	s_cbranch_scc1 .LBB7_6
	v_add_u32_e32 v1, 37, v0
	v_and_b32_e32 v3, 0xfd, v1
	v_add_u32_e32 v1, 0x4a, v0
	v_and_b32_e32 v4, 0xfe, v1
	v_add_u32_e32 v1, 0x6f, v0
	v_and_b32_e32 v2, 0xfc, v0
	v_and_b32_e32 v5, 0xff, v1
	s_movk_i32 s9, 0x2c00
	v_mov_b32_e32 v1, 0
	s_mov_b32 s10, 0
	s_branch .LBB7_3
.LBB7_2:
	s_lshl_b32 s11, s10, 12
	v_lshl_or_b32 v6, v2, 2, s11
	v_lshl_or_b32 v7, v3, 2, s11
	v_lshl_or_b32 v8, v4, 2, s11
	v_lshl_or_b32 v9, v5, 2, s11
	s_waitcnt vmcnt(8)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7 offset:1024
	ds_read_b32 v8, v8 offset:2048
	ds_read_b32 v9, v9 offset:3072
	s_add_i32 s10, s10, 1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v1, v1, v6
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v1, v1, v7
	s_cmp_lg_u32 s10, 3
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v1, v1, v8
	s_cselect_b32 s10, s10, 0
	s_add_i32 s5, s5, 1
	s_addk_i32 s9, 0x1000
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v9
	s_cmp_lg_u32 s8, s5
	s_barrier
	s_cbranch_scc0 .LBB7_5
.LBB7_3:
	s_add_i32 s11, s5, 2
	s_cmp_ge_i32 s11, s8
	s_cbranch_scc1 .LBB7_2
	s_add_i32 s11, s10, 2
	s_mul_hi_u32 s12, s11, 0xaaaaaaab
	s_lshr_b32 s12, s12, 1
	s_mul_i32 s12, s12, 3
	s_sub_i32 s11, s11, s12
	s_lshl_b32 s11, s11, 12
	s_add_i32 s11, s4, s11
	s_add_i32 s12, s9, 0xfffff400
	s_mov_b32 m0, s11
	s_nop 0
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0x400
	s_add_i32 s12, s9, 0xfffff800
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0x800
	s_add_i32 s12, s9, 0xfffffc00
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0xc00
	s_nop 0
	buffer_load_dword v0, s[0:3], s9 offen lds
	s_branch .LBB7_2
.LBB7_5:
	global_store_dword v0, v1, s[6:7]
	s_endpgm
.LBB7_6:
	v_mov_b32_e32 v1, 0
	global_store_dword v0, v1, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel st3
		.amdhsa_group_segment_fixed_size 12288
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 81
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end7:
	.size	st3, .Lfunc_end7-st3
	.set st3.num_vgpr, 10
	.set st3.num_agpr, 0
	.set st3.numbered_sgpr, 13
	.set st3.num_named_barrier, 0
	.set st3.private_seg_size, 0
	.set st3.uses_vcc, 0
	.set st3.uses_flat_scratch, 0
	.set st3.has_dyn_sized_stack, 0
	.set st3.has_recursion, 0
	.set st3.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	st4
	.globl	st4
	.p2align	8
	.type	st4,@function
st4:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_readfirstlane_b32 s9, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s9, 2
	s_and_b32 s4, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v0, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v0, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1000
	s_add_i32 m0, s4, 0x1000
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1400
	s_add_i32 m0, s4, 0x1400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1800
	s_add_i32 m0, s4, 0x1800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1c00
	s_add_i32 m0, s4, 0x1c00
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2000
	s_add_i32 m0, s4, 0x2000
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2400
	s_add_i32 m0, s4, 0x2400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2800
	s_add_i32 m0, s4, 0x2800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2c00
	s_add_i32 m0, s4, 0x2c00
	s_cmp_lt_i32 s8, 1
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_mov_b32 s5, 0
	s_cbranch_scc1 .LBB8_6
	v_add_u32_e32 v1, 37, v0
	v_and_b32_e32 v3, 0xfd, v1
	v_add_u32_e32 v1, 0x4a, v0
	v_and_b32_e32 v4, 0xfe, v1
	v_add_u32_e32 v1, 0x6f, v0
	v_and_b32_e32 v2, 0xfc, v0
	v_and_b32_e32 v5, 0xff, v1
	s_movk_i32 s9, 0x3c00
	v_mov_b32_e32 v1, 0
	s_mov_b32 s10, 0
	s_branch .LBB8_3
.LBB8_2:
	s_lshl_b32 s11, s10, 12
	v_lshl_or_b32 v6, v2, 2, s11
	v_lshl_or_b32 v7, v3, 2, s11
	v_lshl_or_b32 v8, v4, 2, s11
	v_lshl_or_b32 v9, v5, 2, s11
	s_add_i32 s10, s10, 1
	s_waitcnt vmcnt(12)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7 offset:1024
	ds_read_b32 v8, v8 offset:2048
	ds_read_b32 v9, v9 offset:3072
	s_ashr_i32 s11, s10, 31
	s_lshr_b32 s11, s11, 30
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v1, v1, v6
	s_add_i32 s11, s10, s11
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v1, v1, v7
	s_and_b32 s11, s11, -4
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v1, v1, v8
	s_sub_i32 s10, s10, s11
	s_add_i32 s5, s5, 1
	s_addk_i32 s9, 0x1000
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v9
	s_cmp_lg_u32 s8, s5
	s_barrier
	s_cbranch_scc0 .LBB8_5
.LBB8_3:
	s_add_i32 s11, s5, 3
	s_cmp_ge_i32 s11, s8
	s_cbranch_scc1 .LBB8_2
	s_add_i32 s11, s10, 3
	s_add_i32 s12, s10, -1
	s_cmp_lt_u32 s11, 4
	s_cselect_b32 s11, s11, s12
	s_lshl_b32 s11, s11, 12
	s_add_i32 s11, s4, s11
	s_add_i32 s12, s9, 0xfffff400
	s_mov_b32 m0, s11
	s_nop 0
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0x400
	s_add_i32 s12, s9, 0xfffff800
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0x800
	s_add_i32 s12, s9, 0xfffffc00
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0xc00
	s_nop 0
	buffer_load_dword v0, s[0:3], s9 offen lds
	s_branch .LBB8_2
.LBB8_5:
	global_store_dword v0, v1, s[6:7]
	s_endpgm
.LBB8_6:
	v_mov_b32_e32 v1, 0
	global_store_dword v0, v1, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel st4
		.amdhsa_group_segment_fixed_size 16384
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 97
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end8:
	.size	st4, .Lfunc_end8-st4
	.set st4.num_vgpr, 10
	.set st4.num_agpr, 0
	.set st4.numbered_sgpr, 13
	.set st4.num_named_barrier, 0
	.set st4.private_seg_size, 0
	.set st4.uses_vcc, 0
	.set st4.uses_flat_scratch, 0
	.set st4.has_dyn_sized_stack, 0
	.set st4.has_recursion, 0
	.set st4.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	st5
	.globl	st5
	.p2align	8
	.type	st5,@function
st5:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_readfirstlane_b32 s9, v0
	s_mov_b32 s3, 0x27000
	s_brev_b32 s2, -2
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s0, s4
	s_lshl_b32 s4, s9, 2
	s_and_b32 s4, s4, 0xffffff00
	s_and_b32 s1, s5, 0xffff
	v_lshlrev_b32_e32 v0, 2, v0
	s_mov_b32 m0, s4
	s_movk_i32 s5, 0x400
	buffer_load_dword v0, s[0:3], 0 offen lds
	s_add_i32 m0, s4, 0x400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x800
	s_add_i32 m0, s4, 0x800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0xc00
	s_add_i32 m0, s4, 0xc00
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1000
	s_add_i32 m0, s4, 0x1000
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1400
	s_add_i32 m0, s4, 0x1400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1800
	s_add_i32 m0, s4, 0x1800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x1c00
	s_add_i32 m0, s4, 0x1c00
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2000
	s_add_i32 m0, s4, 0x2000
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2400
	s_add_i32 m0, s4, 0x2400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2800
	s_add_i32 m0, s4, 0x2800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x2c00
	s_add_i32 m0, s4, 0x2c00
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x3000
	s_add_i32 m0, s4, 0x3000
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x3400
	s_add_i32 m0, s4, 0x3400
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x3800
	s_add_i32 m0, s4, 0x3800
	s_nop 0
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_movk_i32 s5, 0x3c00
	s_add_i32 m0, s4, 0x3c00
	s_cmp_lt_i32 s8, 1
	buffer_load_dword v0, s[0:3], s5 offen lds
	s_mov_b32 s5, 0
	s_cbranch_scc1 .LBB9_6
	v_add_u32_e32 v1, 37, v0
	v_and_b32_e32 v3, 0xfd, v1
	v_add_u32_e32 v1, 0x4a, v0
	v_and_b32_e32 v4, 0xfe, v1
	v_add_u32_e32 v1, 0x6f, v0
	v_and_b32_e32 v2, 0xfc, v0
	v_and_b32_e32 v5, 0xff, v1
	s_movk_i32 s9, 0x4c00
	v_mov_b32_e32 v1, 0
	s_mov_b32 s10, 0
	s_branch .LBB9_3
.LBB9_2:
	s_lshl_b32 s11, s10, 12
	v_lshl_or_b32 v6, v2, 2, s11
	v_lshl_or_b32 v7, v3, 2, s11
	v_lshl_or_b32 v8, v4, 2, s11
	v_lshl_or_b32 v9, v5, 2, s11
	s_add_i32 s10, s10, 1
	s_waitcnt vmcnt(16)
	s_barrier
	ds_read_b32 v6, v6
	ds_read_b32 v7, v7 offset:1024
	ds_read_b32 v8, v8 offset:2048
	ds_read_b32 v9, v9 offset:3072
	s_mul_hi_i32 s11, s10, 0x66666667
	s_lshr_b32 s12, s11, 31
	s_ashr_i32 s11, s11, 1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v1, v1, v6
	s_add_i32 s11, s11, s12
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v1, v1, v7
	s_mul_i32 s11, s11, 5
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v1, v1, v8
	s_sub_i32 s10, s10, s11
	s_add_i32 s5, s5, 1
	s_addk_i32 s9, 0x1000
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v9
	s_cmp_lg_u32 s8, s5
	s_barrier
	s_cbranch_scc0 .LBB9_5
.LBB9_3:
	s_add_i32 s11, s5, 4
	s_cmp_ge_i32 s11, s8
	s_cbranch_scc1 .LBB9_2
	s_add_i32 s11, s10, 4
	s_add_i32 s12, s10, -1
	s_cmp_lt_u32 s11, 5
	s_cselect_b32 s11, s11, s12
	s_lshl_b32 s11, s11, 12
	s_add_i32 s11, s4, s11
	s_add_i32 s12, s9, 0xfffff400
	s_mov_b32 m0, s11
	s_nop 0
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0x400
	s_add_i32 s12, s9, 0xfffff800
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0x800
	s_add_i32 s12, s9, 0xfffffc00
	buffer_load_dword v0, s[0:3], s12 offen lds
	s_add_i32 m0, s11, 0xc00
	s_nop 0
	buffer_load_dword v0, s[0:3], s9 offen lds
	s_branch .LBB9_2
.LBB9_5:
	global_store_dword v0, v1, s[6:7]
	s_endpgm
.LBB9_6:
	v_mov_b32_e32 v1, 0
	global_store_dword v0, v1, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel st5
		.amdhsa_group_segment_fixed_size 20480
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 129
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end9:
	.size	st5, .Lfunc_end9-st5
	.set st5.num_vgpr, 10
	.set st5.num_agpr, 0
	.set st5.numbered_sgpr, 13
	.set st5.num_named_barrier, 0
	.set st5.private_seg_size, 0
	.set st5.uses_vcc, 0
	.set st5.uses_flat_scratch, 0
	.set st5.has_dyn_sized_stack, 0
	.set st5.has_recursion, 0
	.set st5.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	pers
	.globl	pers
	.p2align	8
	.type	pers,@function
pers:
	s_load_dwordx2 s[12:13], s[0:1], 0x10
	v_readfirstlane_b32 s3, v0
	s_waitcnt lgkmcnt(0)
	s_cmp_ge_i32 s2, s13
	s_cbranch_scc1 .LBB10_6
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_lshl_b32 s0, s3, 2
	s_and_b32 s3, s0, 0xffffff00
	s_add_i32 s14, s3, 0xc00
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s9, s5, 0xffff
	s_mov_b32 s8, s4
	s_add_i32 s4, s3, 0x400
	s_add_i32 s5, s3, 0x800
	s_cmp_gt_i32 s12, 1
	s_cselect_b64 s[0:1], -1, 0
	v_add_u32_e32 v3, 37, v1
	v_add_u32_e32 v4, 0x4a, v1
	v_add_u32_e32 v5, 0x6f, v1
	s_lshl_b32 s15, s2, 12
	v_cndmask_b32_e64 v7, 0, 1, s[0:1]
	s_mov_b32 s11, 0x27000
	s_brev_b32 s10, -2
	v_and_b32_e32 v2, 0xfc, v1
	v_and_b32_e32 v3, 0xfd, v3
	v_and_b32_e32 v4, 0xfe, v4
	v_and_b32_e32 v5, 0xff, v5
	s_addk_i32 s15, 0x1000
	v_mov_b32_e32 v6, 0
	v_cmp_ne_u32_e64 s[0:1], 1, v7
	s_branch .LBB10_3
.LBB10_2:
	v_lshl_or_b32 v8, s2, 8, v0
	v_ashrrev_i32_e32 v9, 31, v8
	s_addk_i32 s2, 0x130
	s_add_i32 s15, s15, 0x130000
	v_lshl_add_u64 v[8:9], v[8:9], 2, s[6:7]
	s_cmp_ge_i32 s2, s13
	global_store_dword v[8:9], v6, off
	s_cbranch_scc1 .LBB10_6
.LBB10_3:
	s_mov_b32 m0, s3
	s_lshl_b32 s16, s2, 12
	buffer_load_dword v1, s[8:11], s16 offen lds
	s_or_b32 s17, s16, 0x400
	s_mov_b32 m0, s4
	s_and_b64 vcc, exec, s[0:1]
	buffer_load_dword v1, s[8:11], s17 offen lds
	s_or_b32 s17, s16, 0x800
	s_mov_b32 m0, s5
	s_or_b32 s16, s16, 0xc00
	buffer_load_dword v1, s[8:11], s17 offen lds
	s_mov_b32 m0, s14
	s_nop 0
	buffer_load_dword v1, s[8:11], s16 offen lds
	s_cbranch_vccnz .LBB10_2
	s_mov_b32 s16, 1
	s_mov_b32 s17, s15
.LBB10_5:
	s_and_b32 s18, s16, 1
	s_lshl_b32 s18, s18, 12
	s_add_i32 s18, s3, s18
	s_mov_b32 m0, s18
	s_add_i32 s19, s17, 0x400
	buffer_load_dword v1, s[8:11], s17 offen lds
	s_add_i32 m0, s18, 0x400
	s_add_i32 s20, s17, 0x800
	buffer_load_dword v1, s[8:11], s19 offen lds
	s_add_i32 m0, s18, 0x800
	s_add_i32 s21, s17, 0xc00
	buffer_load_dword v1, s[8:11], s20 offen lds
	s_add_i32 m0, s18, 0xc00
	s_add_i32 s18, s16, -1
	buffer_load_dword v1, s[8:11], s21 offen lds
	s_and_b32 s18, s18, 1
	s_lshl_b32 s18, s18, 12
	v_lshl_or_b32 v7, v2, 2, s18
	v_lshl_or_b32 v8, v3, 2, s18
	v_lshl_or_b32 v9, v4, 2, s18
	v_lshl_or_b32 v10, v5, 2, s18
	s_waitcnt vmcnt(4)
	s_barrier
	ds_read_b32 v7, v7
	ds_read_b32 v8, v8 offset:1024
	ds_read_b32 v9, v9 offset:2048
	ds_read_b32 v10, v10 offset:3072
	s_add_i32 s16, s16, 1
	s_waitcnt lgkmcnt(3)
	v_add_f32_e32 v6, v6, v7
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v6, v6, v8
	s_addk_i32 s17, 0x1000
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v6, v6, v9
	s_cmp_eq_u32 s12, s16
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v6, v6, v10
	s_barrier
	s_cbranch_scc0 .LBB10_5
	s_branch .LBB10_2
.LBB10_6:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel pers
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
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
		.amdhsa_next_free_vgpr 11
		.amdhsa_next_free_sgpr 22
		.amdhsa_accum_offset 12
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
.Lfunc_end10:
	.size	pers, .Lfunc_end10-pers
	.set pers.num_vgpr, 11
	.set pers.num_agpr, 0
	.set pers.numbered_sgpr, 22
	.set pers.num_named_barrier, 0
	.set pers.private_seg_size, 0
	.set pers.uses_vcc, 1
	.set pers.uses_flat_scratch, 0
	.set pers.has_dyn_sized_stack, 0
	.set pers.has_recursion, 0
	.set pers.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	offsets
	.globl	offsets
	.p2align	8
	.type	offsets,@function
offsets:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	s_mov_b32 s3, 0x27000
	s_mov_b32 s2, 0x10000
	s_mov_b32 m0, 0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s1, s5, 0xffff
	s_mov_b32 s0, s4
	buffer_load_dword v0, s[0:3], 0 offen lds
	buffer_load_dword v0, s[0:3], 0 offen offset:256 lds
	buffer_load_dword v0, s[0:3], 0 offen offset:512 lds
	buffer_load_dword v0, s[0:3], 0 offen offset:768 lds
	v_lshlrev_b32_e32 v4, 2, v0
	v_lshl_add_u32 v2, s8, 2, v4
	ds_read2st64_b32 v[0:1], v2 offset1:1
	ds_read2st64_b32 v[2:3], v2 offset0:2 offset1:3
	s_waitcnt lgkmcnt(1)
	v_add_u32_e32 v0, v0, v1
	s_waitcnt lgkmcnt(0)
	v_add3_u32 v0, v0, v2, v3
	global_store_dword v4, v0, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel offsets
		.amdhsa_group_segment_fixed_size 65536
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 97
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 0
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
.Lfunc_end11:
	.size	offsets, .Lfunc_end11-offsets
	.set offsets.num_vgpr, 5
	.set offsets.num_agpr, 0
	.set offsets.numbered_sgpr, 9
	.set offsets.num_named_barrier, 0
	.set offsets.private_seg_size, 0
	.set offsets.uses_vcc, 0
	.set offsets.uses_flat_scratch, 0
	.set offsets.has_dyn_sized_stack, 0
	.set offsets.has_recursion, 0
	.set offsets.has_indirect_call, 0
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 16384
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           dbuf
    .private_segment_fixed_size: 0
    .sgpr_count:     24
    .sgpr_spill_count: 0
    .symbol:         dbuf.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     17
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 12288
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           ring3
    .private_segment_fixed_size: 0
    .sgpr_count:     21
    .sgpr_spill_count: 0
    .symbol:         ring3.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 12288
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           ring3c
    .private_segment_fixed_size: 0
    .sgpr_count:     21
    .sgpr_spill_count: 0
    .symbol:         ring3c.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           swp
    .private_segment_fixed_size: 0
    .sgpr_count:     21
    .sgpr_spill_count: 0
    .symbol:         swp.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           tog
    .private_segment_fixed_size: 0
    .sgpr_count:     21
    .sgpr_spill_count: 0
    .symbol:         tog.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           two
    .private_segment_fixed_size: 0
    .sgpr_count:     25
    .sgpr_spill_count: 0
    .symbol:         two.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     13
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           st2
    .private_segment_fixed_size: 0
    .sgpr_count:     25
    .sgpr_spill_count: 0
    .symbol:         st2.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 12288
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           st3
    .private_segment_fixed_size: 0
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         st3.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 16384
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           st4
    .private_segment_fixed_size: 0
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         st4.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 20480
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           st5
    .private_segment_fixed_size: 0
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         st5.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         20
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 256
    .name:           pers
    .private_segment_fixed_size: 0
    .sgpr_count:     28
    .sgpr_spill_count: 0
    .symbol:         pers.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     11
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 65536
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 1024
    .name:           offsets
    .private_segment_fixed_size: 0
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         offsets.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     5
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
