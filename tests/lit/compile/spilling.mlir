// Values leave their registers one by one, for AGPRs before scratch; constants are made again. A kernel that spills is
// compiled with fewer copies of its loops' iterations.
// RUN: %inflight compile -mcpu=gfx950 --verify-each --summary --max-registers=102,80,64 %examples/flash_attention/flash_attention_d64.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=AGPRS
// RUN: %inflight compile -mcpu=gfx950 --verify-each --summary --max-registers=40,64,48 %examples/gemm/gemm_f16_128_async16.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=FEWER
// RUN: %inflight compile -mcpu=gfx950 --verify-each --summary --max-registers=40,48,24 %examples/gemm/gemm_f16_128_async16.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=SCRATCH
// RUN: %inflight compile -mcpu=gfx950 --emit=asm --max-registers=40,48,24 %examples/gemm/gemm_f16_128_async16.mlir -o - 2>/dev/null | grep -c scratch_load | FileCheck %s --check-prefix=SHARED
// RUN: not %inflight compile --max-registers=1,2 %examples/gemm/gemm_f16_128.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %inflight compile --max-registers=102,4,0 %examples/gemm/gemm_f16_128.mlir -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=NONE
// AGPRS-NOT: spills
// AGPRS: {{(7[0-9]|80) VGPRs, [1-4]?[0-9] AGPRs}}
// FEWER-NOT: spills
// FEWER: {{(5[0-9]|6[0-4]) VGPRs, 4[0-8] AGPRs}}
// SCRATCH: spills {{([1-9]|[1-3][0-9]|4[0-8])}} vector and 0 scalar registers
// SCRATCH: {{4[0-8]}} VGPRs, {{(1[0-9]|2[0-4])}} AGPRs
// Uses close to each other share a reload: there were 98 with one for each.
// SHARED: {{^([1-7][0-9])$}}
// WRONG: --max-registers takes three numbers, not '1,2'
// NONE: kernel 'gemm_f16_128': needs more vector registers than the 4 that a workgroup of 256 lanes leaves
