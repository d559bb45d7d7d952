// Two waves write to LDS and to the second argument in every way there is.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl writers
.p2align 8
.type writers,@function
writers:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 7
  v_mov_b32_e32 v3, 0x200
  v_readfirstlane_b32 s3, v0
  s_waitcnt lgkmcnt(0)
  s_cmp_lg_u32 s3, 0
  s_cbranch_scc1 second
  ds_write_b32 v1, v0                       // the lane's number
  ds_write_b8 v1, v2 offset:1
  ds_add_u32 v3, v2
  s_mov_b32 m0, 0x300
  s_nop 0
  global_load_lds_dword v1, s[4:5]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_barrier
  s_branch both
second:
  s_barrier
  v_add_u32_e32 v4, 0xffffff00, v1
  s_mov_b64 exec, 0xf0
  ds_write2_b32 v4, v0, v2 offset1:1        // lanes 4 to 7
  s_mov_b64 exec, -1
both:
  v_mov_b32_e32 v5, 4
  v_mov_b32_e32 v6, s6
  v_mov_b32_e32 v7, s7
  s_mov_b64 s[8:9], s[6:7]
  s_movk_i32 s10, 0x400
  s_mov_b32 s11, 0x20000
  v_cmp_eq_u32_e32 vcc, 3, v0
  global_store_dword v1, v0, s[6:7]
  flat_store_dword v[6:7], v2
  global_atomic_add v5, v2, s[6:7]
  s_and_b64 exec, exec, vcc
  buffer_store_dword v2, v1, s[8:11], 0 offen
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel writers
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_kernarg_size 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: writers
    .symbol: writers.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size: [128, 1, 1]
    .args:
      - {.name: in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
