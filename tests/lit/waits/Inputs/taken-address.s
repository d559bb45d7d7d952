	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_getpc_b64 s[10:11]
	s_add_u32 s10, s10, helper@rel32@lo+4
	s_addc_u32 s11, s11, helper@rel32@hi+12
	v_mov_b32_e32 v4, s10
	v_mov_b32_e32 v5, s11
	global_store_dwordx2 v0, v[4:5], s[2:3]
	global_load_dword v3, v0, s[2:3]
	s_load_dwordx2 s[12:13], s[2:3], 0x8
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_swappc_b64 s[30:31], s[12:13]
	s_endpgm
	.size k, .-k
	.p2align 6
	.type helper,@function
helper:
	v_mul_f32_e32 v2, v3, v3
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_setpc_b64 s[30:31]
	.size helper, .-helper
	.rodata
	.p2align 6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 8
		.amdhsa_accum_offset 8
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
