.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
  .text
  .p2align 8
kernel:
  ; BASE
  v_mov_b32_e32 v1, 1
  buffer_store_dword v1, off, s[0:3], 0 offset:36
  buffer_store_dword v1, off, s[0:3], 0 offset:32
.Lpoll:
  buffer_load_dword v5, off, s[0:3], 0 offset:32
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s9, v5
  s_cmp_eq_u32 s9, 0
  s_cbranch_scc1 .Lpoll
  s_endpgm
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel kernel
    .amdhsa_user_sgpr_private_segment_buffer 1
    .amdhsa_system_sgpr_private_segment_wavefront_offset 1
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_offset 8
  .end_amdhsa_kernel
