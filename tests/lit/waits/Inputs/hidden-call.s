.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
// A call of a computed place in the own code, with a load in flight that the called code waits for.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dword s20, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v7, v1, s[4:5]
  s_lshl_b32 s20, s20, 2
  s_getpc_b64 s[44:45]
.Lhere:
  s_add_u32 s44, s44, s20
  s_addc_u32 s45, s45, 0
  s_add_u32 s44, s44, .Lthere-.Lhere
  s_addc_u32 s45, s45, 0
  s_swappc_b64 s[30:31], s[44:45]
  s_branch .Lout
.Lthere:
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_u32_e32 v7, 1, v7
  s_setpc_b64 s[30:31]
.Lout:
  s_waitcnt vmcnt(0)
  global_store_dword v1, v7, s[6:7]
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size 4096
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_next_free_vgpr 32
.amdhsa_next_free_sgpr 64
.amdhsa_accum_offset 32
.end_amdhsa_kernel
