// Launches that run, but not as meant, are warned about.
// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O1 -cl-kernel-arg-info %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel fill --arg zeros:256:f32 2>&1 | FileCheck --check-prefix=BLOCK %s
// RUN: %inflight run %t.hsaco --kernel fill --block 256 --arg zeros:256:f32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --kernel fill --block 256 --arg zeros:256:f64 2>&1 | FileCheck --check-prefix=TYPE %s
// RUN: %inflight run %t.hsaco --kernel fill --block 256 --arg zeros:1024:u8 2>&1 | count 0
// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O1 %s -o %t.nameless.hsaco
// RUN: not %inflight run %t.nameless.hsaco --kernel triton --arg zeros:4:f32 2>&1 | FileCheck --check-prefix=SCRATCH %s
// RUN: not %inflight run %t.hsaco --kernel triton --arg zeros:4:f32 2>&1 | FileCheck --check-prefix=NAMED --implicit-check-not="scratch: add" %s
// RUN: %inflight run %t.hsaco --kernel required --arg zeros:256:i32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --kernel shared --block 64 --arg lds:256 --arg zeros:64:i32 2>&1 | count 0
// RUN: %inflight run %t.hsaco --kernel shared --block 64 --arg zeros:64:i32 2>&1 | FileCheck --check-prefix=LDS %s
// RUN: %inflight run %t.hsaco --kernel shared --block 64 --lds 256 --arg zeros:64:i32 2>&1 | count 0

// BLOCK: warning: kernel 'fill': it states no block size, and --block isn't given: 64 lanes are assumed, up to 256 are possible
// TYPE: warning: kernel 'fill': argument 0 ('x') points to f32, 'zeros:256:f64' holds f64: pass f32
__attribute__((amdgpu_flat_work_group_size(1, 256))) kernel void fill(global float *x) { x[__builtin_amdgcn_workitem_id_x()] = 1; }

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void required(global int *x) { x[__builtin_amdgcn_workitem_id_x()] = 1; }

// LDS: warning: kernel 'shared': it accesses LDS but states none, and --lds isn't given
kernel void shared(local int *l, global int *x) {
  l[__builtin_amdgcn_workitem_id_x()] = x[0];
  __builtin_amdgcn_s_barrier();
  x[__builtin_amdgcn_workitem_id_x()] = l[63 - __builtin_amdgcn_workitem_id_x()];
}

// Triton's arguments have no names; those of a kernel of MLIR or OpenCL have, and nothing is said of Triton's scratch.
// NAMED: error: kernel 'triton' takes 3 arguments, 1 was given:
// SCRATCH: error: kernel 'triton' takes 3 arguments, 1 was given:
// SCRATCH: the last two pointers of a Triton kernel are scratch: add --arg null --arg null
kernel void triton(global float *x, global float *scratch, global float *profile) { x[0] = 1; }
