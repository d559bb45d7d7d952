// run: --block 128 --arg arange:512:i32 --arg zeros:512:i32
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected k
.globl k
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 4, v0
  v_mov_b32_e32 v4, v0
  v_mov_b32_e32 v5, v0
  v_mov_b32_e32 v6, v0
  v_mov_b32_e32 v7, v0
  s_waitcnt lgkmcnt(0) // needed: the pointers
  global_store_dwordx4 v1, v[4:7], s[6:7]
  s_nop 1 // needed: a wide store reads its data late, 2 states
  v_mov_b32_e32 v4, 1
  global_load_dword v8, v1, s[4:5]
  global_store_dword v1, v4, s[6:7] offset:4
  s_nop 0 // not needed: a narrow store has read its data
  v_mov_b32_e32 v4, 2
  s_waitcnt vmcnt(1) // needed: v8; the store may be on its way
  v_add_u32_e32 v8, v4, v8
  global_store_dwordx3 v1, v[6:8], s[6:7]
  v_add_u32_e32 v10, 1, v4
  s_nop 0 // needed: the second of 2 states
  v_mov_b32_e32 v8, 0
  s_waitcnt vmcnt(0) // not needed: the end of the program waits for stores
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 64
    .max_flat_workgroup_size: 256
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}
      - {.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: out}
...
.end_amdgpu_metadata
