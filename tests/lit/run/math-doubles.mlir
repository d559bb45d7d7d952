// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/math_doubles.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.gfx942.hsaco && %python %S/../support/math_doubles.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/math_doubles.py %inflight %t.gfx950.hsaco %t.gfx950
// Functions of f64 are accurate over all arguments, and remainders of all floats exact for all quotients.
gpu.module @kernels {
  gpu.func @exp(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.exp %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @exp2(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.exp2 %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @expm1(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.expm1 %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @log(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.log %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @log2(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.log2 %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @log10(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.log10 %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @log1p(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.log1p %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @sin(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.sin %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @cos(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.cos %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @tan(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.tan %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @tanh(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.tanh %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @sinh(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.sinh %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @cosh(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.cosh %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @asin(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.asin %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @acos(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.acos %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @atan(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.atan %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @asinh(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.asinh %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @acosh(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.acosh %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @atanh(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.atanh %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @cbrt(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.cbrt %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @sqrt(%a: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %y = math.sqrt %x : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @powf(%a: memref<16384xf64>, %b: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %z = memref.load %b[%t] : memref<16384xf64>
    %y = math.powf %x, %z : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @atan2(%a: memref<16384xf64>, %b: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %z = memref.load %b[%t] : memref<16384xf64>
    %y = math.atan2 %x, %z : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @rem_f16(%a: memref<16384xf16>, %b: memref<16384xf16>, %o: memref<16384xf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf16>
    %z = memref.load %b[%t] : memref<16384xf16>
    %y = arith.remf %x, %z : f16
    memref.store %y, %o[%t] : memref<16384xf16>
    gpu.return
  }
  gpu.func @rem_bf16(%a: memref<16384xi16>, %b: memref<16384xi16>, %o: memref<16384xi16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xi16>
    %z = memref.load %b[%t] : memref<16384xi16>
    %x1 = arith.bitcast %x : i16 to bf16
    %z1 = arith.bitcast %z : i16 to bf16
    %y = arith.remf %x1, %z1 : bf16
    %w = arith.bitcast %y : bf16 to i16
    memref.store %w, %o[%t] : memref<16384xi16>
    gpu.return
  }
  gpu.func @rem_f32(%a: memref<16384xf32>, %b: memref<16384xf32>, %o: memref<16384xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf32>
    %z = memref.load %b[%t] : memref<16384xf32>
    %y = arith.remf %x, %z : f32
    memref.store %y, %o[%t] : memref<16384xf32>
    gpu.return
  }
  gpu.func @rem_f64(%a: memref<16384xf64>, %b: memref<16384xf64>, %o: memref<16384xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<16384xf64>
    %z = memref.load %b[%t] : memref<16384xf64>
    %y = arith.remf %x, %z : f64
    memref.store %y, %o[%t] : memref<16384xf64>
    gpu.return
  }
  gpu.func @rem_vectors(%a: memref<4096xvector<4xf32>>, %b: memref<4096xvector<4xf32>>, %o: memref<4096xvector<4xf32>>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<4096xvector<4xf32>>
    %z = memref.load %b[%t] : memref<4096xvector<4xf32>>
    %y = llvm.frem %x, %z : vector<4xf32>
    memref.store %y, %o[%t] : memref<4096xvector<4xf32>>
    gpu.return
  }
}
