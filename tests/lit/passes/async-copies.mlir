// RUN: %opt -mcpu=gfx950 --stages=2 --verify-copies --pass=inflight-async-copies %s | FileCheck %s
// RUN: %opt -mcpu=gfx950 --stages=3 --verify-copies --pass=inflight-async-copies %s | FileCheck %s --check-prefix=THREE
// RUN: sed '/^ *vector.store %v/s/vector.store %v/%w = arith.negf %v : vector<4xf32>\n      vector.store %w/' %s > %t.mlir
// RUN: %opt -mcpu=gfx950 --pass=inflight-async-copies %t.mlir | FileCheck %s --check-prefix=CHANGED
// Two buffers, filled by LDS DMA instead of stores; a second barrier an iteration, after which what was read is copied
// over.
// CHECK: gpu.func @k
// CHECK-SAME: inflight.remarks = [{{.*}}"AsyncCopies"
// CHECK-COUNT-2: memref.alloc() {inflight.lds_stage = {{[01]}} : i64} : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: vector.store {{.*}}workgroup
// CHECK: amdgpu.gather_to_lds
// CHECK: scf.for
// CHECK: llvm.fence syncscope("workgroup") acq_rel {inflight.lds_stage = 0 : i64}
// CHECK-NEXT: rocdl.s.barrier
// CHECK: vector.load {{.*}}workgroup
// CHECK: amdgpu.gather_to_lds
// CHECK: llvm.fence syncscope("workgroup") acq_rel {inflight.lds_stage = 1 : i64}
// THREE-COUNT-3: memref.alloc() {inflight.lds_stage
// What is stored isn't what was loaded: lanes load it two iterations ahead, and store it to the next buffer.
// CHANGED: inflight.remarks = [{{.*}}"what is stored to workgroup memory isn't as it was loaded from global memory, or zeros"
// CHANGED-NOT: gather_to_lds
// CHANGED: %[[FIRST:.*]] = vector.load
// CHANGED: %[[NEGATED:.*]] = arith.negf %[[FIRST]]
// CHANGED: vector.store %[[NEGATED]], {{.*}}workgroup
// CHANGED: %[[SECOND:.*]] = vector.load
// CHANGED: scf.for {{.*}} iter_args({{.*}}, %[[FETCHED:.*]] = %[[SECOND]])
// CHANGED: llvm.fence {{.*}} {inflight.lds_stage = 0 : i64}
// CHANGED-NEXT: rocdl.s.barrier
// CHANGED: %[[NEXT:.*]] = arith.negf %[[FETCHED]]
// CHANGED: vector.store %[[NEXT]], {{.*}}workgroup
// CHANGED-NOT: gather_to_lds
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %n: index, %o: memref<64x4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %poison = llvm.mlir.poison : !llvm.struct<(ptr<1>, ptr<1>, i64, array<2 x i64>, array<2 x i64>)>
    %a = builtin.unrealized_conversion_cast %poison : !llvm.struct<(ptr<1>, ptr<1>, i64, array<2 x i64>, array<2 x i64>)> to memref<64x512xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<64x4xf32, #lds>
    %t = gpu.thread_id x
    %last = arith.constant 63 : index
    %other = arith.subi %last, %t : index
    %r = scf.for %k = %c0 to %n step %c4 iter_args(%x = %zero) -> (vector<4xf32>) {
      %v = vector.load %a[%t, %k] : memref<64x512xf32>, vector<4xf32>
      vector.store %v, %tile[%t, %c0] : memref<64x4xf32, #lds>, vector<4xf32>
      gpu.barrier
      %y = vector.load %tile[%other, %c0] : memref<64x4xf32, #lds>, vector<4xf32>
      %sum = arith.addf %x, %y : vector<4xf32>
      gpu.barrier
      scf.yield %sum : vector<4xf32>
    }
    vector.store %r, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
}
