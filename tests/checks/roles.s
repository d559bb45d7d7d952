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
  v_and_b32_e32 v1, 0xfc, v1
  v_readfirstlane_b32 s8, v0
  s_cmp_lg_u32 s8, 0
  s_waitcnt lgkmcnt(0) // needed: the pointers
  s_cbranch_scc1 .Lconsumer
  global_load_dword v2, v1, s[4:5]
  global_load_dword v3, v1, s[4:5] offset:512
  s_waitcnt vmcnt(1) // needed: v2
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0) // needed: the write before the barrier
  s_barrier // needed: the consumer reads
  s_waitcnt vmcnt(0) // needed: v3
  v_add_u32_e32 v3, v2, v3
  s_barrier // needed: the consumer has read
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0) // needed: the write before the barrier
  s_barrier // not needed: the consumer's barrier doesn't wait for waves that have ended
  s_endpgm
.Lconsumer:
  s_barrier // needed: the producer has written
  ds_read_b32 v4, v1
  s_waitcnt lgkmcnt(0) // needed: v4, and the read before the barrier
  s_barrier // needed: the producer may overwrite
  v_lshlrev_b32_e32 v4, 1, v4
  s_barrier // needed: the producer has written again
  ds_read_b32 v5, v1
  s_waitcnt lgkmcnt(0) // needed: v5
  v_add_u32_e32 v4, v4, v5
  global_store_dword v1, v4, s[6:7]
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
