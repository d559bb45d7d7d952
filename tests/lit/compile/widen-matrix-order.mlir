// Matrix instructions are joined where that adds floats in another order only if somebody allows it: the option, the kernel, or a
// module around it. Sums of integers wrap, and are the same in any order. Remarks say what happens.
// RUN: %inflight compile -mcpu=gfx950 --emit=asm --remarks %s -o - 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: %inflight compile -mcpu=gfx950 --emit=asm --reassociate %s -o - | FileCheck %s --check-prefix=OPTION
// RUN: sed "s/^module {/module attributes {inflight.reassociate} {/" %s | %inflight compile -mcpu=gfx950 --emit=asm - -o - | FileCheck %s --check-prefix=OPTION
// The C API and Python have the option, too.
// RUN: env PYTHONPATH=%S/../../../python INFLIGHT_LIBRARY=%build/lib/libinflight.so %python -c "import inflight; print(inflight.compile(open('%s').read(), 'gfx950', 'asm', reassociate=True))" | FileCheck %s --check-prefix=OPTION
// RUN: env PYTHONPATH=%S/../../../python INFLIGHT_LIBRARY=%build/lib/libinflight.so %python -c "import inflight; print(inflight.compile(open('%s').read(), 'gfx950', 'asm'))" | FileCheck %s

// CHECK-LABEL: strict:
// CHECK-COUNT-2: v_mfma_f32_16x16x16_f16
// CHECK-LABEL: allowed:
// CHECK: v_mfma_f32_16x16x32_f16
// CHECK-NOT: v_mfma
// CHECK-LABEL: bytes:
// CHECK: v_mfma_i32_16x16x64_i8
// CHECK-NOT: v_mfma
// CHECK-LABEL: llvm_strict:
// CHECK-COUNT-2: v_mfma_f32_16x16x16_f16
// CHECK-LABEL: llvm_allowed:
// CHECK: v_mfma_f32_16x16x32_f16

// OPTION-LABEL: strict:
// OPTION: v_mfma_f32_16x16x32_f16
// OPTION-NOT: v_mfma
// OPTION-LABEL: allowed:
// OPTION-LABEL: llvm_strict:
// OPTION: v_mfma_f32_16x16x32_f16

// REMARK: widen-matrix-order.mlir:[[@LINE+11]]:11: remark: 1 times, 2 matrix instructions on an accumulator aren't made one of more depth, which would add floats in another order: --reassociate allows it, or inflight.reassociate on the kernel [-Rpass-missed=widen-matrix]
// REMARK: remark: 1 times, 2 matrix instructions on an accumulator are one of more depth, which adds floats in another order [-Rpass=widen-matrix]
module {
gpu.module @m {
  gpu.func @strict(%f: memref<4x64xvector<4xf16>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %x = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %y = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %x * %x + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %y * %y + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @allowed(%f: memref<4x64xvector<4xf16>>, %to: memref<64xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>, inflight.reassociate} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %x = memref.load %f[%c0, %t] : memref<4x64xvector<4xf16>>
    %y = memref.load %f[%c1, %t] : memref<4x64xvector<4xf16>>
    %m0 = amdgpu.mfma 16x16x16 %x * %x + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %m1 = amdgpu.mfma 16x16x16 %y * %y + %m0 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %m1, %to[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @bytes(%f: memref<4x64xvector<8xi8>>, %to: memref<64xvector<4xi32>>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0> : vector<4xi32>
    %t = gpu.thread_id x
    %x = memref.load %f[%c0, %t] : memref<4x64xvector<8xi8>>
    %y = memref.load %f[%c1, %t] : memref<4x64xvector<8xi8>>
    %m0 = amdgpu.mfma 16x16x32 %x * %x + %zero blgp = none : vector<8xi8>, vector<8xi8>, vector<4xi32>
    %m1 = amdgpu.mfma 16x16x32 %y * %y + %m0 blgp = none : vector<8xi8>, vector<8xi8>, vector<4xi32>
    memref.store %m1, %to[%t] : memref<64xvector<4xi32>>
    gpu.return
  }
  llvm.func @llvm_strict(%f: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %none = llvm.mlir.constant(0 : i32) : i32
    %zero = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
    %t = rocdl.workitem.id.x : i32
    %at = llvm.getelementptr %f[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xf16>
    %next = llvm.getelementptr %at[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, vector<4xf16>
    %x = llvm.load %at : !llvm.ptr<1> -> vector<4xf16>
    %y = llvm.load %next : !llvm.ptr<1> -> vector<4xf16>
    %m0 = rocdl.mfma.f32.16x16x16f16 %x, %x, %zero, %none, %none, %none : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %m1 = rocdl.mfma.f32.16x16x16f16 %y, %y, %m0, %none, %none, %none : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %out = llvm.getelementptr %to[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    llvm.store %m1, %out : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @llvm_allowed(%f: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>, inflight.reassociate} {
    %none = llvm.mlir.constant(0 : i32) : i32
    %zero = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
    %t = rocdl.workitem.id.x : i32
    %at = llvm.getelementptr %f[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xf16>
    %next = llvm.getelementptr %at[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, vector<4xf16>
    %x = llvm.load %at : !llvm.ptr<1> -> vector<4xf16>
    %y = llvm.load %next : !llvm.ptr<1> -> vector<4xf16>
    %m0 = rocdl.mfma.f32.16x16x16f16 %x, %x, %zero, %none, %none, %none : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %m1 = rocdl.mfma.f32.16x16x16f16 %y, %y, %m0, %none, %none, %none : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %out = llvm.getelementptr %to[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    llvm.store %m1, %out : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
}
