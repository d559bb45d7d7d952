// Asynchronous copies in groups: a wait for all but so many groups is a count of the instructions after the last group that it is for, whatever
// their sizes, and of other memory operations between them.
// RUN: inflight compile -mcpu=gfx950 --verify-each --emit=asm %s -o - | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: inflight compile -mcpu=gfx942 --verify-each --remarks --emit=asm %s -o - 2>&1 | FileCheck %s --check-prefixes=CHECK,NARROW,REMARK

// REMARK: remark: the copy isn't asynchronous, it goes through registers: what the lanes of a wave copy isn't one piece of workgroup memory [-Rpass-missed=async-copies]

#lds = #gpu.address_space<workgroup>
gpu.module @m {
  // Two groups an iteration, of two copies and of one: what is read first is in the larger one.
  // CHECK-LABEL: ring:
  // WIDE-COUNT-3: buffer_load_dwordx4 {{.*}} offen lds
  // NARROW-COUNT-12: buffer_load_dword v{{.*}} offen lds
  // CHECK: .L[[LOOP:ring_[0-9]+]]:
  // The smaller group stays in flight.
  // WIDE: s_waitcnt vmcnt(1)
  // NARROW: s_waitcnt vmcnt(4)
  // CHECK-NEXT: s_barrier
  // CHECK-NOT: vmcnt
  // CHECK: ds_read
  // The larger group of the next iteration.
  // WIDE-COUNT-2: offen lds
  // NARROW-COUNT-8: offen lds
  // WIDE: s_waitcnt vmcnt(2)
  // NARROW: s_waitcnt vmcnt(8)
  // CHECK: s_cbranch_{{.*}} .L[[LOOP]]
  gpu.func @ring(%a: memref<64x1024xf32>, %n: index, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %large = memref.alloc() : memref<2x2x256x4xf32, #lds>
    %small = memref.alloc() : memref<2x256x4xf32, #lds>
    // A lane copies a piece, and reads those of others.
    %row = arith.divui %t, %c4 : index
    %part = arith.remui %t, %c4 : index
    %piece = arith.muli %part, %c4 : index
    %other = arith.xori %t, %c64 : index
    %s0 = nvgpu.device_async_copy %a[%row, %piece], %large[%c0, %c0, %t, %c0], 4 : memref<64x1024xf32> to memref<2x2x256x4xf32, #lds>
    %s1 = nvgpu.device_async_copy %a[%row, %piece], %large[%c0, %c1, %t, %c0], 4 : memref<64x1024xf32> to memref<2x2x256x4xf32, #lds>
    %g0 = nvgpu.device_async_create_group %s0, %s1
    %s2 = nvgpu.device_async_copy %a[%row, %piece], %small[%c0, %t, %c0], 4 : memref<64x1024xf32> to memref<2x256x4xf32, #lds>
    %g1 = nvgpu.device_async_create_group %s2
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %token = %g0) -> (vector<4xf32>, !nvgpu.device.async.token) {
      %this = arith.remui %i, %c2 : index
      %next = arith.subi %c1, %this : index
      %i1 = arith.addi %i, %c1 : index
      %step = arith.muli %i1, %c4 : index
      %at = arith.addi %step, %piece : index
      nvgpu.device_async_wait %token {numGroups = 1 : i32}
      gpu.barrier
      %x = vector.load %large[%this, %c1, %other, %c0] : memref<2x2x256x4xf32, #lds>, vector<4xf32>
      %l0 = nvgpu.device_async_copy %a[%row, %at], %large[%next, %c0, %t, %c0], 4 : memref<64x1024xf32> to memref<2x2x256x4xf32, #lds>
      %l1 = nvgpu.device_async_copy %a[%row, %at], %large[%next, %c1, %t, %c0], 4 : memref<64x1024xf32> to memref<2x2x256x4xf32, #lds>
      %gl = nvgpu.device_async_create_group %l0, %l1
      nvgpu.device_async_wait %token {numGroups = 1 : i32}
      gpu.barrier
      %y = vector.load %small[%this, %other, %c0] : memref<2x256x4xf32, #lds>, vector<4xf32>
      %l2 = nvgpu.device_async_copy %a[%row, %at], %small[%next, %t, %c0], 4 : memref<64x1024xf32> to memref<2x256x4xf32, #lds>
      %gs = nvgpu.device_async_create_group %l2
      %xy = arith.addf %x, %y : vector<4xf32>
      %new = arith.addf %acc, %xy : vector<4xf32>
      scf.yield %new, %gl : vector<4xf32>, !nvgpu.device.async.token
    }
    vector.store %sum#0, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }

  // Without a number the group of the token is waited for: the store and the other group's copy come after it.
  // CHECK-LABEL: named:
  // CHECK: buffer_store_dword
  // WIDE: s_waitcnt vmcnt(2)
  // NARROW: s_waitcnt vmcnt(5)
  // CHECK: ds_read_b128
  gpu.func @named(%a: memref<64x4xf32>, %b: memref<64xf32>, %c: memref<64x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %first = memref.alloc() : memref<64x4xf32, #lds>
    %second = memref.alloc() : memref<64x4xf32, #lds>
    %s0 = nvgpu.device_async_copy %a[%t, %c0], %first[%t, %c0], 4 : memref<64x4xf32> to memref<64x4xf32, #lds>
    %g0 = nvgpu.device_async_create_group %s0
    memref.store %one, %b[%t] : memref<64xf32>
    %s1 = nvgpu.device_async_copy %a[%t, %c0], %second[%t, %c0], 4 : memref<64x4xf32> to memref<64x4xf32, #lds>
    %g1 = nvgpu.device_async_create_group %s1
    nvgpu.device_async_wait %g0
    %x = vector.load %first[%t, %c0] : memref<64x4xf32, #lds>, vector<4xf32>
    nvgpu.device_async_wait %g1
    %y = vector.load %second[%t, %c0] : memref<64x4xf32, #lds>, vector<4xf32>
    %sum = arith.addf %x, %y : vector<4xf32>
    vector.store %sum, %c[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }

  // Rows that are padded don't lie side by side. The copy is made where it stands.
  // CHECK-LABEL: padded:
  // CHECK-NOT: lds
  // CHECK: ds_write_b128
  gpu.func @padded(%a: memref<64x4xf32>, %c: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %other = arith.subi %c63, %t : index
    %tile = memref.alloc() : memref<64x8xf32, #lds>
    %s0 = nvgpu.device_async_copy %a[%t, %c0], %tile[%t, %c0], 4 : memref<64x4xf32> to memref<64x8xf32, #lds>
    %g0 = nvgpu.device_async_create_group %s0
    nvgpu.device_async_wait %g0
    gpu.barrier
    %x = vector.load %tile[%other, %c0] : memref<64x8xf32, #lds>, vector<4xf32>
    vector.store %x, %c[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
}
