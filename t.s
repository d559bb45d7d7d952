.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected transpose
.globl transpose
.type transpose,@function
transpose:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_and_b32_e32 v10, 31, v0
  v_lshrrev_b32_e32 v11, 5, v0
  s_lshl_b32 s0, s2, 5
  s_lshl_b32 s1, s3, 5
  v_or_b32_e32 v0, s1, v11
  v_or_b32_e32 v1, s0, v10
  v_lshl_add_u32 v0, v0, 10, v1
  v_mov_b32_e32 v1, 0
  s_waitcnt lgkmcnt(0)
  v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
  v_add_u32_e32 v4, 0x2000, v0
  v_mov_b32_e32 v5, v1
  v_add_u32_e32 v6, 0x4000, v0
  v_mov_b32_e32 v7, v1
  v_add_u32_e32 v0, 0x6000, v0
  v_lshl_add_u64 v[4:5], v[4:5], 2, s[4:5]
  v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
  v_lshl_add_u64 v[8:9], v[0:1], 2, s[4:5]
  global_load_dword v12, v[2:3], off
  global_load_dword v13, v[4:5], off
  global_load_dword v14, v[6:7], off
  global_load_dword v15, v[8:9], off
  v_lshlrev_b32_e32 v0, 2, v10
  v_lshlrev_b32_e32 v2, 2, v11
  v_or_b32_e32 v6, s1, v10
  v_lshl_or_b32 v8, v11, 7, v0
  v_lshl_or_b32 v10, v10, 7, v2
  v_or_b32_e32 v4, s0, v11
  v_lshl_add_u32 v0, v4, 10, v6
  v_mov_b32_e32 v3, v1
  v_mov_b32_e32 v5, v1
  v_lshl_add_u64 v[6:7], v[0:1], 2, s[6:7]
  v_add_u32_e32 v2, 0x2000, v0
  v_add_u32_e32 v4, 0x4000, v0
  v_add_u32_e32 v0, 0x6000, v0
  v_lshl_add_u64 v[2:3], v[2:3], 2, s[6:7]
  v_lshl_add_u64 v[4:5], v[4:5], 2, s[6:7]
  v_lshl_add_u64 v[0:1], v[0:1], 2, s[6:7]
  s_waitcnt vmcnt(2)
  ds_write2st64_b32 v8, v12, v13 offset1:4
  s_waitcnt vmcnt(0)
  ds_write2st64_b32 v8, v14, v15 offset0:8 offset1:12
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read2_b32 v[8:9], v10 offset1:8
  ds_read2_b32 v[10:11], v10 offset0:16 offset1:24
  s_waitcnt lgkmcnt(1)
  global_store_dword v[6:7], v8, off
  global_store_dword v[2:3], v9, off
  s_waitcnt lgkmcnt(0)
  global_store_dword v[4:5], v10, off
  global_store_dword v[0:1], v11, off
  s_endpgm
.protected __clang_ocl_kern_imp_transpose
.globl __clang_ocl_kern_imp_transpose
.type __clang_ocl_kern_imp_transpose,@function
__clang_ocl_kern_imp_transpose:
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_and_b32_e32 v12, 31, v31
  v_bfe_u32 v13, v31, 5, 5
  s_lshl_b32 s0, s12, 5
  s_lshl_b32 s1, s13, 5
  v_or_b32_e32 v4, s1, v13
  v_or_b32_e32 v5, s0, v12
  v_lshl_add_u32 v4, v4, 10, v5
  v_mov_b32_e32 v5, 0
  v_lshl_add_u64 v[6:7], v[4:5], 2, v[0:1]
  v_add_u32_e32 v8, 0x2000, v4
  v_mov_b32_e32 v9, v5
  v_add_u32_e32 v10, 0x4000, v4
  v_mov_b32_e32 v11, v5
  v_add_u32_e32 v4, 0x6000, v4
  s_trap 2
  v_lshl_add_u64 v[8:9], v[8:9], 2, v[0:1]
  v_lshl_add_u64 v[10:11], v[10:11], 2, v[0:1]
  v_lshl_add_u64 v[0:1], v[4:5], 2, v[0:1]
  global_load_dword v14, v[6:7], off
  global_load_dword v15, v[8:9], off
  global_load_dword v16, v[10:11], off
  global_load_dword v17, v[0:1], off
  v_or_b32_e32 v0, s0, v13
  v_or_b32_e32 v4, s1, v12
  v_lshl_add_u32 v4, v0, 10, v4
  v_add_u32_e32 v0, 0x2000, v4
  v_mov_b32_e32 v1, v5
  v_mov_b32_e32 v7, v5
  v_lshl_add_u64 v[8:9], v[4:5], 2, v[2:3]
  v_add_u32_e32 v6, 0x4000, v4
  v_add_u32_e32 v4, 0x6000, v4
  v_lshl_add_u64 v[6:7], v[6:7], 2, v[2:3]
  s_waitcnt vmcnt(3)
  ds_write_b32 v0, v14
  s_waitcnt vmcnt(2)
  ds_write_b32 v0, v15
  s_waitcnt vmcnt(1)
  ds_write_b32 v0, v16
  s_waitcnt vmcnt(0)
  ds_write_b32 v0, v17
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v10, v0
  v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
  v_lshl_add_u64 v[2:3], v[4:5], 2, v[2:3]
  s_waitcnt lgkmcnt(0)
  global_store_dword v[8:9], v10, off
  global_store_dword v[0:1], v10, off
  global_store_dword v[6:7], v10, off
  global_store_dword v[2:3], v10, off
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
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
  .long 0x00001000
  .long 0x00000000
  .long 0x00000010
  .long 0x00000000
  .quad transpose-transpose.kd
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000003
  .long 0x00af0041
  .long 0x00000184
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
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 16
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
.end_amdgpu_metadata
