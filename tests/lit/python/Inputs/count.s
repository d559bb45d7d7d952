; Counts to a number, a step an iteration, and stores it.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl count
.p2align 8
.type count,@function
count:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  s_mov_b32 s7, 0
  s_waitcnt lgkmcnt(0)
.Lloop:
  s_add_u32 s7, s7, 1
  s_cmp_lg_u32 s7, s6
  s_cbranch_scc1 .Lloop
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, s7
  global_store_dword v1, v2, s[4:5]
  s_endpgm
.Lend:
.size count, .Lend-count
.rodata
.p2align 6
.amdhsa_kernel count
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: count
    .symbol: count.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .args:
      - {.name: to, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: most, .offset: 8, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
