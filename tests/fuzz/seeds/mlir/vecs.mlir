2
gpu.module @m {
  gpu.func @vecs(%x: memref<64x8xf16>, %o: memref<64x8xf16>, %p: memref<64x4xi8>, %q: memref<64xf64>, %bf: memref<64x2xbf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = vector.load %x[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    %s = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
    %m = arith.mulf %s, %s : vector<4xf16>
    %w = vector.insert_strided_slice %m, %v {offsets = [3], strides = [1]} : vector<4xf16> into vector<8xf16>
    vector.store %w, %o[%t, %c0] : memref<64x8xf16>, vector<8xf16>
    %red = vector.reduction <add>, %v : vector<8xf16> into f16
    %ext = arith.extf %red : f16 to f64
    %two = arith.constant 3.0 : f64
    %d = arith.divf %ext, %two : f64
    memref.store %d, %q[%t] : memref<64xf64>
    %pi = vector.load %p[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %one = arith.constant dense<[1,2,3,4]> : vector<4xi8>
    %pa = arith.addi %pi, %one : vector<4xi8>
    vector.store %pa, %p[%t, %c0] : memref<64x4xi8>, vector<4xi8>
    %f = arith.sitofp %pa : vector<4xi8> to vector<4xf32>
    %f2 = vector.extract_strided_slice %f {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %b = arith.truncf %f2 : vector<2xf32> to vector<2xbf16>
    vector.store %b, %bf[%t, %c0] : memref<64x2xbf16>, vector<2xbf16>
    gpu.return
  }
}
