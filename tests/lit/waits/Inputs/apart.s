.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
k:
s_load_dwordx4 s[0:3], s[4:5], 0x0
s_load_dword s9, s[4:5], 0x10
v_lshlrev_b32_e32 v0, 4, v0
s_waitcnt lgkmcnt(0)
v_add_u32_e32 v1, s9, v0
s_mov_b32 m0, 0
buffer_load_dwordx4 v0, s[0:3], 0 offen lds
ds_read_b128 v[4:7], v1
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v0, v4
s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
.amdhsa_next_free_vgpr 16
.amdhsa_next_free_sgpr 16
.amdhsa_accum_offset 8
.end_amdhsa_kernel
