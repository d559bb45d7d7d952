// RUN: %opt -mcpu=gfx942 --pass=inflight-expand-atomics %s | FileCheck %s
// What the chip does as one instruction stays; the rest is a loop around an exchange.
// CHECK-LABEL: llvm.func @k
// CHECK: llvm.atomicrmw add
// CHECK: scf.while
// CHECK: llvm.cmpxchg
// CHECK-NOT: llvm.atomicrmw nand
// CHECK: llvm.return
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<1>, %x: i32) {
    %a = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i32
    %b = llvm.atomicrmw nand %p, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}
