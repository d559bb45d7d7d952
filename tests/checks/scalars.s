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
  v_lshlrev_b32_e32 v3, 1, v0
  s_waitcnt lgkmcnt(0) // needed: the pointers
  s_load_dword s8, s[4:5], 0x4
  ds_write_b32 v1, v3
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(0) // needed: s8 comes in any order
  v_add_u32_e32 v2, s8, v2
  s_load_dword s9, s[4:5], 0x8
  s_load_dwordx2 s[10:11], s[4:5], 0x10
  s_waitcnt lgkmcnt(0) // needed: s9 and s[10:11]
  s_add_u32 s9, s9, s10
  s_waitcnt lgkmcnt(0) // not needed: nothing is in flight
  s_add_u32 s9, s9, s11
  ds_read_b32 v4, v1
  ds_read_b32 v5, v1
  s_waitcnt lgkmcnt(1) // needed: v4
  v_add_u32_e32 v4, s9, v4
  s_waitcnt lgkmcnt(0) // needed: v5
  v_add3_u32 v2, v2, v4, v5
  global_store_dword v1, v2, s[6:7]
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
