// RUN: %opt -mcpu=gfx950 --pass=inflight-async-groups %s | FileCheck %s
// A copy of a wave's neighbouring lanes to one piece of workgroup memory is LDS DMA; others go through registers, and
// say so. A group is a fence, a wait one that leaves so many groups.
// CHECK: gpu.func @k
// CHECK-SAME: inflight.remarks = [{{.*}}"the copy isn't asynchronous, it goes through registers: "
// CHECK: amdgpu.gather_to_lds %{{.*}} : vector<4xf32>, memref<256xf32>, memref<512xf32, #gpu.address_space<workgroup>>
// CHECK: llvm.fence syncscope("wavefront") acq_rel {inflight.commit_group}
// CHECK: vector.load
// CHECK: vector.store
// CHECK: llvm.fence syncscope("wavefront") acq_rel {inflight.commit_group}
// CHECK: llvm.fence syncscope("wavefront") acq_rel {inflight.wait_group = 1 : i64}
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @k(%a: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %near = arith.muli %t, %c4 : index
    %far = arith.muli %t, %c8 : index
    %to = memref.alloc() : memref<512xf32, #lds>
    %first = nvgpu.device_async_copy %a[%near], %to[%near], 4 : memref<256xf32> to memref<512xf32, #lds>
    %g0 = nvgpu.device_async_create_group %first
    %second = nvgpu.device_async_copy %a[%near], %to[%far], 4 : memref<256xf32> to memref<512xf32, #lds>
    %g1 = nvgpu.device_async_create_group %second
    nvgpu.device_async_wait %g0
    gpu.return
  }
}
