.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.amdhsa_code_object_version 5
.text
.protected sum
.globl sum
.p2align 8
.type sum,@function
sum:
  s_load_dwordx8 s[8:15], s[0:1], 0
  s_load_dwordx2 s[0:1], s[0:1], 32
  s_mov_b32 s2, 0x100
  s_mov_b32 s3, 0x27000
  s_waitcnt lgkmcnt(0)
  s_mul_i32 s6, s4, s14
  s_mul_hi_u32 s5, s4, s14
  s_mul_i32 s4, s4, s15
  s_add_i32 s7, s5, s4
  v_mov_b32 v1, 0
  v_mov_b32 v2, v0
  v_mov_b32 v3, 0
  s_mov_b64 s[4:5], exec
  v_mov_b32 v4, v0
  v_mov_b32 v5, 0
  v_cmp_lt_i64 s[10:11], v[4:5], s[12:13]
  s_and_b64 exec, exec, s[10:11]
  s_cbranch_execz .Lsum_4
  s_lshl_b64 s[6:7], s[6:7], 2
  s_add_u32 s6, s8, s6
  s_addc_u32 s7, s9, s7
  v_mov_b32 v4, s7
.Lsum_3:
  v_lshlrev_b64 v[6:7], 2, v[2:3]
  v_add_co_u32 v6, s[8:9], s6, v6
  v_addc_co_u32 v7, s[8:9], v4, v7, s[8:9]
  global_load_dword v5, v[6:7], off
  s_waitcnt vmcnt(0)
  v_add_f32 v5, v1, v5
  v_add_co_u32 v6, s[8:9], 64, v2
  v_addc_co_u32 v7, s[8:9], v3, 0, s[8:9]
  v_cmp_lt_i64 s[8:9], v[6:7], s[12:13]
  v_mov_b32 v1, v5
  v_mov_b32 v2, v6
  v_mov_b32 v3, v7
  s_and_b64 exec, exec, s[8:9]
  s_cbranch_execnz .Lsum_3
.Lsum_4:
  s_mov_b64 exec, s[4:5]
  v_lshlrev_b32 v0, 2, v0
  buffer_store_dword v1, v0, s[0:3], 0 offen
  s_endpgm
.Lsum_end:
.size sum, .Lsum_end-sum

.rodata
.p2align 6
.amdhsa_kernel sum
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_private_segment_fixed_size 0
  .amdhsa_kernarg_size 40
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_flat_scratch_init 1
  .amdhsa_system_sgpr_private_segment_wavefront_offset 0
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y 0
  .amdhsa_system_sgpr_workgroup_id_z 0
  .amdhsa_system_vgpr_workitem_id 0
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_reserve_vcc 1
  .amdhsa_float_denorm_mode_32 3
  .amdhsa_float_denorm_mode_16_64 3
  .amdhsa_ieee_mode 1
  .amdhsa_dx10_clamp 1
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.kernels:
  - .name: sum
    .symbol: sum.kd
    .language: Assembler
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 8
    .agpr_count: 0
    .sgpr_spill_count: 0
    .vgpr_spill_count: 0
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
    .args:
      - .name: arg0
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .type_name: f32
        .address_space: global
      - .name: arg0.size0
        .offset: 8
        .size: 8
        .value_kind: by_value
        .type_name: i64
      - .name: arg0.size1
        .offset: 16
        .size: 8
        .value_kind: by_value
        .type_name: i64
      - .name: arg0.stride0
        .offset: 24
        .size: 8
        .value_kind: by_value
        .type_name: i64
      - .name: arg1
        .offset: 32
        .size: 8
        .value_kind: global_buffer
        .type_name: f32
        .address_space: global
...
.end_amdgpu_metadata
