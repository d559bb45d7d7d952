0
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text
.globl k
.type k,@function
k:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_mov_b32 m0, 64
  s_mov_b32 s6, 0x1000
  s_mov_b32 s7, 0x27000
  s_waitcnt lgkmcnt(0)
  s_mov_b64 s[4:5], s[2:3]
  v_lshlrev_b32 v1, 2, v0
  global_load_dwordx4 v[4:7], v1, s[2:3] offset:16
  flat_load_dword v2, v[4:5]
  buffer_load_dword v8, v1, s[4:7], 0 offen offset:4 glc
  buffer_load_dword v1, s[4:7], 0 offen lds
  buffer_store_format_xyzw v[4:7], off, s[4:7], s8 slc
  global_atomic_add v9, v1, v2, s[2:3] glc
  ds_write2st64_b32 v1, v2, v3 offset0:1 offset1:2
  ds_read_b128 v[4:7], v1 offset:16
  ds_add_rtn_u32 v2, v1, v3
  ds_bpermute_b32 v2, v1, v3
  ds_swizzle_b32 v2, v3 offset:swizzle(BITMASK_PERM, "01pip")
  scratch_store_dword off, v2, s9
  s_waitcnt vmcnt(0) & lgkmcnt(1)
  s_barrier
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
