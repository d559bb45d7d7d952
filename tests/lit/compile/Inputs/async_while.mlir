gpu.module @m {
  gpu.func @sum(%a: memref<64x512xf32>, %n: index, %c: memref<256x4xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tile = memref.alloc() : memref<64x16xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %row = arith.divui %t, %c4 : index
    %part = arith.remui %t, %c4 : index
    %column = arith.muli %part, %c4 : index
    %lane = arith.remui %t, %c64 : index
    %wave = arith.divui %t, %c64 : index
    %from = arith.muli %wave, %c4 : index
    %all:2 = scf.while (%k = %c0, %acc = %zero) : (index, vector<4xf32>) -> (index, vector<4xf32>) {
      %head = vector.extract %acc[0] : f32 from vector<4xf32>
      %first = gpu.subgroup_broadcast %head, first_active_lane : f32
      %limit = arith.constant 1.0e6 : f32
      %again = arith.cmpf olt, %first, %limit : f32
      scf.condition(%again) %k, %acc : index, vector<4xf32>
    } do {
    ^bb0(%k: index, %acc: vector<4xf32>):
      %at = arith.addi %k, %column : index
      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>
      vector.store %v, %tile[%row, %column] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      %x = vector.load %tile[%lane, %from] : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %next = arith.addf %acc, %x : vector<4xf32>
      gpu.barrier
      %after = arith.addi %k, %c16 : index
      scf.yield %after, %next : index, vector<4xf32>
    }
    vector.store %all#1, %c[%t, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }
}
