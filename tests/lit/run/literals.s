// RUN: %inflight asm %s -o %t.hsaco && %inflight run %t.hsaco --arg zeros:6:u32 --out 0=%t.npy
// RUN: %python -c "import numpy as n; a = n.load('%t.npy'); assert list(a) == [0x7f, 0, 0x1234, 0, 100, 7], [hex(x) for x in a]"
// A 32-bit literal of a 64-bit operand is the low half of an integer and the high half of a double.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b64_e32 v[0:1], 0x7f
  s_mov_b64 s[4:5], 0x1234
  v_mov_b32 v2, s4
  v_mov_b32 v3, s5
  v_cvt_i32_f64 v4, 0x40590000
  v_mov_b32 v5, 7
  v_mov_b32 v6, 0
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v6, v[0:3], s[2:3]
  global_store_dwordx2 v6, v[4:5], s[2:3] offset:16
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 12
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 12
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 12
    .max_flat_workgroup_size: 64
    .args: [{.name: a, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}]
.end_amdgpu_metadata
