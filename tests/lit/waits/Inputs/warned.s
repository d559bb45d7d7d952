// Programs whose waits `inflight waits` warns of, and which need others all the same.
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
  v_mov_b32_e32 v2, 1
  s_mov_b32 m0, 0
  s_waitcnt lgkmcnt(0)
  ds_write_b32 v1, v2
  ds_write_b32 v1, v2 offset:1024
  s_waitcnt lgkmcnt(0)
  // LDS DMA over what is being read: it comes a memory latency later. The register needs its wait all the same.
  ds_read_b32 v3, v1
  global_load_lds_dword v1, s[4:5]
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, 1, v3
  s_waitcnt vmcnt(0)
  // Two reads, then LDS DMA over both: the wait lets the second one be in flight.
  ds_read_b32 v4, v1
  ds_read_b32 v5, v1
  global_load_lds_dword v1, s[4:5]
  s_waitcnt lgkmcnt(1)
  v_add_u32_e32 v3, v3, v4
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_u32_e32 v3, v3, v5
  // Half of what is read is used after many cycles, the other half after a wait.
  ds_read2_b32 v[6:7], v1 offset1:1
  ds_read_b32 v8, v1 offset:1024
  .rept 32
  s_nop 15
  .endr
  v_add_u32_e32 v3, v3, v6
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v7
  v_add_u32_e32 v3, v3, v8
  ds_read_b32 v9, v1 offset:1024
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v9
  global_store_dword v1, v3, s[6:7]
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
