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
  v_mov_b32_e32 v2, v1
  v_xor_b32_e32 v3, 0x100, v1
  v_mov_b32_e32 v6, 0
  v_readfirstlane_b32 s8, v1
  s_mov_b32 s9, 0
  s_movk_i32 s10, 3
  s_waitcnt lgkmcnt(0) // needed: the pointers
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc1 .Lround
  s_barrier // not needed: wave 1 runs one barrier behind wave 0, which is right as well as in step
.Lround:
  s_add_u32 m0, s9, s8
  s_nop 0 // needed: M0 before LDS DMA
  global_load_lds_dword v1, s[4:5]
  s_barrier // not needed: the other wave uses the other buffer
  v_add_u32_e32 v4, s9, v3
  v_add_u32_e32 v1, 0x200, v1
  s_waitcnt vmcnt(0) // needed: the wave's own part, before the barrier behind which the other one reads it
  s_barrier // needed: wave 1 has loaded when wave 0 comes to its next barrier
  s_nop 0 // not needed: nothing here depends on time
  s_barrier // needed: the other wave's part
  ds_read_b32 v5, v4
  s_xor_b32 s9, s9, 0x200
  s_waitcnt lgkmcnt(0) // needed: v5
  v_add_u32_e32 v6, v5, v6
  s_sub_u32 s10, s10, 1
  s_cmp_lg_u32 s10, 0
  s_cbranch_scc1 .Lround
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc0 .Lend
  s_barrier // not needed: wave 1 has nobody to wait for any more
.Lend:
  global_store_dword v2, v6, s[6:7]
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
