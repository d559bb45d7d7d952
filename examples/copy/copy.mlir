// 1024 rows of 64 floats; each lane moves 16 of them in four 16-byte accesses.
gpu.module @copy_module {
  gpu.func @copy(%from: memref<1024x64xf32>, %to: memref<1024x64xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %lane = gpu.thread_id x
    %group = gpu.block_id x
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %row_in_group = arith.divui %lane, %c4 : index
    %quarter = arith.remui %lane, %c4 : index
    %first_row = arith.muli %group, %c16 : index
    %row = arith.addi %first_row, %row_in_group : index
    %column = arith.muli %quarter, %c16 : index
    %v = vector.load %from[%row, %column] : memref<1024x64xf32>, vector<16xf32>
    vector.store %v, %to[%row, %column] : memref<1024x64xf32>, vector<16xf32>
    gpu.return
  }
}
