// run: --block 128 --arg arange:512:i32 --arg zeros:512:i32
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected k
.globl k
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  s_mov_b64 s[8:9], src_shared_base
  s_mov_b32 s10, 0x55555555
  s_mov_b32 s11, s10
  s_waitcnt lgkmcnt(0) // needed: the pointers
  v_mov_b32_e32 v3, s7
  v_mov_b32_e32 v9, s9
  v_add_co_u32_e32 v4, vcc, s6, v1
  s_nop 1 // not needed: a carry is forwarded
  v_addc_co_u32_e32 v5, vcc, 0, v3, vcc
  v_add_co_u32_e32 v6, vcc, s6, v2
  s_nop 1 // not needed: a carry is forwarded
  v_addc_co_u32_e32 v7, vcc, 0, v3, vcc
  v_cndmask_b32_e64 v4, v4, v1, s[10:11]
  v_cndmask_b32_e64 v5, v5, v9, s[10:11]
  v_cndmask_b32_e64 v6, v6, v2, s[10:11]
  v_cndmask_b32_e64 v7, v7, v9, s[10:11]
  flat_store_dword v[4:5], v0
  s_waitcnt lgkmcnt(0) // needed: the even lanes' part, which is in LDS
  s_barrier // needed: the other wave's part is read
  flat_load_dword v8, v[6:7]
  s_waitcnt vmcnt(0) lgkmcnt(0) // needed: v8 comes from both
  v_add_u32_e32 v8, 1, v8
  global_store_dword v1, v8, s[6:7] offset:1024
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 64
    .max_flat_workgroup_size: 256
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}
      - {.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: out}
...
.end_amdgpu_metadata
