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
  v_mov_b32_e32 v7, v1
  v_mov_b32_e32 v5, v1
  v_mov_b32_e32 v10, 0
  s_movk_i32 s14, 3
  s_waitcnt lgkmcnt(0) // needed: the pointers
  global_load_dword v2, v7, s[4:5]
  s_waitcnt vmcnt(0) // needed: v2
  ds_write_b32 v5, v2
.Lround:
  v_add_u32_e32 v7, 0x200, v7
  global_load_dword v2, v7, s[4:5]
  v_xor_b32_e32 v6, 0x100, v5
  v_xor_b32_e32 v5, 0x200, v5
  s_waitcnt lgkmcnt(0) // needed: the write before the barrier
  s_barrier // needed: the other wave's part, and its reads of the buffer that is written next
  ds_read_b32 v3, v6
  s_waitcnt vmcnt(0) // needed: v2
  ds_write_b32 v5, v2
  s_waitcnt lgkmcnt(1) // needed: v3; the write may be on its way
  v_add_u32_e32 v10, v10, v3
  s_sub_u32 s14, s14, 1
  s_cmp_lg_u32 s14, 0
  s_cbranch_scc1 .Lround
  s_waitcnt vmcnt(0) // not needed: the last load is in LDS
  global_store_dword v1, v10, s[6:7]
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
