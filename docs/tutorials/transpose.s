; The transpose of docs/advise/transpose.cl, tuned by hand: one wait too many was taken out.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.globl	transpose
	.p2align	8
	.type	transpose,@function
transpose:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v10, 31, v0
	v_lshrrev_b32_e32 v11, 5, v0
	s_lshl_b32 s0, s2, 5
	s_lshl_b32 s1, s3, 5
	v_or_b32_e32 v0, s1, v11
	v_or_b32_e32 v1, s0, v10
	v_lshl_add_u32 v0, v0, 10, v1
	v_mov_b32_e32 v1, 0
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
	v_add_u32_e32 v4, 0x2000, v0
	v_mov_b32_e32 v5, v1
	v_add_u32_e32 v6, 0x4000, v0
	v_mov_b32_e32 v7, v1
	v_add_u32_e32 v0, 0x6000, v0
	v_lshl_add_u64 v[4:5], v[4:5], 2, s[4:5]
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
	v_lshl_add_u64 v[8:9], v[0:1], 2, s[4:5]
	global_load_dword v12, v[2:3], off
	global_load_dword v13, v[4:5], off
	global_load_dword v14, v[6:7], off
	global_load_dword v15, v[8:9], off
	v_lshlrev_b32_e32 v0, 2, v10
	v_lshlrev_b32_e32 v2, 2, v11
	v_or_b32_e32 v6, s1, v10
	v_lshl_or_b32 v8, v11, 7, v0
	v_lshl_or_b32 v10, v10, 7, v2
	v_or_b32_e32 v4, s0, v11
	v_lshl_add_u32 v0, v4, 10, v6
	v_mov_b32_e32 v3, v1
	v_mov_b32_e32 v5, v1
	v_lshl_add_u64 v[6:7], v[0:1], 2, s[6:7]
	v_add_u32_e32 v2, 0x2000, v0
	v_add_u32_e32 v4, 0x4000, v0
	v_add_u32_e32 v0, 0x6000, v0
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[6:7]
	v_lshl_add_u64 v[4:5], v[4:5], 2, s[6:7]
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[6:7]
	s_waitcnt vmcnt(2)
	ds_write2st64_b32 v8, v12, v13 offset1:4
	s_waitcnt vmcnt(0)
	ds_write2st64_b32 v8, v14, v15 offset0:8 offset1:12
	s_barrier
	ds_read2_b32 v[8:9], v10 offset1:8
	ds_read2_b32 v[10:11], v10 offset0:16 offset1:24
	s_waitcnt lgkmcnt(1)
	global_store_dword v[6:7], v8, off
	global_store_dword v[2:3], v9, off
	s_waitcnt lgkmcnt(0)
	global_store_dword v[4:5], v10, off
	global_store_dword v[0:1], v11, off
	s_endpgm
	.size	transpose, .-transpose
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel transpose
	.amdhsa_group_segment_fixed_size 4096
	.amdhsa_kernarg_size 16
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_system_sgpr_workgroup_id_y 1
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 8
	.amdhsa_accum_offset 16
	.amdhsa_reserve_vcc 0
	.end_amdhsa_kernel
	.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: transpose
    .symbol: transpose.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 16
    .agpr_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [256, 1, 1]
    .args:
      - {.name: in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
	.end_amdgpu_metadata
