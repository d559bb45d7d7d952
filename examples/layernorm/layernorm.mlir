// Layer normalisation of rows of any length, one wave a row: mean and variance in one pass.
gpu.module @layernorm_module {
  gpu.func @layernorm(%from: memref<?x?xf32>, %scale: memref<?xf32>, %shift: memref<?xf32>, %to: memref<?x?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %row = gpu.block_id x
    %lane = gpu.thread_id x
    %columns = memref.dim %from, %c1 : memref<?x?xf32>
    %zero = arith.constant 0.0 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %sums:2 = scf.for %i = %lane to %columns step %c64 iter_args(%s = %zero, %q = %zero) -> (f32, f32) {
      %v = memref.load %from[%row, %i] : memref<?x?xf32>
      %s1 = arith.addf %s, %v : f32
      %q1 = math.fma %v, %v, %q : f32
      scf.yield %s1, %q1 : f32, f32
    }
    %sum = gpu.subgroup_reduce add %sums#0 : (f32) -> f32
    %squares = gpu.subgroup_reduce add %sums#1 : (f32) -> f32
    %columns_i = arith.index_cast %columns : index to i32
    %n = arith.uitofp %columns_i : i32 to f32
    %mean = arith.divf %sum, %n : f32
    %mean_square = arith.divf %squares, %n : f32
    %square_mean = arith.mulf %mean, %mean : f32
    %variance = arith.subf %mean_square, %square_mean : f32
    %stable = arith.addf %variance, %epsilon : f32
    %inverse = math.rsqrt %stable : f32
    scf.for %i = %lane to %columns step %c64 {
      %v = memref.load %from[%row, %i] : memref<?x?xf32>
      %g = memref.load %scale[%i] : memref<?xf32>
      %b = memref.load %shift[%i] : memref<?xf32>
      %centred = arith.subf %v, %mean : f32
      %normal = arith.mulf %centred, %inverse : f32
      %result = math.fma %normal, %g, %b : f32
      memref.store %result, %to[%row, %i] : memref<?x?xf32>
    }
    gpu.return
  }
}
