// A wave that ends with an LDS read in flight: nobody uses its result, whatever others write there. A write must be done.
// RUN: sh -c 'inflight waits -mcpu=gfx942 %s; test $? = 4' 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// CHECK: in writes:
// CHECK: warning: s_endpgm is reached while ds_write_b32 is perhaps still in flight
.text
.macro kernel name access:vararg
.globl \name
.type \name,@function
\name:
  v_readfirstlane_b32 s8, v0
  v_mov_b32_e32 v2, 0
  s_cmp_lt_u32 s8, 64
  s_cbranch_scc0 .Lelse\@
  \access
  s_endpgm
.Lelse\@:
  s_barrier
  ds_write_b32 v2, v0
  s_waitcnt lgkmcnt(0)
  s_endpgm
.size \name, .-\name
.endm
kernel reads ds_read_b32 v3, v2
kernel writes ds_write_b32 v2, v0
.rodata
.macro descriptor name
.p2align 6
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_group_segment_fixed_size 4096
.end_amdhsa_kernel
.endm
descriptor reads
descriptor writes
