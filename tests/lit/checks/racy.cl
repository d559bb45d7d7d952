// A barrier is missing between the writes and the reads of local memory.
__attribute__((reqd_work_group_size(128, 1, 1)))
kernel void reverse(global uint *out, global const uint *in) {
  local uint tile[128];
  uint i = __builtin_amdgcn_workitem_id_x();
  tile[i] = in[i];
  out[i] = tile[127 - i];
}

// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -g -O1 %s -o %t.hsaco
// RUN: not %inflight run %t.hsaco --block 128 --arg zeros:128:i32 --arg arange:128:i32 --check=all 2>&1 | FileCheck %s
// RUN: not %inflight run %t.hsaco --block 128 --arg zeros:128:i32 --arg arange:128:i32 --check=race --format=json | %python %S/../support/check_report.py json racy.cl
// RUN: not %inflight run %t.hsaco --block 128 --arg zeros:128:i32 --arg arange:128:i32 --check=race --format=sarif | %python %S/../support/check_report.py sarif racy.cl
// RUN: not %inflight run %t.hsaco --block 128 --arg zeros:128:i32 --arg arange:128:i32 --check=race --format=github | FileCheck %s --check-prefix=GITHUB
// RUN: not %inflight run %t.hsaco --block 128 --arg zeros:128:i32 --arg arange:128:i32 --check=race --delivery=random:7 2>&1 | FileCheck %s

// CHECK: .hsaco: in reverse:
// CHECK-NEXT: racy.cl:{{[67]}}:{{[0-9]+}}: error: {{reads|writes}} LDS byte {{[0-9]+}}, which wave {{[01]}} {{reads|writes}}: no barrier in between [race]
// CHECK-NEXT: {{[67]}} | {{.*}}tile[
// CHECK-NEXT: | {{ *\^}}
// CHECK-NEXT: | 0x{{[0-9a-f]+}}: ds_
// CHECK-NEXT: racy.cl:{{[67]}}:{{[0-9]+}}: note: {{read|written}} here
// CHECK-NEXT: {{[67]}} | {{.*}}tile[
// CHECK-NEXT: | {{ *\^}}
// CHECK-NEXT: | 0x{{[0-9a-f]+}}: ds_
// CHECK-NEXT: note: fix: an s_barrier between them
// CHECK-NEXT: note: workgroup (0, 0, 0), wave {{[01]}}, other wave {{[01]}}, lane {{[0-9]+}}
// GITHUB: ::error file={{.*}}racy.cl,line={{[67]}},col={{[0-9]+}},title=race::{{.*}} no barrier in between%0Aat 0x
// GITHUB-SAME: %0A{{read|written}} here 0x
// GITHUB-SAME: %0Ahint: an s_barrier
