.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
one:
global_load_dword v1, v0, s[0:1]
s_waitcnt vmcnt(0)
v_add_f32_e32 v2, v1, v1
s_endpgm

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel one
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 40
.amdhsa_accum_offset 8
.end_amdhsa_kernel
