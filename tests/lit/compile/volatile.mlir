// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx90a --emit=asm --verify-each %s -o - | FileCheck %s --check-prefix=GFX90A
// Volatile and atomic accesses stay, in their order, and bypass the caches that their scope doesn't share.
// CHECK-LABEL: k:
// CHECK: global_load_dword {{.*}} sc0 sc1
// CHECK: global_load_dword {{.*}} sc0 sc1
// CHECK: global_load_dword {{.*}} sc1
// CHECK: buffer_inv sc1
// CHECK: global_load_dword v{{[^ ]*, [^ ]*, s\[[0-9:]+\]$}}
// CHECK: global_store_dword {{.*}} sc0 sc1
// CHECK: global_store_dword {{.*}} sc0 sc1
// CHECK: buffer_wbl2 sc0 sc1
// CHECK: global_store_dword {{.*}} sc0 sc1
// GFX90A: global_load_dword {{.*}} glc
// GFX90A: global_load_dword {{.*}} glc
// GFX90A: global_load_dword {{.*}} glc
// GFX90A: buffer_wbinvl1_vol
// GFX90A: global_store_dword
// GFX90A: global_store_dword
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %unused = llvm.load volatile %p : !llvm.ptr<1> -> i32
    %a = llvm.load volatile %p : !llvm.ptr<1> -> i32
    %b = llvm.load %p atomic syncscope("agent") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %c = llvm.load %p : !llvm.ptr<1> -> i32
    %d = arith.addi %a, %b : i32
    llvm.store volatile %d, %q : i32, !llvm.ptr<1>
    llvm.store volatile %c, %q : i32, !llvm.ptr<1>
    llvm.store %c, %p atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    gpu.return
  }
}
