// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/signaling.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/signaling.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/signaling.py %inflight %t.gfx950.hsaco %t.gfx950
// RUN: %inflight compile --emit=asm %s -o - | FileCheck %s
// The instructions give a signaling NaN back, quiet, where the dialect wants the other operand.

// Results of arithmetic are quiet, and nnan promises that nothing is a NaN: no operation more.
// CHECK-LABEL: cheap:
// CHECK: v_add_f32
// CHECK-NOT: v_max_f32
// CHECK: v_max_f32
// CHECK-NOT: v_max_f32
// CHECK: v_min_f32
// CHECK-NOT: v_m{{ax|in}}_f32
// CHECK: s_endpgm
gpu.module @kernels {
  gpu.func @f16(%a: memref<256xf16>, %b: memref<256xf16>, %c: memref<256xf16>, %d: memref<256xf16>, %e: memref<256xf16>, %f: memref<256xf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<256xf16>
    %y = memref.load %b[%t] : memref<256xf16>
    %p = arith.minnumf %x, %y : f16
    %q = arith.maxnumf %x, %y : f16
    %r = arith.minimumf %x, %y : f16
    %s = arith.maximumf %x, %y : f16
    memref.store %p, %c[%t] : memref<256xf16>
    memref.store %q, %d[%t] : memref<256xf16>
    memref.store %r, %e[%t] : memref<256xf16>
    memref.store %s, %f[%t] : memref<256xf16>
    gpu.return
  }
  gpu.func @bf16(%a: memref<256xbf16>, %b: memref<256xbf16>, %c: memref<256xbf16>, %d: memref<256xbf16>, %e: memref<256xbf16>, %f: memref<256xbf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<256xbf16>
    %y = memref.load %b[%t] : memref<256xbf16>
    %p = arith.minnumf %x, %y : bf16
    %q = arith.maxnumf %x, %y : bf16
    %r = arith.minimumf %x, %y : bf16
    %s = arith.maximumf %x, %y : bf16
    memref.store %p, %c[%t] : memref<256xbf16>
    memref.store %q, %d[%t] : memref<256xbf16>
    memref.store %r, %e[%t] : memref<256xbf16>
    memref.store %s, %f[%t] : memref<256xbf16>
    gpu.return
  }
  gpu.func @f32(%a: memref<256xf32>, %b: memref<256xf32>, %c: memref<256xf32>, %d: memref<256xf32>, %e: memref<256xf32>, %f: memref<256xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<256xf32>
    %y = memref.load %b[%t] : memref<256xf32>
    %p = arith.minnumf %x, %y : f32
    %q = arith.maxnumf %x, %y : f32
    %r = arith.minimumf %x, %y : f32
    %s = arith.maximumf %x, %y : f32
    memref.store %p, %c[%t] : memref<256xf32>
    memref.store %q, %d[%t] : memref<256xf32>
    memref.store %r, %e[%t] : memref<256xf32>
    memref.store %s, %f[%t] : memref<256xf32>
    gpu.return
  }
  gpu.func @f64(%a: memref<256xf64>, %b: memref<256xf64>, %c: memref<256xf64>, %d: memref<256xf64>, %e: memref<256xf64>, %f: memref<256xf64>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<256xf64>
    %y = memref.load %b[%t] : memref<256xf64>
    %p = arith.minnumf %x, %y : f64
    %q = arith.maxnumf %x, %y : f64
    %r = arith.minimumf %x, %y : f64
    %s = arith.maximumf %x, %y : f64
    memref.store %p, %c[%t] : memref<256xf64>
    memref.store %q, %d[%t] : memref<256xf64>
    memref.store %r, %e[%t] : memref<256xf64>
    memref.store %s, %f[%t] : memref<256xf64>
    gpu.return
  }
  gpu.func @carried(%a: memref<64xi32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %w = arith.constant 64 : i32
    %x = memref.load %a[%t] : memref<64xi32>
    %f = arith.bitcast %x : i32 to f32
    %m = scf.for %i = %c0 to %t step %c1 iter_args(%s = %f) -> (f32) {
      %odd = arith.andi %i, %c1 : index
      %isOdd = arith.cmpi ne, %odd, %c0 : index
      %next = scf.if %isOdd -> (f32) {
        %at = arith.xori %t, %c1 : index
        %v = memref.load %a[%at] : memref<64xi32>
        %g = arith.bitcast %v : i32 to f32
        scf.yield %g : f32
      } else {
        scf.yield %s : f32
      }
      scf.yield %next : f32
    }
    %r, %p = gpu.shuffle xor %m, %one, %w : f32
    %both = arith.minnumf %m, %r : f32
    %other, %q = gpu.shuffle xor %f, %one, %w : f32
    %all = arith.minnumf %f, %other : f32
    %last = arith.minnumf %all, %both : f32
    memref.store %last, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @packed(%a: memref<64x2xf16>, %o: memref<64x2xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %k = arith.constant dense<1.0> : vector<2xf16>
    %x = vector.load %a[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    %m = arith.maxnumf %x, %k : vector<2xf16>
    vector.store %m, %o[%t, %c0] : memref<64x2xf16>, vector<2xf16>
    gpu.return
  }
  gpu.func @cheap(%a: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<64xf32>
    %k = arith.constant 3.0 : f32
    %s = arith.addf %x, %x : f32
    %m = arith.maxnumf %s, %k : f32
    %n = arith.minnumf %m, %x fastmath<nnan> : f32
    memref.store %n, %o[%t] : memref<64xf32>
    gpu.return
  }
}
