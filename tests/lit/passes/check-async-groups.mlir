// RUN: %opt --pass=inflight-check-async-groups %s | FileCheck %s
// RUN: sed '/create_group/d; /async_wait/d' %s > %t.mlir && not %opt --pass=inflight-check-async-groups %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed /async_wait/d %s > %t.mlir && not %opt --pass=inflight-check-async-groups %t.mlir 2>&1 | FileCheck %s --check-prefix=NEVER
// CHECK: module attributes {inflight.checked_groups}
// NONE: error: an asynchronous copy in a kernel that makes no group of its copies
// NEVER: error: an asynchronous copy in a kernel that waits for no group
#lds = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>, %to: memref<64xf32, #lds>) kernel {
    %t = gpu.thread_id x
    %copy = nvgpu.device_async_copy %a[%t], %to[%t], 1 : memref<64xf32> to memref<64xf32, #lds>
    %group = nvgpu.device_async_create_group
    nvgpu.device_async_wait %group
    gpu.return
  }
}
