// RUN: %inflight compile -mcpu=gfx942 --summary %examples/gemm/gemm_f16_128.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: %inflight compile -mcpu=gfx942 --summary --min-waves=5 %examples/gemm/gemm_f16_128.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: not %inflight compile --min-waves=9 %examples/gemm/gemm_f16_128.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %inflight compile -mcpu=gfx942 --no-schedule --emit=asm %examples/flash_attention/flash_attention_d64.mlir -o - | FileCheck %s --check-prefix=ORDER
// Occupancy that is asked for bounds the registers; five waves leave 96 to each.

// FREE: 1{{[0-9][0-9]}} VGPRs
// FIVE: {{ [1-9][0-9]}} VGPRs
// WRONG: --min-waves takes 1 to 8, not '9'
// ORDER: ds_read2_b64
// ORDER-NEXT: s_waitcnt lgkmcnt(0)
// ORDER-NEXT: v_mfma
