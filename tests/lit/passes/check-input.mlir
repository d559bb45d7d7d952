// RUN: %opt --pass=inflight-check-input --pass=canonicalize %s | FileCheck %s
// RUN: sed -e 's/: index, %z/: index, %z/' -e 's/affine.apply .*/affine.apply affine_map<(d0) -> (d0 mod 0)>(%i)/' %s > %t.mlir && not %opt --pass=inflight-check-input %t.mlir 2>&1 | FileCheck %s --check-prefix=DIVISOR
// RUN: sed -e 's/memref<?x4xf32>/memref<?x4xi4>/' %s > %t.mlir && not %opt --pass=inflight-check-input %t.mlir 2>&1 | FileCheck %s --check-prefix=BITS
// A dimension that isn't constant is chosen among those that there are.
// CHECK-LABEL: func @dimension
// CHECK: %[[ROWS:.*]] = memref.dim %{{.*}}, %c0
// CHECK: %[[SECOND:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: arith.select %[[SECOND]], %c4, %[[ROWS]]
// DIVISOR: error: 'affine.apply' divides by a constant that isn't positive
// BITS: error: not supported: elements of 4 bits in memory, in 'memref<?x4xi4>'
func.func @dimension(%m: memref<?x4xf32>, %i: index) -> (index, index) {
  %size = memref.dim %m, %i : memref<?x4xf32>
  %half = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
  return %size, %half : index, index
}
