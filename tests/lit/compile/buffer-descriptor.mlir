// RUN: %inflight compile --emit=asm %s -o - | FileCheck %s
// A static memref is reached through a descriptor with its exact size in bytes; the uniform part of
// the address is a scalar offset and constants are in the instruction.

// CHECK-LABEL: exact_range:
// CHECK-DAG: s_mov_b32 s{{[0-9]+}}, 0x7d0
// CHECK-DAG: s_mov_b32 s{{[0-9]+}}, 0x27000
// CHECK: buffer_load_dword v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], s{{[0-9]+}} offen offset:16
// CHECK: s_waitcnt vmcnt(0)
// CHECK: buffer_store_dword
// CHECK: s_endpgm
// CHECK: .amdhsa_system_sgpr_workgroup_id_x 1
// CHECK: .amdhsa_system_sgpr_workgroup_id_y 0
gpu.module @m {
  gpu.func @exact_range(%a: memref<500xf32>, %b: memref<500xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %g = gpu.block_id x
    %c64 = arith.constant 64 : index
    %c4 = arith.constant 4 : index
    %base = arith.muli %g, %c64 : index
    %i = arith.addi %base, %t : index
    %j = arith.addi %i, %c4 : index
    %v = memref.load %a[%j] : memref<500xf32>
    memref.store %v, %b[%i] : memref<500xf32>
    gpu.return
  }
}
