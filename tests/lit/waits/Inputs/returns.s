// A function that any file may call, with vector instructions that a mode may have skipped.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl stores
.type stores,@function
stores:
  global_store_dword v[2:3], v4, off
  s_setvskip s20, 0
  v_mov_b32_e32 v9, v8
  s_setvskip 0, 0
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.size stores, .-stores
