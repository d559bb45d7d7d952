// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// As LLVM 23 and 24 print these operations.
module {
  func.func @upstream(%a: memref<64x4xf16>, %c: memref<64x4xf32>, %d: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %0 = vector.load %a[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %1 = vector.load %c[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    // CHECK-LABEL: upstream:
    // CHECK-DAG: v_mfma_f32_16x16x16_f16
    %2 = amdgpu.mfma 16x16x16 %0 * %0 + %1 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    // CHECK-DAG: s_barrier
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    amdgpu.sched_barrier allow = none
    amdgpu.sched_barrier allow = valu|salu
    vector.store %2, %c[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %3 = vector.extract %2[0] : f32 from vector<4xf32>
    // CHECK-DAG: quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
    // CHECK-DAG: row_bcast:15 row_mask:0xa bank_mask:0xf
    %4 = amdgpu.dpp %3 %3 quad_perm([2 : i32, 3 : i32, 0 : i32, 1 : i32]) bound_ctrl(true) : f32
    %5 = amdgpu.dpp %4 %4 row_bcast_15(unit) row_mask(10) : f32
    memref.store %5, %d[%t] : memref<64xf32>
    return
  }
  llvm.func @rocdl(%arg0: !llvm.ptr<1>, %arg1: i32) attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %0 = llvm.mlir.constant(0 : i16) : i16
    %1 = llvm.mlir.constant(159744 : i32) : i32
    // CHECK-LABEL: rocdl:
    // CHECK: buffer_load_dwordx2 {{.*}} sc0
    // CHECK: v_mfma_f32_32x32x4_2b_f16 {{.*}} cbsz:1 abid:1 blgp:1
    // CHECK: buffer_store_dword {{.*}} sc0
    %2 = rocdl.make.buffer.rsrc %arg0, %0, %arg1, %1 : <1>, i32 to <8>
    %3 = rocdl.workitem.id.x range <i32, 0, 64> : i32
    %4 = llvm.mlir.constant(0 : i32) : i32
    %5 = rocdl.raw.ptr.buffer.load %2, %3, %4, 1 : vector<4xf16>
    %6 = llvm.mlir.zero : vector<32xf32>
    %7 = rocdl.mfma.f32.32x32x4f16 %5, %5, %6, 1, 1, bcast_first_32 : (vector<4xf16>, vector<4xf16>, vector<32xf32>) -> vector<32xf32>
    rocdl.sched.barrier non_mem_non_sideeffect|mfma_wmma
    %8 = llvm.extractelement %7[%4 : i32] : vector<32xf32>
    rocdl.raw.ptr.buffer.store %8, %2, %3, %4, 1 : f32
    llvm.return
  }
  llvm.func @__ockl_get_num_groups(i32) -> i64
  // CHECK-LABEL: groups:
  // CHECK: s_addc_u32 {{.*}}0
  llvm.func @groups(%arg0: !llvm.ptr<1>, %arg1: i64) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.call @__ockl_get_num_groups(%0) : (i32) -> (i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>})
    %2 = llvm.add %1, %arg1 : i64
    llvm.store %2, %arg0 : i64, !llvm.ptr<1>
    llvm.return
  }
}
