// What a loop with copied tiles loads into registers, from an address that its counter decides, is loaded an iteration
// ahead and before the copies, so that its wait leaves those in flight.
// RUN: inflight compile -mcpu=gfx950 --stages=3 --verify-each --emit=asm %s -o - | FileCheck %s

// CHECK-LABEL: own:
// CHECK: .L[[LOOP:own_[0-9]+]]:
// CHECK: s_waitcnt vmcnt(2)
// CHECK-NEXT: s_barrier
// CHECK: buffer_load_dwordx4 v[{{[0-9:]+}}], v{{[0-9]+}}, s[{{[0-9:]+}}], s{{[0-9]+}} offen offset:64
// CHECK: buffer_load_dwordx4 {{.*}} offen lds
// CHECK-NOT: vmcnt(0)
// CHECK: s_cbranch_{{.*}} .L[[LOOP]]

gpu.module @m {
  gpu.func @own(%a: memref<64x512xf32>, %n: index, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<64x16xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row = arith.divui %t, %c4 : index
    %part = arith.remui %t, %c4 : index
    %column = arith.muli %part, %c4 : index
    %lane = arith.remui %t, %c64 : index
    %wave = arith.divui %t, %c64 : index
    %from = arith.muli %wave, %c4 : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %at = arith.addi %k, %column : index
      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>
      vector.store %v, %tile[%row, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      // What the tile has for the lane as well.
      %place = arith.addi %k, %from : index
      %own = vector.load %a[%lane, %place] : memref<64x512xf32>, vector<4xf32>
      gpu.barrier
      %x = vector.load %tile[%lane, %from] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %none = arith.subf %x, %own : vector<4xf32>
      %all = arith.addf %own, %none : vector<4xf32>
      %next = arith.addf %acc, %all : vector<4xf32>
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    vector.store %sum, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }
}
