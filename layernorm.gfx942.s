.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected layernorm
.globl layernorm
.type layernorm,@function
layernorm:
  s_load_dwordx4 s[8:11], s[0:1], 0x20
  s_load_dwordx2 s[6:7], s[0:1], 0x8
  s_ashr_i32 s20, s2, 31
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v3, 0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_i64_e32 vcc, s[8:9], v[0:1]
  v_mov_b32_e32 v8, 0
  s_mul_i32 s3, s10, s20
  s_mul_hi_u32 s18, s10, s2
  s_mul_i32 s19, s11, s2
  s_mul_i32 s10, s10, s2
  v_lshlrev_b32_e32 v2, 2, v0
  s_and_saveexec_b64 s[12:13], vcc
  s_cbranch_execz .Lb8
  s_add_i32 s4, s18, s3
  s_add_i32 s11, s4, s19
  s_lshl_b64 s[4:5], s[10:11], 2
  s_add_u32 s4, s6, s4
  v_mov_b32_e32 v3, v1
  s_addc_u32 s5, s7, s5
  v_lshl_add_u64 v[4:5], s[4:5], 0, v[2:3]
  s_mov_b64 s[14:15], 0
  v_mov_b32_e32 v3, 0
  v_mov_b32_e32 v8, 0
  s_mov_b64 s[16:17], 0x100
  v_mov_b64_e32 v[6:7], v[0:1]
.L7c:
  global_load_dword v9, v[4:5], off
  v_lshl_add_u64 v[6:7], v[6:7], 0, 64
  v_cmp_le_i64_e64 s[4:5], s[8:9], v[6:7]
  v_lshl_add_u64 v[4:5], v[4:5], 0, s[16:17]
  s_or_b64 s[14:15], s[4:5], s[14:15]
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v8, v8, v9
  v_fmac_f32_e32 v3, v9, v9
  s_andn2_b64 exec, exec, s[14:15]
  s_cbranch_execnz .L7c
  s_or_b64 exec, exec, s[14:15]
.Lb8:
  s_or_b64 exec, exec, s[12:13]
  v_add_f32_dpp v4, v8, v8 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f32_dpp v3, v3, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_add_f32_dpp v4, v4, v4 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f32_dpp v3, v3, v3 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_add_f32_dpp v4, v4, v4 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_f32_dpp v3, v3, v3 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_add_f32_dpp v4, v4, v4 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_e32 v5, v4
  v_add_f32_dpp v3, v3, v3 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_mov_b32_dpp v5, v5 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_add_f32_e32 v4, v4, v5
  s_nop 1
  v_add_f32_dpp v4, v4, v4 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_readlane_b32 s5, v4, 63
  v_mov_b32_e32 v4, v3
  s_nop 1
  v_mov_b32_dpp v4, v4 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_add_f32_e32 v3, v3, v4
  s_nop 1
  v_add_f32_dpp v3, v3, v3 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 0
  v_readlane_b32 s4, v3, 63
  s_and_saveexec_b64 s[12:13], vcc
  s_cbranch_execz .L308
  v_cvt_f32_u32_e32 v3, s8
  v_div_scale_f32 v4, s[12:13], v3, v3, s5
  v_rcp_f32_e32 v6, v4
  v_div_scale_f32 v5, vcc, s5, v3, s5
  v_div_scale_f32 v7, s[12:13], v3, v3, s4
  v_fma_f32 v9, -v4, v6, 1.0
  v_fmac_f32_e32 v6, v9, v6
  v_mul_f32_e32 v9, v5, v6
  v_rcp_f32_e32 v8, v7
  v_fma_f32 v10, -v4, v9, v5
  v_fmac_f32_e32 v9, v10, v6
  v_fma_f32 v4, -v4, v9, v5
  v_div_fmas_f32 v4, v4, v6, v9
  v_div_fixup_f32 v10, v4, v3, s5
  v_fma_f32 v4, -v7, v8, 1.0
  v_fmac_f32_e32 v8, v4, v8
  v_div_scale_f32 v4, vcc, s4, v3, s4
  v_mul_f32_e32 v5, v4, v8
  v_fma_f32 v6, -v7, v5, v4
  v_fmac_f32_e32 v5, v6, v8
  v_fma_f32 v4, -v7, v5, v4
  v_div_fmas_f32 v4, v4, v8, v5
  v_div_fixup_f32 v3, v4, v3, s4
  s_load_dwordx2 s[4:5], s[0:1], 0x40
  s_load_dwordx2 s[12:13], s[0:1], 0x68
  s_load_dwordx2 s[14:15], s[0:1], 0x90
  s_load_dwordx2 s[16:17], s[0:1], 0xb0
  v_mul_f32_e32 v4, v10, v10
  v_sub_f32_e32 v3, v3, v4
  v_add_f32_e32 v3, 0x3727c5ac, v3
  v_rsq_f32_e32 v11, v3
  s_waitcnt lgkmcnt(0)
  s_mul_i32 s0, s16, s20
  s_mul_hi_u32 s1, s16, s2
  s_add_i32 s0, s1, s0
  s_mul_i32 s1, s17, s2
  s_add_i32 s1, s0, s1
  s_mul_i32 s0, s16, s2
  s_lshl_b64 s[0:1], s[0:1], 2
  s_add_u32 s0, s14, s0
  v_mov_b32_e32 v3, 0
  s_addc_u32 s1, s15, s1
  v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
  s_add_i32 s0, s18, s3
  s_add_i32 s11, s0, s19
  s_lshl_b64 s[0:1], s[10:11], 2
  s_add_u32 s0, s6, s0
  s_addc_u32 s1, s7, s1
  v_lshl_add_u64 v[6:7], s[12:13], 0, v[2:3]
  v_lshl_add_u64 v[8:9], s[4:5], 0, v[2:3]
  v_lshl_add_u64 v[2:3], s[0:1], 0, v[2:3]
  s_mov_b64 s[0:1], 0
  s_mov_b64 s[2:3], 0x100
.L29c:
  global_load_dword v12, v[2:3], off
  global_load_dword v13, v[8:9], off
  global_load_dword v14, v[6:7], off
  v_lshl_add_u64 v[0:1], v[0:1], 0, 64
  v_cmp_le_i64_e32 vcc, s[8:9], v[0:1]
  v_lshl_add_u64 v[6:7], v[6:7], 0, s[2:3]
  v_lshl_add_u64 v[8:9], v[8:9], 0, s[2:3]
  v_lshl_add_u64 v[2:3], v[2:3], 0, s[2:3]
  s_or_b64 s[0:1], vcc, s[0:1]
  s_waitcnt vmcnt(2)
  v_sub_f32_e32 v12, v12, v10
  v_mul_f32_e32 v12, v11, v12
  s_waitcnt vmcnt(0)
  v_fmac_f32_e32 v14, v12, v13
  global_store_dword v[4:5], v14, off
  v_lshl_add_u64 v[4:5], v[4:5], 0, s[2:3]
  s_andn2_b64 exec, exec, s[0:1]
  s_cbranch_execnz .L29c
.L308:
  s_endpgm
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
.section .rodata,"a",@progbits
.p2align 6
.globl layernorm.kd
.type layernorm.kd,@object
.size layernorm.kd, 64
layernorm.kd:
  .long 0x00000000
  .long 0x00000000
  .long 0x000000c0
  .long 0x00000000
  .quad layernorm-layernorm.kd
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000003
  .long 0x00af00c1
  .long 0x00000084
  .long 0x00000008
  .long 0x00000000

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: layernorm
    .symbol: layernorm.kd
    .kernarg_segment_size: 192
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 27
    .vgpr_count: 15
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 8
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 16
        .size: 8
        .value_kind: by_value
      - .offset: 24
        .size: 8
        .value_kind: by_value
      - .offset: 32
        .size: 8
        .value_kind: by_value
      - .offset: 40
        .size: 8
        .value_kind: by_value
      - .offset: 48
        .size: 8
        .value_kind: by_value
      - .offset: 56
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 64
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 72
        .size: 8
        .value_kind: by_value
      - .offset: 80
        .size: 8
        .value_kind: by_value
      - .offset: 88
        .size: 8
        .value_kind: by_value
      - .offset: 96
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 104
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 112
        .size: 8
        .value_kind: by_value
      - .offset: 120
        .size: 8
        .value_kind: by_value
      - .offset: 128
        .size: 8
        .value_kind: by_value
      - .offset: 136
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 144
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 152
        .size: 8
        .value_kind: by_value
      - .offset: 160
        .size: 8
        .value_kind: by_value
      - .offset: 168
        .size: 8
        .value_kind: by_value
      - .offset: 176
        .size: 8
        .value_kind: by_value
      - .offset: 184
        .size: 8
        .value_kind: by_value
.end_amdgpu_metadata
