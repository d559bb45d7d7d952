.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected fp8
.globl fp8
.type fp8,@function
fp8:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  s_mov_b32 s10, 0x400000
  s_mov_b32 s0, 0x27000
  s_mov_b32 s11, s0
  s_mov_b32 s1, 0x100000
  s_waitcnt lgkmcnt(0)
  s_mov_b64 s[12:13], s[6:7]
  s_mov_b32 s14, s1
  s_mov_b32 s15, s0
  s_mov_b32 s6, s1
  s_mov_b32 s7, s0
  v_and_b32_e32 v1, 63, v0
  v_lshrrev_b32_e32 v2, 6, v0
  v_lshrrev_b32_e32 v80, 1, v2
  v_and_b32_e32 v81, 1, v2
  v_and_b32_e32 v82, 15, v1
  v_lshrrev_b32_e32 v83, 4, v1
  v_lshrrev_b32_e32 v64, 2, v0
  v_and_b32_e32 v65, 3, v0
  s_mov_b32 s0, 0x50
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v3, 0
  v_mov_b32_e32 v4, 0
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v6, 0
  v_mov_b32_e32 v7, 0
  v_mov_b32_e32 v8, 0
  v_mov_b32_e32 v9, 0
  v_mov_b32_e32 v10, 0
  v_mov_b32_e32 v11, 0
  v_mov_b32_e32 v12, 0
  v_mov_b32_e32 v13, 0
  v_mov_b32_e32 v14, 0
  v_mov_b32_e32 v15, 0
  v_mov_b32_e32 v16, 0
  v_mov_b32_e32 v17, 0
  v_mov_b32_e32 v18, 0
  v_mov_b32_e32 v19, 0
  v_mov_b32_e32 v20, 0
  v_mov_b32_e32 v21, 0
  v_mov_b32_e32 v22, 0
  v_mov_b32_e32 v23, 0
  v_mov_b32_e32 v24, 0
  v_mov_b32_e32 v25, 0
  v_mov_b32_e32 v26, 0
  v_mov_b32_e32 v27, 0
  v_mov_b32_e32 v28, 0
  v_mov_b32_e32 v29, 0
  v_mov_b32_e32 v30, 0
  v_mov_b32_e32 v31, 0
  v_mov_b32_e32 v32, 0
  v_mov_b32_e32 v33, 0
  v_mov_b32_e32 v34, 0
  v_mov_b32_e32 v35, 0
  v_mov_b32_e32 v36, 0
  v_mov_b32_e32 v37, 0
  v_mov_b32_e32 v38, 0
  v_mov_b32_e32 v39, 0
  v_mov_b32_e32 v40, 0
  v_mov_b32_e32 v41, 0
  v_mov_b32_e32 v42, 0
  v_mov_b32_e32 v43, 0
  v_mov_b32_e32 v44, 0
  v_mov_b32_e32 v45, 0
  v_mov_b32_e32 v46, 0
  v_mov_b32_e32 v47, 0
  v_mov_b32_e32 v48, 0
  v_mov_b32_e32 v49, 0
  v_mov_b32_e32 v50, 0
  v_mov_b32_e32 v51, 0
  v_mov_b32_e32 v52, 0
  v_mov_b32_e32 v53, 0
  v_mov_b32_e32 v54, 0
  v_mov_b32_e32 v55, 0
  v_mov_b32_e32 v56, 0
  v_mov_b32_e32 v57, 0
  v_mov_b32_e32 v58, 0
  v_mov_b32_e32 v59, 0
  v_mov_b32_e32 v60, 0
  v_mov_b32_e32 v61, 0
  v_mov_b32_e32 v62, 0
  v_mov_b32_e32 v63, 0
  s_mov_b32 s1, 0
  s_lshl_b32 s16, s3, 17
  v_lshlrev_b32_e32 v66, 10, v64
  v_lshl_add_u32 v84, v65, 4, v66
  s_lshl_b32 s17, s2, 17
  v_mad_u32_u24 v64, v64, s0, 0
  v_lshl_add_u32 v85, v65, 4, v64
  s_mov_b32 s18, 0x1400
  v_mad_u32_u24 v64, v80, s18, 0
  v_mad_u32_u24 v64, v82, s0, v64
  v_lshl_add_u32 v86, v83, 3, v64
  v_mad_u32_u24 v64, v82, s0, 0
  v_lshl_add_u32 v64, v83, 3, v64
  v_mad_u32_u24 v87, v81, s18, v64
.L1cc:
  s_add_i32 s0, s1, s16
  buffer_load_dwordx4 v[64:67], v84, s[4:7], s0 offen
  s_add_i32 s0, s0, 0x10000
  buffer_load_dwordx4 v[68:71], v84, s[4:7], s0 offen
  s_add_i32 s0, s1, s17
  buffer_load_dwordx4 v[72:75], v84, s[12:15], s0 offen
  s_add_i32 s0, s0, 0x10000
  buffer_load_dwordx4 v[76:79], v84, s[12:15], s0 offen
  s_barrier
  s_waitcnt vmcnt(3)
  ds_write_b128 v85, v[64:67]
  s_waitcnt vmcnt(2)
  ds_write_b128 v85, v[68:71] offset:5120
  s_waitcnt vmcnt(1)
  ds_write_b128 v85, v[72:75] offset:10240
  s_waitcnt vmcnt(0)
  ds_write_b128 v85, v[76:79] offset:15360
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b64 v[64:65], v86
  ds_read_b64 v[66:67], v86 offset:1280
  ds_read_b64 v[68:69], v86 offset:2560
  ds_read_b64 v[70:71], v86 offset:3840
  ds_read_b64 v[72:73], v87 offset:10240
  ds_read_b64 v[74:75], v87 offset:11520
  ds_read_b64 v[76:77], v87 offset:12800
  ds_read_b64 v[78:79], v87 offset:14080
  s_waitcnt lgkmcnt(3)
  v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[64:65], v[72:73], v[0:3]
  s_waitcnt lgkmcnt(2)
  v_mfma_f32_16x16x32_fp8_fp8 v[4:7], v[64:65], v[74:75], v[4:7]
  s_waitcnt lgkmcnt(1)
  v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[64:65], v[76:77], v[8:11]
  s_waitcnt lgkmcnt(0)
  v_mfma_f32_16x16x32_fp8_fp8 v[12:15], v[64:65], v[78:79], v[12:15]
  v_mfma_f32_16x16x32_fp8_fp8 v[16:19], v[66:67], v[72:73], v[16:19]
  v_mfma_f32_16x16x32_fp8_fp8 v[20:23], v[66:67], v[74:75], v[20:23]
  v_mfma_f32_16x16x32_fp8_fp8 v[24:27], v[66:67], v[76:77], v[24:27]
  v_mfma_f32_16x16x32_fp8_fp8 v[28:31], v[66:67], v[78:79], v[28:31]
  v_mfma_f32_16x16x32_fp8_fp8 v[32:35], v[68:69], v[72:73], v[32:35]
  v_mfma_f32_16x16x32_fp8_fp8 v[36:39], v[68:69], v[74:75], v[36:39]
  v_mfma_f32_16x16x32_fp8_fp8 v[40:43], v[68:69], v[76:77], v[40:43]
  v_mfma_f32_16x16x32_fp8_fp8 v[44:47], v[68:69], v[78:79], v[44:47]
  v_mfma_f32_16x16x32_fp8_fp8 v[48:51], v[70:71], v[72:73], v[48:51]
  v_mfma_f32_16x16x32_fp8_fp8 v[52:55], v[70:71], v[74:75], v[52:55]
  v_mfma_f32_16x16x32_fp8_fp8 v[56:59], v[70:71], v[76:77], v[56:59]
  v_mfma_f32_16x16x32_fp8_fp8 v[60:63], v[70:71], v[78:79], v[60:63]
  ds_read_b64 v[64:65], v86 offset:32
  ds_read_b64 v[66:67], v86 offset:1312
  ds_read_b64 v[68:69], v86 offset:2592
  ds_read_b64 v[70:71], v86 offset:3872
  ds_read_b64 v[72:73], v87 offset:10272
  ds_read_b64 v[74:75], v87 offset:11552
  ds_read_b64 v[76:77], v87 offset:12832
  ds_read_b64 v[78:79], v87 offset:14112
  s_waitcnt lgkmcnt(3)
  v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[64:65], v[72:73], v[0:3]
  s_waitcnt lgkmcnt(2)
  v_mfma_f32_16x16x32_fp8_fp8 v[4:7], v[64:65], v[74:75], v[4:7]
  s_waitcnt lgkmcnt(1)
  v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[64:65], v[76:77], v[8:11]
  s_waitcnt lgkmcnt(0)
  v_mfma_f32_16x16x32_fp8_fp8 v[12:15], v[64:65], v[78:79], v[12:15]
  v_mfma_f32_16x16x32_fp8_fp8 v[16:19], v[66:67], v[72:73], v[16:19]
  v_mfma_f32_16x16x32_fp8_fp8 v[20:23], v[66:67], v[74:75], v[20:23]
  v_mfma_f32_16x16x32_fp8_fp8 v[24:27], v[66:67], v[76:77], v[24:27]
  v_mfma_f32_16x16x32_fp8_fp8 v[28:31], v[66:67], v[78:79], v[28:31]
  v_mfma_f32_16x16x32_fp8_fp8 v[32:35], v[68:69], v[72:73], v[32:35]
  v_mfma_f32_16x16x32_fp8_fp8 v[36:39], v[68:69], v[74:75], v[36:39]
  v_mfma_f32_16x16x32_fp8_fp8 v[40:43], v[68:69], v[76:77], v[40:43]
  v_mfma_f32_16x16x32_fp8_fp8 v[44:47], v[68:69], v[78:79], v[44:47]
  v_mfma_f32_16x16x32_fp8_fp8 v[48:51], v[70:71], v[72:73], v[48:51]
  v_mfma_f32_16x16x32_fp8_fp8 v[52:55], v[70:71], v[74:75], v[52:55]
  v_mfma_f32_16x16x32_fp8_fp8 v[56:59], v[70:71], v[76:77], v[56:59]
  v_mfma_f32_16x16x32_fp8_fp8 v[60:63], v[70:71], v[78:79], v[60:63]
  s_add_i32 s1, s1, 64
  s_cmp_lt_i32 s1, 0x400
  s_cbranch_scc1 .L1cc
  s_lshl_b32 s0, s3, 19
  s_lshl_b32 s1, s2, 9
  s_add_i32 s0, s1, s0
  v_lshlrev_b32_e32 v64, 18, v80
  v_lshl_add_u32 v64, v82, 2, v64
  v_lshl_add_u32 v64, v83, 14, v64
  v_lshl_add_u32 v64, v81, 8, v64
  buffer_store_dword v0, v64, s[8:11], s0 offen
  buffer_store_dword v4, v64, s[8:11], s0 offen offset:64
  buffer_store_dword v8, v64, s[8:11], s0 offen offset:128
  buffer_store_dword v12, v64, s[8:11], s0 offen offset:192
  s_add_i32 s1, s0, 0x1000
  buffer_store_dword v1, v64, s[8:11], s1 offen
  buffer_store_dword v5, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v9, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v13, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x2000
  buffer_store_dword v2, v64, s[8:11], s1 offen
  buffer_store_dword v6, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v10, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v14, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x3000
  buffer_store_dword v3, v64, s[8:11], s1 offen
  buffer_store_dword v7, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v11, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v15, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x10000
  buffer_store_dword v16, v64, s[8:11], s1 offen
  buffer_store_dword v20, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v24, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v28, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x11000
  buffer_store_dword v17, v64, s[8:11], s1 offen
  buffer_store_dword v21, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v25, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v29, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x12000
  buffer_store_dword v18, v64, s[8:11], s1 offen
  buffer_store_dword v22, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v26, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v30, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x13000
  buffer_store_dword v19, v64, s[8:11], s1 offen
  buffer_store_dword v23, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v27, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v31, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x20000
  buffer_store_dword v32, v64, s[8:11], s1 offen
  buffer_store_dword v36, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v40, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v44, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x21000
  buffer_store_dword v33, v64, s[8:11], s1 offen
  buffer_store_dword v37, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v41, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v45, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x22000
  buffer_store_dword v34, v64, s[8:11], s1 offen
  buffer_store_dword v38, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v42, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v46, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x23000
  buffer_store_dword v35, v64, s[8:11], s1 offen
  buffer_store_dword v39, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v43, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v47, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x30000
  buffer_store_dword v48, v64, s[8:11], s1 offen
  buffer_store_dword v52, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v56, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v60, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x31000
  buffer_store_dword v49, v64, s[8:11], s1 offen
  buffer_store_dword v53, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v57, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v61, v64, s[8:11], s1 offen offset:192
  s_add_i32 s1, s0, 0x32000
  buffer_store_dword v50, v64, s[8:11], s1 offen
  buffer_store_dword v54, v64, s[8:11], s1 offen offset:64
  buffer_store_dword v58, v64, s[8:11], s1 offen offset:128
  buffer_store_dword v62, v64, s[8:11], s1 offen offset:192
  s_add_i32 s0, s0, 0x33000
  buffer_store_dword v51, v64, s[8:11], s0 offen
  buffer_store_dword v55, v64, s[8:11], s0 offen offset:64
  buffer_store_dword v59, v64, s[8:11], s0 offen offset:128
  buffer_store_dword v63, v64, s[8:11], s0 offen offset:192
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.globl fp8.kd
.type fp8.kd,@object
.size fp8.kd, 64
fp8.kd:
  .long 0x00005000
  .long 0x00000000
  .long 0x00000018
  .long 0x00000000
  .quad fp8-fp8.kd
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000000
  .long 0x00000015
  .long 0x00af00ca
  .long 0x00000184
  .long 0x00000008
  .long 0x00000000

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: fp8
    .symbol: fp8.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 20480
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 25
    .vgpr_count: 88
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [256, 1, 1]
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .name: "arg0"
        .address_space: global
      - .offset: 8
        .size: 8
        .value_kind: global_buffer
        .name: "arg1"
        .address_space: global
      - .offset: 16
        .size: 8
        .value_kind: global_buffer
        .name: "arg2"
        .address_space: global
.end_amdgpu_metadata
