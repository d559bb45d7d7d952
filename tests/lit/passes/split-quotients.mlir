// RUN: %opt --pass=inflight-split-quotients %s | FileCheck %s
// Quotients and remainders of sums, by what divides a summand.
gpu.module @m {
  // Steps of 64 and, in a lane, less than 64.
  // CHECK-LABEL: @inside
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: %[[Q:.*]] = arith.divui %[[K]], %{{.*}} : index
  // CHECK-NOT: arith.rem
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[Q]], %[[X:.*]]] : memref<16x64xf32>
  gpu.func @inside(%m: memref<16x64xf32>, %f: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c1024 step %c64 {
      %sum = arith.addi %k, %t : index
      %q = arith.divui %sum, %c64 : index
      %r = arith.remsi %sum, %c64 : index
      memref.store %f, %m[%q, %r] : memref<16x64xf32>
    }
    gpu.return
  }
  // More than the divisor: the lane's part is the same in all iterations.
  // CHECK-LABEL: @beyond
  // CHECK: %[[T:.*]] = gpu.thread_id
  // CHECK: %[[B:.*]] = arith.divui %[[T]], %{{.*}} : index
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: %[[A:.*]] = arith.divui %[[K]], %{{.*}} : index
  // CHECK: arith.addi %{{.*}} : index
  gpu.func @beyond(%m: memref<1024xf32>, %f: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c1024 step %c64 {
      %sum = arith.addi %t, %k : index
      %q = arith.floordivsi %sum, %c2 : index
      memref.store %f, %m[%q] : memref<1024xf32>
    }
    gpu.return
  }
  // Half of the divisor divides the counter, and the lane's part is less.
  // CHECK-LABEL: @half
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: %[[Q:.*]] = arith.divui %[[K]], %{{.*}} : index
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[Q]]]
  gpu.func @half(%m: memref<8xf32>, %f: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c1024 step %c64 {
      %sum = arith.addi %k, %t : index
      %q = arith.divui %sum, %c128 : index
      memref.store %f, %m[%q] : memref<8xf32>
    }
    gpu.return
  }
  // Nothing divides, or a summand may be negative, or the sum may wrap, or both are the lane's.
  // CHECK-LABEL: @refused
  // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : index
  // CHECK: arith.divui %[[SUM]], %{{.*}} : index
  // CHECK: %[[NEGATIVE:.*]] = arith.addi
  // CHECK: arith.divsi %[[NEGATIVE]], %{{.*}} : index
  // CHECK: %[[WRAPS:.*]] = arith.addi
  // CHECK: arith.divui %[[WRAPS]], %{{.*}} : index
  // CHECK: %[[THREE:.*]] = arith.addi
  // CHECK: arith.divui %[[THREE]], %{{.*}} : index
  // CHECK: %[[BOTH:.*]] = arith.addi
  // CHECK: arith.divui %[[BOTH]], %{{.*}} : index
  gpu.func @refused(%m: memref<?xf32>, %n: index, %f: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %cm64 = arith.constant -64 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    %t64 = arith.muli %t, %c64 : index
    scf.for %k = %c0 to %c1024 step %c16 {
      %sum = arith.addi %k, %t : index
      %q = arith.divui %sum, %c64 : index
      memref.store %f, %m[%q] : memref<?xf32>
    }
    scf.for %k = %cm64 to %c1024 step %c64 {
      %sum = arith.addi %k, %t : index
      %q = arith.divsi %sum, %c64 : index
      memref.store %f, %m[%q] : memref<?xf32>
    }
    scf.for %k = %c0 to %n step %c64 {
      %sum = arith.addi %k, %t : index
      %q = arith.divui %sum, %c64 : index
      memref.store %f, %m[%q] : memref<?xf32>
    }
    scf.for %k = %c0 to %c1024 step %c6 {
      %sum = arith.addi %k, %t : index
      %q = arith.divui %sum, %c3 : index
      memref.store %f, %m[%q] : memref<?xf32>
    }
    scf.for %k = %c0 to %c1024 step %c64 {
      %lanes = arith.addi %t64, %t : index
      %q = arith.divui %lanes, %c2 : index
      memref.store %f, %m[%q] : memref<?xf32>
    }
    gpu.return
  }
}
