// RUN: %opt --pass=inflight-prepare-kernels %s | FileCheck %s
// A kernel's memrefs become pointers: of a static one to its first element, of a dynamic one with its sizes.
// CHECK: gpu.func @k(%{{.*}}: !llvm.ptr<1>{{.*}}, %{{.*}}: !llvm.ptr<1>{{.*}}, %{{.*}}: i64{{.*}}, %{{.*}}: f32{{.*}}) kernel
// CHECK-SAME: inflight.arguments = [{{.*}}name = "arg0"
// CHECK: amdgpu.fat_raw_buffer_cast {{.*}} : memref<64xf32, #gpu.address_space<global>> to memref<64xf32, #amdgpu.address_space<fat_raw_buffer>>
// Private memory is what an alloca without a space makes.
// CHECK: memref.alloca() : memref<4xf32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>, %b: memref<?xf32>, %f: f32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %own = memref.alloca() : memref<4xf32>
    memref.store %f, %own[%c0] : memref<4xf32>
    %x = memref.load %a[%t] : memref<64xf32>
    memref.store %x, %b[%t] : memref<?xf32>
    gpu.return
  }
}
