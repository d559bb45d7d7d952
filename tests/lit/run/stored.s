// A launch that stores nothing to global memory has no result, and says so: to LDS and scratch, with no lane, or beyond the buffer's range
// isn't to global memory. What is stored may be what was there.
// RUN: %inflight asm %s -o %t.hsaco

// RUN: %inflight run %t.hsaco --arg i32:0 --arg zeros:64:i32 2>&1 | FileCheck %s
// RUN: %inflight run %t.hsaco --arg i32:1 --arg zeros:64:i32 2>&1 | FileCheck %s
// RUN: %inflight run %t.hsaco --arg i32:2 --arg zeros:64:i32 2>&1 | FileCheck %s
// RUN: %inflight run %t.hsaco --arg i32:3 --arg zeros:64:i32 2>&1 | FileCheck %s
// RUN: %inflight run %t.hsaco --arg i32:4 --arg zeros:64:i32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --arg i32:5 --arg zeros:64:i32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --arg i32:6 --arg zeros:64:i32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --arg i32:7 --arg zeros:64:i32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --arg i32:8 --arg zeros:64:i32 2>&1 | FileCheck %s
// CHECK: warning: kernel 'k': nothing was stored to global memory, so the launch has no result

// One of several workgroups that stores is enough; without a buffer there is nowhere to store to.
// RUN: %inflight run %t.hsaco --grid 3 --arg i32:9 --arg zeros:64:i32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --arg i32:0 --arg null 2>&1 | count 0

// With checks and with time, for tools as well. A sample says nothing of the workgroups that it leaves out.
// RUN: %inflight run %t.hsaco --arg i32:0 --arg zeros:64:i32 --check=all --format=json 2>&1 | FileCheck %s --check-prefixes=CHECK,NOTHING
// RUN: %inflight run %t.hsaco --arg i32:4 --arg zeros:64:i32 --check=all --format=json 2>&1 | FileCheck %s --check-prefix=STORED --implicit-check-not=warning
// RUN: %inflight run %t.hsaco --arg i32:0 --arg zeros:64:i32 --timed --format=json 2>&1 | FileCheck %s --check-prefixes=CHECK,NOTHING
// RUN: %inflight run %t.hsaco --arg i32:4 --arg zeros:64:i32 --timed --format=json 2>&1 | FileCheck %s --check-prefix=STORED --implicit-check-not=warning
// RUN: %inflight run %t.hsaco --grid 40000 --arg i32:0 --arg zeros:64:i32 --timed --sample=1 --format=json 2>&1 | FileCheck %s --check-prefix=SAMPLE --implicit-check-not='"stored"'
// NOTHING: "stored": false
// STORED: "stored": true
// SAMPLE: "sampled": true
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dword s2, s[0:1], 0x0
  s_load_dwordx2 s[4:5], s[0:1], 0x8
  s_mov_b32 s6, 256
  s_mov_b32 s7, 0x20000
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 .Lend
  s_cmp_eq_u32 s2, 1
  s_cbranch_scc1 .Llds
  s_cmp_eq_u32 s2, 2
  s_cbranch_scc1 .Lscratch
  s_cmp_eq_u32 s2, 3
  s_cbranch_scc1 .Lnolane
  s_cmp_eq_u32 s2, 4
  s_cbranch_scc1 .Lglobal
  s_cmp_eq_u32 s2, 5
  s_cbranch_scc1 .Lbuffer
  s_cmp_eq_u32 s2, 6
  s_cbranch_scc1 .Latomic
  s_cmp_eq_u32 s2, 7
  s_cbranch_scc1 .Lflat
  s_cmp_eq_u32 s2, 8
  s_cbranch_scc1 .Lbeyond
  s_cmp_eq_u32 s8, 2 // the workgroup
  s_cbranch_scc1 .Lglobal
  s_endpgm
.Llds:
  ds_write_b32 v1, v0
  ds_add_u32 v1, v0
  s_endpgm
.Lscratch:
  s_mov_b32 s3, 0
  scratch_store_dword off, v0, s3
  s_endpgm
.Lnolane:
  s_mov_b64 exec, 0
.Lglobal:
  v_mov_b32 v2, 0
  global_store_dword v1, v2, s[4:5]
  s_endpgm
.Lbuffer:
  v_add_u32 v1, 252, v1 // all lanes but one are out of range
  buffer_store_dword v0, v1, s[4:7], 0 offen
  s_endpgm
.Latomic:
  v_mov_b32 v2, 0
  global_atomic_add v1, v2, s[4:5]
  s_endpgm
.Lflat:
  v_mov_b32 v3, s5
  v_mov_b32 v2, s4
  flat_store_byte v[2:3], v0
  s_endpgm
.Lbeyond:
  buffer_store_dword v0, v1, s[4:7], 0 offen offset:256
.Lend:
  s_endpgm
.Lcode:
.size k, .Lcode-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_private_segment_fixed_size 16
  .amdhsa_enable_private_segment 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_count 8
  .amdhsa_system_sgpr_workgroup_id_x 1
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
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 16
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - .offset: 0
        .size: 4
        .value_kind: by_value
      - .offset: 8
        .size: 8
        .value_kind: global_buffer
        .address_space: global
...
.end_amdgpu_metadata
