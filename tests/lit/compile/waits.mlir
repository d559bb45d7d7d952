// RUN: %inflight compile --emit=asm %s -o - | FileCheck %s
// Each load is waited for right before its first use, with the younger ones left in flight.

// CHECK-LABEL: two_loads:
// CHECK: buffer_load_dword [[A:v[0-9]+]],
// CHECK: buffer_load_dword [[B:v[0-9]+]],
// CHECK: s_waitcnt vmcnt(1)
// CHECK-NEXT: buffer_store_dword [[A]]
// A store counts, too: the second load is now the second youngest.
// CHECK-NEXT: s_waitcnt vmcnt(1)
// CHECK-NEXT: buffer_store_dword [[B]]
gpu.module @m {
  gpu.func @two_loads(%a: memref<256xf32>, %b: memref<256xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %u = arith.addi %t, %c64 : index
    %x = memref.load %a[%t] : memref<256xf32>
    %y = memref.load %a[%u] : memref<256xf32>
    memref.store %x, %b[%t] : memref<256xf32>
    memref.store %y, %b[%u] : memref<256xf32>
    gpu.return
  }

  // A wait of the source's, vmcnt(1), leaves the younger load in flight.
  // CHECK-LABEL: own_wait:
  // CHECK: buffer_load_dword [[A:v[0-9]+]],
  // CHECK: buffer_load_dword [[B:v[0-9]+]],
  // CHECK-NEXT: s_waitcnt 3953
  // CHECK-NEXT: buffer_store_dword [[A]]
  // CHECK-NEXT: s_waitcnt vmcnt(1)
  // CHECK-NEXT: buffer_store_dword [[B]]
  gpu.func @own_wait(%a: memref<256xf32>, %b: memref<256xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %u = arith.addi %t, %c64 : index
    %x = memref.load %a[%t] : memref<256xf32>
    %y = memref.load %a[%u] : memref<256xf32>
    rocdl.s.waitcnt 3953
    memref.store %x, %b[%t] : memref<256xf32>
    memref.store %y, %b[%u] : memref<256xf32>
    gpu.return
  }
}
