// O[lane] = n * lane + scale's bits, with padding between arguments as hand-written kernels have it.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.globl pads
.p2align 8
.type pads,@function
pads:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x10
  s_load_dword s7, s[0:1], 0x20
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  v_mul_lo_u32 v2, v0, s6
  v_add_u32_e32 v2, s7, v2
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 .Lend
  global_store_dword v1, v2, s[4:5]
.Lend:
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel pads
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 40
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: pads
    .symbol: pads.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .name: O, .address_space: global }
      - { .offset: 8, .size: 8, .value_kind: by_value, .name: pad }
      - { .offset: 16, .size: 4, .value_kind: by_value, .name: n }
      - { .offset: 20, .size: 12, .value_kind: by_value, .name: pad }
      - { .offset: 32, .size: 4, .value_kind: by_value, .name: scale }
      - { .offset: 36, .size: 4, .value_kind: by_value, .name: pad }
.end_amdgpu_metadata
