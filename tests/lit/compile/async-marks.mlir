// As LLVM 23 prints asynchronous copies: marks are groups.
// RUN: inflight compile -mcpu=gfx950 --verify-each --emit=asm %s -o - | FileCheck %s
gpu.module @m {
  // CHECK-LABEL: gather:
  // CHECK-COUNT-3: offen lds
  // CHECK: s_waitcnt vmcnt(2)
  // CHECK-NOT: vmcnt
  // CHECK: ds_read_b32
  // CHECK: s_waitcnt vmcnt(0)
  // CHECK-NEXT: ds_read_b32
  gpu.func @gather(%a: memref<64x4xf32>, %c: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %tile = memref.alloc() : memref<3x64xf32, #gpu.address_space<workgroup>>
    amdgpu.gather_to_lds async %a[%t, %c0], %tile[%c0, %c0] : f32, memref<64x4xf32>, memref<3x64xf32, #gpu.address_space<workgroup>>
    rocdl.asyncmark
    amdgpu.gather_to_lds async %a[%t, %c1], %tile[%c1, %c0] : f32, memref<64x4xf32>, memref<3x64xf32, #gpu.address_space<workgroup>>
    amdgpu.gather_to_lds async %a[%t, %c1], %tile[%c1, %c0] : f32, memref<64x4xf32>, memref<3x64xf32, #gpu.address_space<workgroup>>
    rocdl.asyncmark
    rocdl.wait.asyncmark 1
    %x = memref.load %tile[%c0, %t] : memref<3x64xf32, #gpu.address_space<workgroup>>
    rocdl.wait.asyncmark 0
    %y = memref.load %tile[%c1, %t] : memref<3x64xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %x, %y : f32
    memref.store %sum, %c[%t] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: intrinsics:
  // CHECK-COUNT-3: lds
  // CHECK: s_waitcnt vmcnt(1)
  // CHECK: ds_read_b32
  llvm.func @intrinsics(%a: !llvm.ptr<1>, %rsrc: !llvm.ptr<8>, %lds: !llvm.ptr<3>, %c: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %0 = llvm.mlir.constant(0 : i32) : i32
    %4 = llvm.mlir.constant(4 : i32) : i32
    rocdl.load.async.to.lds %a, %lds, 4, 0, 0 : !llvm.ptr<1>
    rocdl.global.load.async.lds %a, %lds, 4, 0, 0 {alias_scopes = []}
    rocdl.asyncmark
    rocdl.raw.ptr.buffer.load.async.lds %rsrc, %lds, %4, %0, %0, %0, %0
    rocdl.asyncmark
    rocdl.wait.asyncmark 1
    %x = llvm.load %lds : !llvm.ptr<3> -> f32
    llvm.store %x, %c : f32, !llvm.ptr<1>
    llvm.return
  }
}
