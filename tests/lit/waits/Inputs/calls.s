// Functions that several kernels call: each return goes to the call that it came from.
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text
.macro call function
  s_getpc_b64 s[12:13]
  s_add_u32 s12, s12, \function@rel32@lo+4
  s_addc_u32 s13, s13, \function@rel32@hi+12
  s_swappc_b64 s[30:31], s[12:13]
.endm
.macro kernel name
.globl \name
.type \name,@function
\name:
.endm
.macro finish name
  s_endpgm
.size \name, .-\name
.endm

// v5 is in flight over the first call, and waited for behind it; the second call finds it done.
kernel right
  global_load_dword v5, v0, s[4:5]
  call leaf
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v1, v1, v5
  v_mov_b32_e32 v5, 2.0
  call leaf
  v_mul_f32_e32 v1, v1, v5
finish right

// The same through a function that calls: what is in flight comes through both.
kernel right_twice
  global_load_dword v5, v0, s[4:5]
  call outer
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v5, v5
  call outer
  v_mul_f32_e32 v1, v1, v5
finish right_twice

// In flight at the second call, used behind it.
kernel wrong
  v_mov_b32_e32 v5, 1.0
  call leaf
  v_mul_f32_e32 v1, v1, v5
  global_load_dword v5, v0, s[4:5]
  call outer
  v_mul_f32_e32 v1, v1, v5
finish wrong

// In flight when the function is called that uses it: of two calls, one.
kernel wrong_inside
  v_mov_b32_e32 v7, 1.0
  call user
  global_load_dword v7, v0, s[4:5]
  call user
finish wrong_inside

// It calls itself: its copies would have no end, and it may return to either call.
kernel recursive
  global_load_dword v6, v0, s[4:5]
  call again
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v1, v1, v6
finish recursive

.type leaf,@function
leaf:
  v_max_f32_e32 v1, 0, v1
  s_setpc_b64 s[30:31]
.size leaf, .-leaf

.type user,@function
user:
  v_add_f32_e32 v1, v1, v7
  s_setpc_b64 s[30:31]
.size user, .-user

.type outer,@function
outer:
  s_mov_b64 s[40:41], s[30:31]
  call leaf
  s_setpc_b64 s[40:41]
.size outer, .-outer

.type again,@function
again:
  s_mov_b64 s[40:41], s[30:31]
  s_cbranch_scc0 .Lend
  call again
.Lend:
  v_max_f32_e32 v1, 0, v1
  s_setpc_b64 s[40:41]
.size again, .-again

.rodata
.macro descriptor name
.p2align 6
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 48
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.endm
descriptor right
descriptor right_twice
descriptor wrong
descriptor wrong_inside
descriptor recursive
