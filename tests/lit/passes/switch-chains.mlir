// RUN: %opt --pass=inflight-lift-control-flow %s | FileCheck %s
// Cases that run into the next ones are sections in a row, each behind one comparison.
gpu.module @m {
  // No others come to the last one than those that one comparison tells.
  // CHECK-LABEL: gpu.func @all
  // CHECK: %[[A:.*]] = arith.cmpi eq, %[[X:.*]], %{{.*}} : i32
  // CHECK-NEXT: %[[V:.*]] = scf.if %[[A]] -> (f32)
  // CHECK: memref.load
  // CHECK: else
  // CHECK: %[[B:.*]] = arith.cmpi uge, %[[X]], %{{.*}} : i32
  // CHECK-NEXT: %[[W:.*]] = scf.if %[[B]] -> (f32)
  // CHECK: arith.addf %[[V]],
  // CHECK: %[[C:.*]] = arith.cmpi uge, %[[X]], %{{.*}} : i32
  // CHECK-NEXT: scf.if %[[C]] -> (f32)
  // CHECK: arith.addf %[[W]],
  // CHECK-NOT: scf.if
  // CHECK: gpu.return
  gpu.func @all(%n: i32, %m: memref<64xf32>, %f: f32, %i: index) kernel {
    %three = arith.constant 3 : i32
    %x = arith.andi %n, %three : i32
    cf.switch %x : i32, [default: ^end(%f : f32), 3: ^a, 2: ^b(%f : f32), 1: ^c(%f : f32)]
  ^a:
    %v = memref.load %m[%i] : memref<64xf32>
    cf.br ^b(%v : f32)
  ^b(%p: f32):
    %q = arith.addf %p, %f : f32
    cf.br ^c(%q : f32)
  ^c(%r: f32):
    %s = arith.addf %r, %f : f32
    cf.br ^end(%s : f32)
  ^end(%t: f32):
    memref.store %t, %m[%i] : memref<64xf32>
    gpu.return
  }

  // Numbers in a row are one comparison of a difference, others one each; the default case may be anywhere.
  // CHECK-LABEL: gpu.func @middle
  // CHECK: arith.cmpi eq
  // CHECK-NEXT: scf.if
  // CHECK: arith.subi
  // CHECK: arith.cmpi ule
  // CHECK: arith.xori
  // CHECK-NEXT: scf.if
  // CHECK-NOT: scf.if
  // CHECK: gpu.return
  gpu.func @middle(%x: i32, %m: memref<64xf32>, %f: f32, %i: index) kernel {
    cf.switch %x : i32, [default: ^b, 9: ^a, 4: ^end, 5: ^end]
  ^a:
    memref.store %f, %m[%i] : memref<64xf32>
    cf.br ^b
  ^b:
    %v = memref.load %m[%i] : memref<64xf32>
    %q = arith.addf %v, %f : f32
    memref.store %q, %m[%i] : memref<64xf32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // A case by itself is one of the switch's; the others run on.
  // CHECK-LABEL: gpu.func @beside
  // CHECK: arith.cmpi eq
  // CHECK: scf.if
  // CHECK: memref.store %[[F:.*]],
  // CHECK: arith.cmpi ule
  // CHECK-NEXT: scf.if
  // CHECK: gpu.return
  gpu.func @beside(%x: i32, %m: memref<64xf32>, %f: f32, %g: f32, %i: index) kernel {
    cf.switch %x : i32, [default: ^end, 0: ^alone, 1: ^a, 2: ^b]
  ^alone:
    memref.store %f, %m[%i] : memref<64xf32>
    cf.br ^end
  ^a:
    memref.store %g, %m[%i] : memref<64xf32>
    cf.br ^b
  ^b:
    %v = memref.load %m[%i] : memref<64xf32>
    %q = arith.addf %v, %f : f32
    memref.store %q, %m[%i] : memref<64xf32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
