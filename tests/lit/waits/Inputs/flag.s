.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
// LDS DMA of one wave, which another wave reads when a flag in global memory is set.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v3, 1
  v_lshrrev_b32_e32 v4, 6, v0
  s_mov_b32 m0, 0
  v_readfirstlane_b32 s8, v4
  s_waitcnt lgkmcnt(0)
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 .Lpoll
  global_load_lds_dword v1, s[4:5]
  ; WAIT
  ; FLAG
  s_endpgm
.Lpoll:
  global_load_dword v5, v2, s[6:7] sc0 sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s9, v5
  s_cmp_eq_u32 s9, 0
  s_cbranch_scc1 .Lpoll
  ds_read_b32 v7, v1
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v7, s[4:5]
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
.amdhsa_group_segment_fixed_size 4096
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_next_free_vgpr 32
.amdhsa_next_free_sgpr 64
.amdhsa_accum_offset 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 32
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size: [128, 1, 1]
...
.end_amdgpu_metadata
