// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -O1 %s -o %t.hsaco
// RUN: not %inflight run %t.hsaco --kernel depth --arg zeros:64:i32 --arg i32:400 2>&1 | FileCheck --check-prefix=STACK %s
// RUN: %inflight run %t.hsaco --kernel depth --arg zeros:64:i32 --arg i32:400 --scratch 65536
// RUN: not %inflight run %t.hsaco --kernel buffer --arg zeros:64:i32 2>&1 | FileCheck --check-prefix=BUFFER %s
// RUN: not %inflight run %t.hsaco --kernel picture --arg zeros:64:i32 --arg zeros:64:i32 2>&1 | FileCheck --check-prefix=IMAGE %s
// RUN: not %inflight run %t.hsaco --kernel depth --arg lds:64 --arg i32:1 2>&1 | FileCheck --check-prefix=LOCAL %s
// RUN: not %inflight run %t.hsaco --kernel sums --grid 2 --global 100 --arg zeros:64:i32 2>&1 | FileCheck --check-prefix=GLOBAL %s
// RUN: %inflight run %t.hsaco --kernel locals --arg lds:10 --arg lds:8 --arg zeros:4:u32 --out 2=%t.npy
// RUN: %python -c "import numpy as n; a = list(n.load('%t.npy')); assert a == [0, 16, 24, 0], a"

// RUN: %inflight run %t.hsaco --kernel optional --arg null --arg zeros:1:i32 --out 1=%t.npy
// RUN: %python -c "import numpy as n; a = list(n.load('%t.npy')); assert a == [7], a"
// RUN: not %inflight run %t.hsaco --kernel optional --arg zeros:1:i32 --arg null 2>&1 | FileCheck --check-prefix=NULL %s

// STACK: error: kernel 'depth': scratch access beyond the allocation of {{.*}} bytes a lane
__attribute__((noinline)) int descend(int n, private int *above) {
  private int here[16];
  here[n & 15] = n + *above;
  return n ? descend(n - 1, &here[n & 15]) : here[0];
}
kernel void depth(global int *x, int n) {
  int zero = 0;
  x[__builtin_amdgcn_workitem_id_x()] = descend(n, &zero);
}

kernel void sums(global int *x) { x[0] += 1; }

// What a grid's workgroups wait for each other by is there, as ROCm's device library has it up to 7.0: a counter and the
// number of workgroups. What several grids have in common isn't.
// RUN: %inflight run %t.hsaco --kernel together --grid 3,2 --block 64 --arg zeros:8:u32 --out 0=%t.npy
// RUN: %python -c "import numpy as n; a = list(n.load('%t.npy')); assert a == [6, 0, 6, 6, 6, 6, 6, 6], a"
#define ADD(P, N) __opencl_atomic_fetch_add(P, N, __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_DEVICE)
#define LOAD(P) __opencl_atomic_load(P, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE)
kernel void together(global uint *x) {
  global uint *barrier = ((global uint *constant *)__builtin_amdgcn_implicitarg_ptr())[11];
  global atomic_uint *counter = (global atomic_uint *)(barrier + 8), *arrived = (global atomic_uint *)x;
  const uint members = barrier[10], group = __builtin_amdgcn_workgroup_id_x() + 3 * __builtin_amdgcn_workgroup_id_y();
  if (__builtin_amdgcn_workitem_id_x())
    return;
  ADD(arrived, 1);
  const uint turn = ADD(counter, 1);
  if ((turn & 0xffff) == members - 1)
    ADD(counter, 0x10000 - members);
  while (LOAD(counter) >> 16 == turn >> 16)
    __builtin_amdgcn_s_sleep(1);
  x[2 + group] = LOAD(arrived);
}

// BUFFER: error: kernel 'buffer': scalar load outside every allocation: hidden argument 'hidden_multigrid_sync_arg' (of several grids), which this machine doesn't have
kernel void buffer(global int *x) {
  constant int *constant *constant *hidden = (constant int *constant *constant *)__builtin_amdgcn_implicitarg_ptr();
  x[0] = hidden[11][0][1];
}

// IMAGE: error: kernel 'picture': argument 1 is an image, which the machine doesn't have
kernel void picture(global int *x, read_only image2d_t image) { x[0] = 1; }

// LOCAL: error: kernel 'depth': argument 0 is no pointer to local memory, unlike 'lds:64'
// GLOBAL: error: --grid and --global exclude each other
// Pointers to local memory follow each other, aligned to what they point to.
kernel void locals(local char *a, local ulong2 *b, global uint *x) {
  x[0] = (uint)a;
  x[1] = (uint)b;
  x[2] = __builtin_amdgcn_groupstaticsize() + 24;
}

// NULL: error: kernel 'optional': {{.*}} outside every allocation
kernel void optional(global int *from, global int *to) { to[0] = from ? from[0] : 7; }
