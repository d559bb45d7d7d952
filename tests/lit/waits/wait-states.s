// A wait that moves or goes may have been a wait state: an s_nop comes in its place.
// RUN: inflight waits --strip %s -o - | FileCheck %s --check-prefixes=BOTH,STRIP
// RUN: inflight waits --relax %s -o - | FileCheck %s --check-prefix=BOTH
// RUN: inflight waits --strip %s -o - | inflight waits --insert - -o - | inflight waits --hazards -
// RUN: inflight waits --relax %s -o - | inflight waits --hazards -
// BOTH: buffer_store_dwordx4 v[8:11]
// BOTH-NEXT: v_add_u32_e32 v0, 64, v0
// BOTH-NEXT: s_nop 0
// BOTH-NEXT: v_mov_b32_e32 v8, 2.0
// STRIP-NEXT: s_waitcnt vmcnt(0)
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.globl k
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 4, v0
  v_mov_b32_e32 v8, 1.0
  s_waitcnt lgkmcnt(0)
  buffer_store_dwordx4 v[8:11], v0, s[4:7], 0 offen
  v_add_u32_e32 v0, 64, v0
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v8, 2.0
  buffer_store_dwordx4 v[8:11], v0, s[4:7], 0 offen
  s_endpgm
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 40
  .amdhsa_accum_offset 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
.end_amdhsa_kernel
