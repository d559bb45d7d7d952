// Lane by lane: squares in v1 and in LDS, halves of the lane's number in v2, both signs of it as halves in v3 and a0.
// The loop adds 3, 2 and 1 to the squares.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl squares
.p2align 8
.type squares,@function
squares:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_mul_u32_u24_e32 v1, v0, v0
  v_cvt_f32_u32_e32 v2, v0
  v_mul_f32_e32 v2, 0.5, v2
  v_cvt_pkrtz_f16_f32 v3, v2, -v2
  v_lshlrev_b32_e32 v4, 2, v0
  v_accvgpr_write_b32 a0, v3
  ds_write_b32 v4, v1
  s_lshl_b32 s5, s2, 9
  s_mov_b32 s4, 3
loop:
  v_add_u32_e32 v1, s4, v1
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 loop
  v_add_u32_e32 v4, s5, v4
  s_waitcnt lgkmcnt(0)
  global_store_dword v4, v1, s[0:1]
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel squares
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_kernarg_size 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: squares
    .symbol: squares.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .agpr_count: 8
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size: [128, 1, 1]
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
