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
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v4, 0x100, v1
  v_mov_b32_e32 v3, 7
  v_mov_b32_e32 v6, 0
  s_waitcnt lgkmcnt(0) // needed: the pointers
  global_atomic_add v2, v1, v3, s[6:7] sc0
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0) // needed: the write before the barrier
  s_barrier // needed: the other wave's place is changed
  s_waitcnt vmcnt(0) // needed: the old value
  ds_add_rtn_u32 v5, v4, v2
  s_nop 0 // not needed: the result has a wait of its own
  s_waitcnt lgkmcnt(0) // needed: the old value
  global_atomic_add v1, v5, s[6:7]
  s_waitcnt vmcnt(0) // not needed: nothing returns, and v5 was read when it was issued
  v_mov_b32_e32 v5, 0
  s_barrier // needed: the other wave has changed it
  ds_read_b32 v7, v1
  ds_read_b32 v8, v1
  ds_add_u32 v1, v3
  s_waitcnt lgkmcnt(2) // needed: v7
  global_store_dword v1, v7, s[6:7] offset:512
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
