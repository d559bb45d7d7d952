// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/rotation.py %inflight %t.gfx90a.hsaco %t
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/rotation.py %inflight %t.gfx942.hsaco %t
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// Three buffers change places 1000 times: the body holds three iterations, each with known buffers, and
// what is left over comes after the loop.

// CHECK: s_cmp_lt_i32 s{{[0-9]+}}, 0x3e7
// CHECK: s_cbranch_scc1
gpu.module @m {
  gpu.func @rotate(%out: memref<2x64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %trips = arith.constant 1000 : index
    %zero = arith.constant 0 : i32
    %three = arith.constant 3 : i32
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    %c = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %zero, %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %zero, %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %zero, %c[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    %r:4 = scf.for %i = %c0 to %trips step %c1 iter_args(%x = %a, %y = %b, %z = %c, %sum = %zero)
        -> (memref<64xi32, #gpu.address_space<workgroup>>, memref<64xi32, #gpu.address_space<workgroup>>,
            memref<64xi32, #gpu.address_space<workgroup>>, i32) {
      %n = arith.addi %i, %t : index
      %new = arith.index_cast %n : index to i32
      memref.store %new, %x[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      %old = memref.load %y[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      %scaled = arith.muli %sum, %three : i32
      %next = arith.addi %scaled, %old : i32
      scf.yield %y, %z, %x, %next : memref<64xi32, #gpu.address_space<workgroup>>, memref<64xi32, #gpu.address_space<workgroup>>,
                                    memref<64xi32, #gpu.address_space<workgroup>>, i32
    }
    %last = memref.load %r#2[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %r#3, %out[%c0, %t] : memref<2x64xi32>
    memref.store %last, %out[%c1, %t] : memref<2x64xi32>
    gpu.return
  }
}
