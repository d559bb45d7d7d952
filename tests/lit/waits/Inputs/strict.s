.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
one: // waits for both, uses one
global_load_dword v1, v0, s[0:1]
	/* kept */ global_load_dword v2, v0, s[0:1] offset:256

s_waitcnt vmcnt(0) // of the compiler
v_add_f32_e32 v3, v1, v1
v_add_f32_e32 v3, v3, v3
v_add_f32_e32 v3, v3, v2
s_endpgm

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel one
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 40
.amdhsa_accum_offset 8
.end_amdhsa_kernel
