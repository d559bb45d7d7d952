.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected transpose
.globl transpose
.type transpose,@function
transpose:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b32 s8, s3
  s_ashr_i32 s3, s2, 31
  s_ashr_i32 s9, s8, 31
  s_lshl_b64 s[0:1], s[2:3], 7
  s_waitcnt lgkmcnt(0)
  s_add_u32 s0, s4, s0
  v_and_b32_e32 v10, 0x3ff, v0
  s_addc_u32 s1, s5, s1
  v_mov_b32_e32 v3, 0
  v_lshlrev_b32_e32 v2, 2, v10
  v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
  s_lshl_b64 s[0:1], s[8:9], 15
  v_bfe_u32 v11, v0, 10, 10
  v_lshl_or_b32 v0, v11, 10, s0
  v_mov_b32_e32 v1, s1
  v_lshl_add_u64 v[0:1], v[4:5], 0, v[0:1]
  s_movk_i32 s0, 0x2000
  v_add_co_u32_e32 v4, vcc, s0, v0
  s_movk_i32 s4, 0x4000
  s_nop 0
  v_addc_co_u32_e32 v5, vcc, 0, v1, vcc
  v_add_co_u32_e32 v6, vcc, s4, v0
  s_movk_i32 s0, 0x6000
  s_nop 0
  v_addc_co_u32_e32 v7, vcc, 0, v1, vcc
  v_add_co_u32_e32 v8, vcc, s0, v0
  s_movk_i32 s0, 0x84
  s_nop 0
  v_addc_co_u32_e32 v9, vcc, 0, v1, vcc
  global_load_dword v13, v[0:1], off
  global_load_dword v14, v[4:5], off
  global_load_dword v15, v[6:7], off
  global_load_dword v16, v[8:9], off
  v_or_b32_e32 v0, 8, v11
  v_or_b32_e32 v1, 16, v11
  v_or_b32_e32 v4, 24, v11
  v_mul_u32_u24_e32 v5, 33, v10
  v_mad_u32_u24 v7, v11, s0, v2
  v_mad_u32_u24 v8, v0, s0, v2
  v_mad_u32_u24 v9, v1, s0, v2
  v_mad_u32_u24 v10, v4, s0, v2
  s_lshl_b64 s[0:1], s[8:9], 7
  s_add_u32 s0, s6, s0
  v_lshlrev_b32_e32 v0, 2, v5
  s_addc_u32 s1, s7, s1
  s_lshl_b64 s[2:3], s[2:3], 16
  v_lshl_add_u32 v12, v11, 2, v0
  v_lshl_add_u64 v[0:1], s[0:1], 0, v[2:3]
  v_lshl_or_b32 v2, v11, 11, s2
  v_mov_b32_e32 v3, s3
  v_lshl_add_u64 v[0:1], v[0:1], 0, v[2:3]
  v_add_co_u32_e32 v2, vcc, s4, v0
  s_waitcnt vmcnt(3)
  ds_write_b32 v7, v13
  s_waitcnt vmcnt(2)
  ds_write_b32 v8, v14
  s_waitcnt vmcnt(1)
  ds_write_b32 v9, v15
  s_waitcnt vmcnt(0)
  ds_write_b32 v10, v16
  v_addc_co_u32_e32 v3, vcc, 0, v1, vcc
  v_add_co_u32_e32 v4, vcc, 0x8000, v0
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read2_b32 v[8:9], v12 offset1:8
  ds_read2_b32 v[10:11], v12 offset0:16 offset1:24
  v_addc_co_u32_e32 v5, vcc, 0, v1, vcc
  v_add_co_u32_e32 v6, vcc, 0xc000, v0
  s_nop 1
  v_addc_co_u32_e32 v7, vcc, 0, v1, vcc
  s_waitcnt lgkmcnt(1)
  global_store_dword v[0:1], v8, off
  global_store_dword v[2:3], v9, off
  s_waitcnt lgkmcnt(0)
  global_store_dword v[4:5], v10, off
  global_store_dword v[6:7], v11, off
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
.section .rodata,"a",@progbits
.p2align 6
.globl transpose.kd
.type transpose.kd,@object
.size transpose.kd, 64
transpose.kd:
  .long 0x00001080
  .long 0x00000000
  .long 0x00000010
  .long 0x00000000
  .quad transpose-transpose.kd
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000004
  .long 0x00af0042
  .long 0x00000984
  .long 0x00000008
  .long 0x00000000

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: transpose
    .symbol: transpose.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4224
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 17
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [32, 8, 1]
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
      - .offset: 8
        .size: 8
        .value_kind: global_buffer
        .address_space: global
.end_amdgpu_metadata
