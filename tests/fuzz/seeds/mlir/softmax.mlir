2
gpu.module @softmax_module {
  gpu.func @softmax(%from: memref<?x?xf32>, %to: memref<?x?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %row = gpu.block_id x
    %lane = gpu.thread_id x
    %columns = memref.dim %from, %c1 : memref<?x?xf32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %log2e = arith.constant 1.44269504 : f32
    %my_max = scf.for %i = %lane to %columns step %c64 iter_args(%m = %lowest) -> (f32) {
      %v = memref.load %from[%row, %i] : memref<?x?xf32>
      %next = arith.maxnumf %m, %v : f32
      scf.yield %next : f32
    }
    %max = gpu.subgroup_reduce maxnumf %my_max : (f32) -> f32
    scf.for %i = %lane to %columns step %c64 {
      %v = memref.load %from[%row, %i] : memref<?x?xf32>
      %shifted = arith.subf %v, %max : f32
      %scaled = arith.mulf %shifted, %log2e : f32
      %power = math.exp2 %scaled : f32
      %result = arith.divf %power, %max : f32
      memref.store %result, %to[%row, %i] : memref<?x?xf32>
    }
    gpu.return
  }
}
