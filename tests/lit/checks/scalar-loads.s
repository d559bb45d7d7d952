// A store to bytes of a scalar load that may be in flight: the vector unit's write may come first. One that was waited for, and other bytes, are all right.
// RUN: %inflight asm -mcpu=gfx942 %s -o %t.hsaco
// RUN: not %inflight run %t.hsaco --block 64 --check=all --arg zeros:256:i32 2>&1 | FileCheck %s
// CHECK: error: writes memory while the wave's own scalar load of it may be in flight: no lgkmcnt wait in between [write-after-read]
// CHECK-NEXT: global_store_dword v0, v1, s[2:3] offset:256
// CHECK: note: read here
// CHECK-NEXT: s_load_dwordx2 s[4:5], s[2:3], 0x108
// CHECK: note: fix: s_waitcnt lgkmcnt(0) before it
// CHECK-NOT: error:
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected k
.globl k
.type k,@function
k:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_and_b32 v0, 0x3ff, v0
  v_lshlrev_b32 v0, 2, v0
  v_mov_b32 v1, 7
  s_waitcnt lgkmcnt(0)
  s_load_dwordx2 s[4:5], s[2:3], 0x0
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[2:3]
  s_load_dwordx2 s[4:5], s[2:3], 0x108
  global_store_dword v0, v1, s[2:3] offset:512
  global_store_dword v0, v1, s[2:3] offset:256
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
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
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 64
    .max_flat_workgroup_size: 64
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}
...
.end_amdgpu_metadata
