// A loop that stages tiles in workgroup memory copies them by LDS DMA, two iterations ahead, waits for the oldest copies
// alone, and reads without bank conflicts.
// RUN: inflight compile -mcpu=gfx950 --stages=3 --verify-each --remarks --emit=asm %s -o - 2>&1 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: inflight compile -mcpu=gfx942 --stages=3 --verify-each --remarks --emit=asm %s -o - 2>&1 | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: inflight compile -mcpu=gfx942 --async-copies=off --remarks --emit=asm %s -o - 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: inflight compile -mcpu=gfx950 --stages=4 --emit=asm %s -o - | FileCheck %s --check-prefix=FOUR

// WIDE: remark: tiles are copied by LDS DMA, 3 buffers of 4096 bytes, 1 instructions per wave and iteration; bank conflicts per iteration: {{[1-9][0-9]*}} cycles as written, 0 now [-Rpass=async-copies]
// NARROW: remark: tiles are copied by LDS DMA, 3 buffers of 4096 bytes, 4 instructions per wave and iteration
// CHECK-LABEL: sum:
// CHECK-NOT: ds_write
// The prologue.
// WIDE-COUNT-2: buffer_load_dwordx4 {{.*}} offen lds
// NARROW-COUNT-8: buffer_load_dword v{{.*}} offen lds
// The loop: the copies of one later iteration stay in flight at each barrier.
// CHECK: .L[[LOOP:sum_[0-9]+]]:
// WIDE: s_waitcnt vmcnt(1)
// NARROW: s_waitcnt vmcnt(4)
// CHECK-NOT: s_waitcnt
// CHECK: s_barrier
// CHECK-NOT: vmcnt(0)
// CHECK: s_cbranch_{{.*}} .L[[LOOP]]
// What is left when no copies are.
// CHECK: s_waitcnt vmcnt(0)
// CHECK: s_barrier

// OFF-NOT: =async-copies
// OFF: ds_write_b128
// OFF-NOT: offen lds

// FOUR: s_waitcnt vmcnt(2)
// FOUR: .amdhsa_group_segment_fixed_size 16384

gpu.module @m {
  gpu.func @sum(%a: memref<64x512xf32>, %n: index, %c: memref<256x4xf32>) kernel
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
      gpu.barrier
      %x = vector.load %tile[%lane, %from] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %next = arith.addf %acc, %x : vector<4xf32>
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    vector.store %sum, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }
}
