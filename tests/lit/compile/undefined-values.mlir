// Poison and undef of the LLVM dialect under operations of other dialects, whose folders take them for their own constants.
// RUN: %inflight compile --emit=asm --verify-each %s -o - | FileCheck %s
// CHECK-LABEL: slices:
// CHECK-COUNT-2: global_store_dwordx4
llvm.func @slices(%o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %0 = llvm.mlir.constant(dense<0.000000e+00> : vector<4xf32>) : vector<4xf32>
  %1 = llvm.mlir.poison : vector<8xf32>
  %2 = vector.insert_strided_slice %0, %1 {offsets = [0], strides = [1]} : vector<4xf32> into vector<8xf32>
  %3 = vector.insert_strided_slice %0, %2 {offsets = [4], strides = [1]} : vector<4xf32> into vector<8xf32>
  llvm.store %3, %o : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}
// CHECK-LABEL: elements:
// CHECK: global_store_dwordx2
llvm.func @elements(%o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %0 = llvm.mlir.undef : f32
  %1 = arith.constant dense<1.0> : vector<2xf32>
  %2 = vector.insert %0, %1[1] : f32 into vector<2xf32>
  llvm.store %2, %o : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}
