// RUN: %opt -mcpu=gfx942 --pass=inflight-promote-private %s | FileCheck %s
// What a loop keeps in private memory it carries.
// CHECK-LABEL: gpu.func @sums
// CHECK-NOT: alloca
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[INIT:.*]], %[[B:.*]] = %[[INIT]]) -> (vector<4xf32>, vector<4xf32>)
// CHECK: %[[X:.*]] = arith.addf %[[A]], %{{.*}}
// CHECK: %[[Y:.*]] = arith.mulf %[[B]], %[[X]]
// CHECK: scf.yield %[[X]], %[[Y]]
// CHECK: vector.store %[[R]]#1
// What a branch stores is its result, the old value on the side that stores nothing.
// CHECK-LABEL: gpu.func @branch
// CHECK-NOT: alloca
// CHECK: %[[OLD:.*]] = arith.constant 1.0
// CHECK: %[[R:.*]] = scf.if {{.*}} -> (f32)
// CHECK: scf.yield %{{.*}}
// CHECK: else
// CHECK: scf.yield %[[OLD]]
// CHECK: memref.store %[[R]]
// Accesses of parts of a range.
// CHECK-LABEL: gpu.func @parts
// CHECK-NOT: alloca
// CHECK: vector.insert %{{.*}}, %{{.*}} [2] : f32 into vector<4xf32>
// CHECK: vector.extract_strided_slice {{.*}}offsets = [2], sizes = [2]
// A loop that counts the elements is unrolled; what it accumulates is carried by the one around it.
// CHECK-LABEL: gpu.func @counted
// CHECK-NOT: alloca
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, f32, f32)
// CHECK-NOT: scf.for
// CHECK: gpu.return
// Elements that are found while the kernel runs, or more than there are registers, stay in memory.
// CHECK-LABEL: gpu.func @dynamic
// CHECK-SAME: "an element is accessed whose place isn't a constant in it"
// CHECK: memref.alloca
// CHECK-LABEL: gpu.func @large
// CHECK-SAME: "it takes 600 registers"
// CHECK: memref.alloca
// CHECK-LABEL: gpu.func @escapes
// CHECK-SAME: "'memref.copy' uses it"
// CHECK: memref.alloca
!p = memref<2x4xf32, #gpu.address_space<private>>
!f = memref<4xf32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @sums(%n: index, %m: memref<4xf32>, %v: vector<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %kept = memref.alloca() : !p
    vector.store %zero, %kept[%c0, %c0] : !p, vector<4xf32>
    vector.store %zero, %kept[%c1, %c0] : !p, vector<4xf32>
    scf.for %i = %c0 to %n step %c1 {
      %a = vector.load %kept[%c0, %c0] : !p, vector<4xf32>
      %b = vector.load %kept[%c1, %c0] : !p, vector<4xf32>
      %x = arith.addf %a, %v : vector<4xf32>
      vector.store %x, %kept[%c0, %c0] : !p, vector<4xf32>
      %again = vector.load %kept[%c0, %c0] : !p, vector<4xf32>
      %y = arith.mulf %b, %again : vector<4xf32>
      vector.store %y, %kept[%c1, %c0] : !p, vector<4xf32>
    }
    %r = vector.load %kept[%c1, %c0] : !p, vector<4xf32>
    vector.store %r, %m[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @branch(%which: i1, %m: memref<4xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %kept = memref.alloca() : !f
    memref.store %one, %kept[%c0] : !f
    scf.if %which {
      memref.store %v, %kept[%c0] : !f
    }
    %r = memref.load %kept[%c0] : !f
    memref.store %r, %m[%c0] : memref<4xf32>
    gpu.return
  }
  gpu.func @parts(%m: memref<4xf32>, %v: f32, %w: vector<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %kept = memref.alloca() : !f
    vector.store %w, %kept[%c0] : !f, vector<4xf32>
    memref.store %v, %kept[%c2] : !f
    %r = vector.load %kept[%c2] : !f, vector<2xf32>
    vector.store %r, %m[%c0] : memref<4xf32>, vector<2xf32>
    gpu.return
  }
  gpu.func @counted(%n: index, %m: memref<4xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %kept = memref.alloca() : memref<3xf32, #gpu.address_space<private>>
    scf.for %i = %c0 to %c3 step %c1 {
      memref.store %v, %kept[%i] : memref<3xf32, #gpu.address_space<private>>
    }
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        %a = memref.load %kept[%j] : memref<3xf32, #gpu.address_space<private>>
        %x = memref.load %m[%j] : memref<4xf32>
        %s = arith.addf %a, %x : f32
        memref.store %s, %kept[%j] : memref<3xf32, #gpu.address_space<private>>
      }
    }
    %r = memref.load %kept[%c1] : memref<3xf32, #gpu.address_space<private>>
    memref.store %r, %m[%c0] : memref<4xf32>
    gpu.return
  }
  gpu.func @dynamic(%n: index, %m: memref<4xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %kept = memref.alloca() : !f
    memref.store %v, %kept[%n] : !f
    %r = memref.load %kept[%c0] : !f
    memref.store %r, %m[%c0] : memref<4xf32>
    gpu.return
  }
  gpu.func @large(%m: memref<4xf32>, %v: vector<600xf32>) kernel {
    %c0 = arith.constant 0 : index
    %kept = memref.alloca() : memref<600xf32, #gpu.address_space<private>>
    vector.store %v, %kept[%c0] : memref<600xf32, #gpu.address_space<private>>, vector<600xf32>
    %r = memref.load %kept[%c0] : memref<600xf32, #gpu.address_space<private>>
    memref.store %r, %m[%c0] : memref<4xf32>
    gpu.return
  }
  gpu.func @escapes(%m: memref<4xf32>) kernel {
    %kept = memref.alloca() : !f
    memref.copy %kept, %m : !f to memref<4xf32>
    gpu.return
  }
}
