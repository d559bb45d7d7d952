	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.globl loads_then_calls
	.type loads_then_calls,@function
loads_then_calls:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	ds_read_b32 v0, v0
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, elsewhere@rel32@lo+4
	s_addc_u32 s1, s1, elsewhere@rel32@hi+12
	s_setpc_b64 s[0:1]

	.globl stores_then_goes_anywhere
	.type stores_then_goes_anywhere,@function
stores_then_goes_anywhere:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_load_dwordx2 s[0:1], s[4:5], 0x0
	scratch_store_dword off, v0, s32
	s_waitcnt lgkmcnt(0)
	s_setpc_b64 s[0:1]

	.globl loads_then_goes_anywhere
	.type loads_then_goes_anywhere,@function
loads_then_goes_anywhere:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_load_dwordx2 s[0:1], s[4:5], 0x0
	global_load_dword v1, v[2:3], off
	s_waitcnt lgkmcnt(0)
	s_setpc_b64 s[0:1]
