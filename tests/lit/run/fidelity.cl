// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O1 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel exact --arg zeros:64:f32 --fidelity 2>&1 | FileCheck --check-prefix=EXACT %s
// RUN: %inflight run %t.hsaco --kernel roots --arg zeros:64:f32 --fidelity 2>&1 | FileCheck --check-prefix=ROOTS %s
// RUN: %inflight run %t.hsaco --kernel exact --block 64 --arg zeros:64:f32 2>&1 | count 0

// EXACT: fidelity: {{[0-9]+}} instructions executed exactly, 0 approximately, 0 not at all
kernel void exact(global float *x) { x[__builtin_amdgcn_workitem_id_x()] *= 2; }

// ROOTS: fidelity: {{[0-9]+}} instructions executed exactly, 2 approximately (v_rcp_f32, v_sqrt_f32: within 1 ulp, as hardware is), 0 not at all
kernel void roots(global float *x) {
  float y = __builtin_amdgcn_sqrtf(x[__builtin_amdgcn_workitem_id_x()]);
  x[__builtin_amdgcn_workitem_id_x()] = __builtin_amdgcn_rcpf(y);
}
