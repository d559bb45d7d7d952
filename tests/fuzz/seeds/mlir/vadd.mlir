0
gpu.module @vadd_module {
  gpu.func @vadd(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %n = memref.dim %c, %c0 : memref<?xf32>
    %lane = gpu.thread_id x
    %group = gpu.block_id x
    %first = arith.muli %group, %c256 : index
    %i = arith.addi %first, %lane : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %sum = arith.addf %x, %y : f32
      memref.store %sum, %c[%i] : memref<?xf32>
    }
    gpu.return
  }
}
