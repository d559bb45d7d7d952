1
gpu.module @m {
  gpu.func @i64s(%a: memref<64xi64>, %b: memref<64xi64>, %c: memref<64x4xi64>, %s: i64) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<64xi64>
    %y = memref.load %b[%t] : memref<64xi64>
    %k = arith.constant 123456789123 : i64
    %x2 = arith.muli %x, %k : i64
    %q = arith.divsi %x2, %y : i64
    %r = arith.remui %x2, %s : i64
    %sh = arith.shrsi %x2, %y : i64
    %m = arith.maxsi %q, %r : i64
    %v = vector.from_elements %q, %r, %sh, %m : vector<4xi64>
    %c0 = arith.constant 0 : index
    vector.store %v, %c[%t, %c0] : memref<64x4xi64>, vector<4xi64>
    gpu.return
  }
}
