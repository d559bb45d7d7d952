2
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.globl k
.type k,@function
k:
  s_mov_b32 s4, 3
.Lloop:
  s_sub_u32 s4, s4, 1
  v_cmpx_gt_u32 exec, 9, v0
  s_and_saveexec_b64 s[6:7], vcc
  s_cbranch_execz .Lskip
  v_prng_b32 v1, v0
  v_permlane32_swap_b32 v1, v2
  v_cvt_scalef32_pk_f32_fp8 v[2:3], v1, v4
  v_bitop3_b32 v1, v2, v3, v4 bitop3:0x96
.Lskip:
  s_mov_b64 exec, s[6:7]
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 .Lloop
  s_getpc_b64 s[8:9]
  s_add_u32 s8, s8, .Lend - .
  s_swappc_b64 s[10:11], s[8:9]
  s_sleep 1
  s_setprio 1
  s_nop 7
.Lend:
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
