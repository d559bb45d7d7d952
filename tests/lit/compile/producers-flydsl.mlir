// FlyDSL's modules after convert-fly-to-rocdl, as they are printed: packed structs for shapes and strides, dynamic LDS as
// a global of the LLVM dialect, 128-bit integers that only move, and the host's launch.
// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight info %t.hsaco | FileCheck %s --check-prefix=INFO
// INFO: arg1.0 scalar i32, 4 bytes
// INFO-NEXT: arg1.1 scalar i32, 4 bytes
// INFO-NEXT: arg1.2 scalar i64, 8 bytes
// INFO-NEXT: arg2 buffer, 8 bytes
module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 1024 : i64, dso_local} : !llvm.array<0 x i8>
    // CHECK-LABEL: copy_0:
    // CHECK: buffer_load_dwordx4 [[DATA:v\[[0-9:]+\]]]
    // CHECK: ds_write_b128 {{v[0-9]+}}, [[DATA]]
    // CHECK: ds_read_b128 [[BACK:v\[[0-9:]+\]]]
    // CHECK: buffer_store_dwordx4 [[BACK]]
    gpu.func @copy_0(%from: !llvm.ptr<1>, %shape: !llvm.struct<packed (struct<packed (i32, i32)>, struct<packed (i64)>)>, %to: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c16 = arith.constant 16 : i32
      %none = arith.constant 0 : i32
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %rows = llvm.extractvalue %shape[0, 0] : !llvm.struct<packed (struct<packed (i32, i32)>, struct<packed (i64)>)>
      %pitch = llvm.extractvalue %shape[1, 0] : !llvm.struct<packed (struct<packed (i32, i32)>, struct<packed (i64)>)>
      %rows64 = arith.extui %rows : i32 to i64
      %bytes = arith.muli %rows64, %pitch : i64
      %in = rocdl.make.buffer.rsrc %from, %stride, %bytes, %flags : <1> to <8>
      %out = rocdl.make.buffer.rsrc %to, %stride, %bytes, %flags : <1> to <8>
      %x = gpu.thread_id x
      %t = arith.index_cast %x : index to i32
      %at = arith.muli %t, %c16 : i32
      %lds = llvm.mlir.addressof @shared : !llvm.ptr<3>
      %place = llvm.getelementptr %lds[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %v = rocdl.raw.ptr.buffer.load %in, %at, %none, 0 : i128
      llvm.store %v, %place : i128, !llvm.ptr<3>
      rocdl.sched.group.barrier ds_write, 1, 0
      rocdl.sched.group.barrier mfma_wmma|ds_read, 2,
        0
      gpu.barrier memfence
          [#gpu.address_space<workgroup>]
      %w = llvm.load %place : !llvm.ptr<3> -> i128
      rocdl.raw.ptr.buffer.store %w, %out, %at, %none, 0 : i128
      gpu.return
    }
  }
  func.func @launch(%from: !llvm.ptr<1>, %shape: !llvm.struct<packed (struct<packed (i32, i32)>, struct<packed (i64)>)>, %to: !llvm.ptr<1>, %stream: !gpu.async.token) attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %lds = arith.constant 1024 : i32
    %0 = gpu.launch_func async [%stream] @kernels::@copy_0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %lds args(%from : !llvm.ptr<1>, %shape : !llvm.struct<packed (struct<packed (i32, i32)>, struct<packed (i64)>)>, %to : !llvm.ptr<1>)
    return
  }
}
