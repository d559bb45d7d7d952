; Wave 1 runs one barrier behind wave 0 through a loop: each fills its part of one of two buffers and reads the other's.
; out[i] = sum over n iterations t of in[128 t + (i ^ 64)]
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl skewed
.p2align 8
.type skewed,@function
skewed:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dword s10, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, v1
  v_xor_b32_e32 v3, 0x100, v1
  v_mov_b32_e32 v6, 0
  v_readfirstlane_b32 s8, v1             ; 256 * wave
  s_mov_b32 s9, 0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc1 .Lturn
  s_barrier                              ; wave 1
.Lturn:
  s_add_u32 m0, s9, s8
  s_nop 0
  global_load_lds_dword v1, s[4:5]
  s_waitcnt vmcnt(0)
  s_barrier                              ; A
  s_nop 0
  s_barrier                              ; B
  v_add_u32_e32 v4, s9, v3
  ds_read_b32 v5, v4
  v_add_u32_e32 v1, 0x200, v1
  s_xor_b32 s9, s9, 0x200
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v6, v5, v6
  s_sub_u32 s10, s10, 1
  s_cmp_lg_u32 s10, 0
  s_cbranch_scc1 .Lturn
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc0 .Lend
  s_barrier                              ; wave 0
.Lend:
  global_store_dword v2, v6, s[6:7]
  s_endpgm
.size skewed, .-skewed
.rodata
.p2align 6
.amdhsa_kernel skewed
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_count 2
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: skewed
    .symbol: skewed.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 8
    .max_flat_workgroup_size: 128
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.offset: 16, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
