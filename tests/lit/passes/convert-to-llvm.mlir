// RUN: %opt --pass=inflight-convert-to-llvm --pass=reconcile-unrealized-casts %s | FileCheck %s
// Control flow stays scf, all else is the LLVM and ROCDL dialects.
// CHECK: llvm.func @k
// CHECK-SAME: gpu.kernel
// CHECK: rocdl.workitem.id.x
// CHECK: scf.if
// CHECK: llvm.store
// CHECK-NOT: arith.
// CHECK: llvm.return
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %less = arith.cmpi slt, %i, %n : i32
    scf.if %less {
      llvm.store %i, %p : i32, !llvm.ptr<1>
    }
    gpu.return
  }
}
