.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.globl k
.type k,@function
k:
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, scale@rel32@lo+4
  s_addc_u32 s1, s1, scale@rel32@hi+12
  s_load_dword s0, s[0:1], 0x0
  s_endpgm
f:
  s_setpc_b64 s[30:31]
.data
.protected scale
.globl scale
.type scale,@object
.size scale, 4
scale:
  .long 7
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 64
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 4
    .max_flat_workgroup_size: 128
    .reqd_workgroup_size: [128, 1, 1]
...
.end_amdgpu_metadata
