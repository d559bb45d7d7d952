// Wave 0 waits at a barrier that wave 1 never comes to.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl spin
.p2align 8
.type spin,@function
spin:
  v_cmp_gt_u32 vcc, 64, v0
  s_cbranch_vccz .Lother
  s_barrier
.Lother:
  s_nop 7
.Lspin:
  s_cbranch_vccz .Lspin
  s_endpgm
.size spin, .-spin
.rodata
.p2align 6
.amdhsa_kernel spin
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: spin
    .symbol: spin.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
