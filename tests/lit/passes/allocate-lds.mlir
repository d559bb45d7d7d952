// RUN: %opt --pass=inflight-allocate-lds %s | FileCheck %s
// RUN: sed 's/1000xf32/1000000xf32/g' %s > %t.mlir && not %opt --pass=inflight-allocate-lds %t.mlir 2>&1 | FileCheck %s --check-prefix=MUCH
// Places at whole 16 bytes, one after the other; a fence of a buffer becomes one of its bytes.
// CHECK: gpu.func @k
// CHECK-SAME: inflight.lds_bytes = 4016 : i64
// CHECK: llvm.mlir.constant(0 : i32)
// CHECK: llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<3>
// CHECK: llvm.mlir.constant(16 : i32)
// CHECK: llvm.fence syncscope("workgroup") acq_rel {inflight.lds_stage = array<i64: 16, 4016>}
// CHECK: memref.alloca() : memref<4xf32, #gpu.address_space<private>>
// MUCH: error: workgroup memory exceeds the chip's 65536 bytes: 4000016 bytes with this allocation
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @k(%f: f32) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<3xf16, #lds>
    %b = memref.alloc() {inflight.lds_stage = 5 : i64} : memref<1000xf32, #lds>
    memref.store %f, %b[%c0] : memref<1000xf32, #lds>
    llvm.fence syncscope("workgroup") acq_rel {inflight.lds_stage = 5 : i64}
    %own = memref.alloc() : memref<4xf32, #gpu.address_space<private>>
    memref.store %f, %own[%c0] : memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }
}
