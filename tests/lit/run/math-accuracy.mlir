// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/math_accuracy.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/math_accuracy.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/math_accuracy.py %inflight %t.gfx950.hsaco %t.gfx950
// RUN: %inflight compile --emit=asm %s -o - | FileCheck %s
// f32 functions are accurate over all arguments; with afn they are the instructions.

// CHECK-LABEL: fast:
// CHECK-NOT: v_cmp
// CHECK: v_sin_f32
// CHECK-NOT: v_cmp
// CHECK: v_exp_f32
// CHECK-NOT: v_cmp
// CHECK: v_sqrt_f32
// CHECK-NOT: v_cmp
// CHECK: s_endpgm
gpu.module @kernels {
  gpu.func @sin(%a: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = math.sin %x : f32
    memref.store %y, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @cos(%a: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = math.cos %x : f32
    memref.store %y, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @tan(%a: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = math.tan %x : f32
    memref.store %y, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @exp(%a: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = math.exp %x : f32
    memref.store %y, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @log(%a: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = math.log %x : f32
    memref.store %y, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @log10(%a: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = math.log10 %x : f32
    memref.store %y, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @sqrt(%a: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = math.sqrt %x : f32
    memref.store %y, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @powf(%a: memref<65536xf32>, %b: memref<65536xf32>, %o: memref<65536xf32>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf32>
    %y = memref.load %b[%t] : memref<65536xf32>
    %z = math.powf %x, %y : f32
    memref.store %z, %o[%t] : memref<65536xf32>
    gpu.return
  }
  gpu.func @vector(%a: memref<64x4xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    %s, %c = math.sincos %x : vector<4xf32>
    %y = arith.addf %s, %c : vector<4xf32>
    vector.store %y, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @half(%a: memref<65536xf16>, %o: memref<65536xf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.global_id x
    %x = memref.load %a[%t] : memref<65536xf16>
    %y = math.sin %x : f16
    memref.store %y, %o[%t] : memref<65536xf16>
    gpu.return
  }
  gpu.func @fast(%a: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<64xf32>
    %s = math.sin %x fastmath<afn> : f32
    %e = math.exp %s fastmath<afn> : f32
    %r = math.sqrt %e fastmath<afn> : f32
    memref.store %r, %a[%t] : memref<64xf32>
    gpu.return
  }
}
