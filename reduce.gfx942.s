.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected reduce
.globl reduce
.type reduce,@function
reduce:
  s_load_dwordx2 s[4:5], s[0:1], 0x18
  s_ashr_i32 s3, s2, 31
  s_lshl_b64 s[6:7], s[2:3], 8
  v_or_b32_e32 v2, s6, v0
  v_mov_b32_e32 v3, s7
  v_mov_b32_e32 v5, 0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_i64_e32 vcc, s[4:5], v[2:3]
  v_mov_b32_e32 v1, 0
  s_and_saveexec_b64 s[6:7], vcc
  s_cbranch_execz .La4
  s_load_dword s8, s[0:1], 0x50
  s_load_dwordx2 s[10:11], s[0:1], 0x8
  s_mov_b32 s9, 0
  s_lshl_b64 s[12:13], s[2:3], 10
  v_lshlrev_b32_e32 v4, 2, v0
  s_waitcnt lgkmcnt(0)
  s_lshl_b64 s[2:3], s[8:9], 8
  s_add_u32 s10, s10, s12
  s_addc_u32 s11, s11, s13
  v_lshl_add_u64 v[4:5], s[10:11], 0, v[4:5]
  s_lshl_b64 s[10:11], s[8:9], 10
  s_mov_b64 s[8:9], 0
  v_mov_b32_e32 v1, 0
.L70:
  global_load_dword v6, v[4:5], off
  v_lshl_add_u64 v[2:3], v[2:3], 0, s[2:3]
  v_cmp_le_i64_e32 vcc, s[4:5], v[2:3]
  v_lshl_add_u64 v[4:5], v[4:5], 0, s[10:11]
  s_or_b64 s[8:9], vcc, s[8:9]
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v1, v1, v6
  s_andn2_b64 exec, exec, s[8:9]
  s_cbranch_execnz .L70
  s_or_b64 exec, exec, s[8:9]
.La4:
  s_or_b64 exec, exec, s[6:7]
  v_and_b32_e32 v2, 63, v0
  v_lshlrev_b32_e32 v0, 2, v2
  v_xor_b32_e32 v0, 0x80, v0
  ds_bpermute_b32 v0, v0, v1
  v_mov_b32_e32 v3, 0
  v_cmp_eq_u64_e32 vcc, 0, v[2:3]
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v0, v1, v0
  ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,16)
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v0, v0, v1
  ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,8)
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v0, v0, v1
  ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,4)
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v0, v0, v1
  ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,2)
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v0, v0, v1
  ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,1)
  s_and_saveexec_b64 s[2:3], vcc
  s_cbranch_execz .L1c4
  s_mov_b64 s[2:3], exec
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v0, v0, v1
  v_bfrev_b32_e32 v2, 1
.L130:
  s_ff1_i32_b64 s4, s[2:3]
  v_readlane_b32 s6, v0, s4
  s_lshl_b64 s[4:5], 1, s4
  s_andn2_b64 s[2:3], s[2:3], s[4:5]
  v_add_f32_e32 v2, s6, v2
  s_cbranch_scc1 .L130
  v_mbcnt_lo_u32_b32 v0, exec_lo, 0
  v_mbcnt_hi_u32_b32 v0, exec_hi, v0
  v_cmp_eq_u32_e32 vcc, 0, v0
  s_and_saveexec_b64 s[2:3], vcc
  s_xor_b64 s[2:3], exec, s[2:3]
  s_cbranch_execz .L1c4
  s_load_dwordx2 s[0:1], s[0:1], 0x30
  s_mov_b64 s[2:3], 0
  v_mov_b32_e32 v3, 0
  s_waitcnt lgkmcnt(0)
  s_load_dword s4, s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v1, s4
.L190:
  v_add_f32_e32 v0, v1, v2
  buffer_wbl2 sc0 sc1
  global_atomic_cmpswap v0, v3, v[0:1], s[0:1] sc0 sc1
  s_waitcnt vmcnt(0)
  buffer_inv sc0 sc1
  v_cmp_eq_u32_e32 vcc, v0, v1
  s_or_b64 s[2:3], vcc, s[2:3]
  v_mov_b32_e32 v1, v0
  s_andn2_b64 exec, exec, s[2:3]
  s_cbranch_execnz .L190
.L1c4:
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
  s_nop 0
.section .rodata,"a",@progbits
.p2align 6
.globl reduce.kd
.type reduce.kd,@object
.size reduce.kd, 64
reduce.kd:
  .long 0x00000000
  .long 0x00000000
  .long 0x00000150
  .long 0x00000000
  .quad reduce-reduce.kd
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000001
  .long 0x00af0080
  .long 0x00000084
  .long 0x00000008
  .long 0x00000000

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: reduce
    .symbol: reduce.kd
    .kernarg_segment_size: 336
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 7
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [256, 1, 1]
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
        .value_kind: global_buffer
        .address_space: global
      - .offset: 48
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 56
        .size: 8
        .value_kind: by_value
      - .offset: 64
        .size: 8
        .value_kind: by_value
      - .offset: 72
        .size: 8
        .value_kind: by_value
      - .offset: 80
        .size: 4
        .value_kind: hidden_block_count_x
      - .offset: 84
        .size: 4
        .value_kind: hidden_block_count_y
      - .offset: 88
        .size: 4
        .value_kind: hidden_block_count_z
      - .offset: 92
        .size: 2
        .value_kind: hidden_group_size_x
      - .offset: 94
        .size: 2
        .value_kind: hidden_group_size_y
      - .offset: 96
        .size: 2
        .value_kind: hidden_group_size_z
      - .offset: 98
        .size: 2
        .value_kind: hidden_remainder_x
      - .offset: 100
        .size: 2
        .value_kind: hidden_remainder_y
      - .offset: 102
        .size: 2
        .value_kind: hidden_remainder_z
      - .offset: 120
        .size: 8
        .value_kind: hidden_global_offset_x
      - .offset: 128
        .size: 8
        .value_kind: hidden_global_offset_y
      - .offset: 136
        .size: 8
        .value_kind: hidden_global_offset_z
      - .offset: 144
        .size: 2
        .value_kind: hidden_grid_dims
.end_amdgpu_metadata
