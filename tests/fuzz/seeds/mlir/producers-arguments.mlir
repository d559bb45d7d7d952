0
module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func private @twice(%x: i32) -> i32 {
      %0 = arith.addi %x, %x : i32
      return %0 : i32
    }
    func.func private @seven(%x: i32, %f: i32) -> i32 {
      %one = arith.constant 1 : i32
      %0 = func.call @twice(%x) : (i32) -> i32
      %1 = arith.muli %x, %f : i32
      %2 = arith.subi %1, %0 : i32
      %3 = arith.muli %0, %one : i32
      %4 = arith.addi %2, %3 : i32
      return %4 : i32
    }
    gpu.func @scale(%arg0: !llvm.ptr<1>, %arg1: !llvm.struct<packed (struct<packed (i32)>)>, %arg2: !llvm.ptr<1>, %arg3: !llvm.struct<packed (i32, struct<packed (i32)>)>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %thread_id_x = gpu.thread_id x
      %0 = arith.index_cast %thread_id_x : index to i32
      %1 = llvm.extractvalue %arg1[0, 0] : !llvm.struct<packed (struct<packed (i32)>)>
      %2 = llvm.extractvalue %arg3[0] : !llvm.struct<packed (i32, struct<packed (i32)>)>
      %3 = llvm.extractvalue %arg3[1, 0] : !llvm.struct<packed (i32, struct<packed (i32)>)>
      %4 = llvm.getelementptr %arg0[%0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %5 = llvm.load %4 : !llvm.ptr<1> -> i32
      %6 = arith.muli %5, %1 : i32
      %7 = arith.addi %6, %2 : i32
      %8 = func.call @seven(%0, %3) : (i32, i32) -> i32
      %9 = arith.addi %7, %8 : i32
      %10 = llvm.getelementptr %arg2[%0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %9, %10 : i32, !llvm.ptr<1>
      gpu.return
    }
    llvm.func amdgpu_kernelcc @llvm(%arg0: !llvm.struct<(ptr<1>, ptr<1>)>, %arg1: !llvm.struct<(i32, f32)>) {
      %0 = llvm.extractvalue %arg0[1] : !llvm.struct<(ptr<1>, ptr<1>)>
      %1 = llvm.extractvalue %arg1[0] : !llvm.struct<(i32, f32)>
      llvm.store %1, %0 : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
