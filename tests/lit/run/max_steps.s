// The step limit counts instructions, whatever a wave does, barriers included.
// RUN: %inflight asm %s -o %t.hsaco

// Six instructions where the loop isn't entered.
// RUN: %inflight run %t.hsaco --arg i32:0 --block 64 --max-steps 6 2>&1 | count 0
// RUN: not %inflight run %t.hsaco --arg i32:0 --block 64 --max-steps 5 2>&1 | FileCheck %s
// RUN: not %inflight run %t.hsaco --arg i32:1 --block 128 --max-steps 1000 2>&1 | FileCheck %s
// RUN: not %inflight run %t.hsaco --arg i32:1 --block 128 --max-steps 1000 --check=all 2>&1 | FileCheck %s
// CHECK: error: kernel 'k': the wave does not end: step limit reached
// CHECK: workgroup (0, 0, 0), wave 0

// RUN: not %inflight run %t.hsaco --arg i32:0 --block 64 --max-steps 0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: --max-steps 0 would let no wave execute an instruction
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dword s2, s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 .Lout
.Lloop:
  s_barrier
  s_branch .Lloop
.Lout:
  s_nop 0
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: n, .offset: 0, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
