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
  v_and_b32_e32 v4, 0xfc, v1
  v_add_u32_e32 v5, 0x200, v1
  v_add_u32_e32 v2, 0x400, v1
  v_mov_b32_e32 v10, 0
  v_readfirstlane_b32 s8, v1
  s_add_u32 s9, s8, 0x200
  s_add_u32 s10, s8, 0x400
  s_movk_i32 s14, 2
  s_mov_b32 m0, s8
  s_waitcnt lgkmcnt(0) // needed: the pointers
  global_load_lds_dword v1, s[4:5]
  s_mov_b32 m0, s9
  s_nop 0 // needed: M0 before LDS DMA
  global_load_lds_dword v5, s[4:5]
.Lround:
  s_waitcnt vmcnt(1) // needed: the oldest of two buffers
  s_barrier // needed: the other wave's part, and its reads of the buffer that is loaded next
  s_mov_b32 m0, s10
  s_nop 0 // needed: M0 before LDS DMA
  global_load_lds_dword v2, s[4:5]
  s_xor_b32 s13, s8, 0x100
  v_add_u32_e32 v6, s13, v4
  ds_read_b32 v3, v6
  v_add_u32_e32 v2, 0x200, v2
  s_waitcnt lgkmcnt(0) // needed: v3
  v_add_u32_e32 v10, v10, v3
  s_mov_b32 s11, s8
  s_mov_b32 s8, s9
  s_mov_b32 s9, s10
  s_mov_b32 s10, s11
  s_sub_u32 s14, s14, 1
  s_cmp_lg_u32 s14, 0
  s_cbranch_scc1 .Lround
  s_waitcnt vmcnt(1) // needed: the third chunk
  s_barrier // needed: the other wave's part
  s_xor_b32 s13, s8, 0x100
  v_add_u32_e32 v6, s13, v4
  ds_read_b32 v3, v6
  s_waitcnt lgkmcnt(0) // needed: v3
  v_add_u32_e32 v10, v10, v3
  s_waitcnt vmcnt(0) // needed: the last chunk
  s_barrier // needed: the other wave's part
  s_xor_b32 s13, s9, 0x100
  v_add_u32_e32 v6, s13, v4
  ds_read_b32 v3, v6
  s_waitcnt lgkmcnt(0) // needed: v3
  v_add_u32_e32 v10, v10, v3
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
    .max_flat_workgroup_size: 128
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}
      - {.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: out}
...
.end_amdgpu_metadata
