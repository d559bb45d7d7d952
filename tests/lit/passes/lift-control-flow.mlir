// RUN: %opt --pass=inflight-lift-control-flow %s | FileCheck %s
// Blocks become regions: a loop of branches is an scf.while, a switch a chain of comparisons.
// CHECK-LABEL: gpu.func @loop
// CHECK-NOT: cf.
// CHECK: scf.while
// CHECK-LABEL: gpu.func @choice
// CHECK-NOT: scf.index_switch
// CHECK: arith.cmpi eq
// CHECK: scf.if
gpu.module @m {
  gpu.func @loop(%n: index, %m: memref<64xf32>, %f: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    memref.store %f, %m[%i] : memref<64xf32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    gpu.return
  }
  gpu.func @choice(%n: index, %m: memref<64xf32>, %f: f32) kernel {
    scf.index_switch %n
    case 3 {
      memref.store %f, %m[%n] : memref<64xf32>
      scf.yield
    }
    default {
    }
    gpu.return
  }
}
