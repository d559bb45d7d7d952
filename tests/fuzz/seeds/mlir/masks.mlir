0
gpu.module @m {
  gpu.func @masks(%x: memref<?xf32>, %o: memref<?xf32>, %k: memref<1xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %left = arith.subi %n, %i : index
    %mask = vector.create_mask %left : vector<4xi1>
    %pass = arith.constant dense<7.0> : vector<4xf32>
    %v = vector.maskedload %x[%i], %mask, %pass : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %two = arith.constant dense<2.0> : vector<4xf32>
    %w = arith.mulf %v, %two : vector<4xf32>
    vector.maskedstore %o[%i], %mask, %w : memref<?xf32>, vector<4xi1>, vector<4xf32>
    %ti = arith.index_cast %t : index to i32
    %old = memref.atomic_rmw addi %ti, %k[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }
}
