// Global memory is named by the argument it belongs to, in every format.
__attribute__((reqd_work_group_size(128, 1, 1)))
kernel void shift(global const uint *in, global uint *out) {
  uint i = __builtin_amdgcn_workitem_id_x();
  out[i] = in[i];
  out[i] = out[(i + 64) % 128] + 1;
}
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void behind(global const uint *in, global uint *out) {
  uint i = __builtin_amdgcn_workitem_id_x();
  out[i + 4] = in[i];
}

// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -cl-kernel-arg-info -O1 %s -o %t.hsaco
// RUN: not %inflight run %t.hsaco --kernel shift --arg zeros:128:u32 --arg zeros:128:u32 --check=all 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %inflight run %t.hsaco --kernel shift --arg zeros:128:u32 --arg zeros:128:u32 --check=all --format=json | FileCheck %s --check-prefix=RACE
// RUN: not %inflight run %t.hsaco --kernel shift --arg zeros:128:u32 --arg zeros:128:u32 --check=all --format=sarif | FileCheck %s --check-prefix=RACE
// RUN: not %inflight run %t.hsaco --kernel behind --arg zeros:64:u32 --arg zeros:64:u32 --check=all 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not %inflight run %t.hsaco --kernel behind --arg zeros:64:u32 --arg zeros:64:u32 --check=all --format=json | FileCheck %s --check-prefix=BEHIND
// RUN: not %inflight run %t.hsaco --kernel behind --arg zeros:64:u32 --arg zeros:64:u32 --check=all --format=sarif | %python %S/../support/check_report.py sarif places.cl.tmp.hsaco
// RUN: not %inflight run %t.hsaco --kernel behind --arg zeros:64:u32 --arg zeros:64:u32 2>&1 | FileCheck %s --check-prefix=BEHIND

// A file's name isn't always a URI.
// RUN: cp %t.hsaco '%t 100%%.hsaco'
// RUN: not %inflight run '%t 100%%.hsaco' --kernel shift --arg zeros:128:u32 --arg zeros:128:u32 --check=all --format=sarif | %python %S/../support/check_report.py sarif places.cl.tmp%%20100%%25.hsaco

// RACE: {{reads|writes}} global memory at argument 1 ('out') + 0x{{[0-9a-f]+}}, which wave {{[01]}}
// BEHIND: access of 4 bytes outside every allocation, lane 60: argument 1 ('out') + 0x100, beyond its 256 bytes
