1
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.type k,@function
k:
  v_mov_b64_e32 v[0:1], 0x7f
  v_add_u32_sdwa v2, v3, v4 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
  v_add_f32_dpp v2, v3, v4 row_shr:1 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v2, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:0
  v_cmp_lt_f32 vcc, v2, v3
  v_cndmask_b32 v2, v3, v4, vcc
  v_fma_f32 v2, -v3, |v4|, 1.0 clamp
  v_pk_fma_f32 v[2:3], v[4:5], v[6:7], v[8:9] op_sel_hi:[0,1,1]
  v_div_scale_f64 v[2:3], vcc, v[4:5], v[6:7], v[4:5]
  v_readlane_b32 s4, v2, 3
  v_readfirstlane_b32 s5, v2
  v_mfma_f32_4x4x4_16b_f16 a[0:3], v[2:3], v[4:5], a[0:3]
  v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7]
  v_accvgpr_read_b32 v2, a1
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_private_segment_fixed_size 16
  .amdhsa_system_sgpr_workgroup_id_x 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 16
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args: [{.name: a, .offset: 0, .size: 8, .value_kind: global_buffer}]
.end_amdgpu_metadata
