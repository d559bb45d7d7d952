// RUN: %opt --pass=inflight-short-divisions %s | FileCheck %s
// Divisions of 64 bits whose numbers may be small: the wave asks whether all lanes' are.
gpu.module @m {
  // Quotient and remainder of the same numbers have one branch.
  // CHECK-LABEL: llvm.func @unknown
  // CHECK-SAME: %[[A:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: i64
  // CHECK: %[[BITS:.*]] = llvm.or %[[B]], %[[A]] : i64
  // CHECK: %[[SHIFTED:.*]] = llvm.lshr %[[BITS]]
  // CHECK: %[[UPPER:.*]] = llvm.trunc %[[SHIFTED]] : i64 to i32
  // CHECK: %[[IS:.*]] = llvm.icmp "ne" %[[UPPER]]
  // CHECK: %[[LANES:.*]] = rocdl.ballot %[[IS]] : i64
  // CHECK: %[[ANY:.*]] = llvm.icmp "ne" %[[LANES]]
  // CHECK: scf.if %[[ANY]] -> (i64, i64) {
  // CHECK: llvm.udiv %[[A]], %[[B]] : i64
  // CHECK: llvm.urem %[[A]], %[[B]] : i64
  // CHECK: } else {
  // CHECK: llvm.udiv {{.*}} : i32
  // CHECK: llvm.urem {{.*}} : i32
  // CHECK-NOT: scf.if
  llvm.func @unknown(%a: i64, %b: i64, %p: !llvm.ptr<1>) {
    %q = llvm.udiv %a, %b : i64
    %r = llvm.urem %a, %b : i64
    %s = llvm.add %q, %r : i64
    llvm.store %s, %p : i64, !llvm.ptr<1>
    llvm.return
  }

  // What fits isn't negative, and is divided as unsigned.
  // CHECK-LABEL: llvm.func @signed
  // CHECK: llvm.sdiv {{.*}} : i64
  // CHECK: } else {
  // CHECK: llvm.udiv {{.*}} : i32
  llvm.func @signed(%a: i64, %b: i64, %p: !llvm.ptr<1>) {
    %q = llvm.sdiv %a, %b : i64
    llvm.store %q, %p : i64, !llvm.ptr<1>
    llvm.return
  }

  // A dividend that fits: by a divisor that doesn't, nothing is divided.
  // CHECK-LABEL: llvm.func @dividend
  // CHECK-NOT: scf.if
  // CHECK: %[[Q:.*]] = llvm.udiv {{.*}} : i32
  // CHECK: llvm.select %{{.*}}, %{{.*}}, %[[Q]] : i1, i32
  // CHECK: %[[R:.*]] = llvm.urem {{.*}} : i32
  // CHECK: llvm.select %{{.*}}, %{{.*}}, %[[R]] : i1, i32
  llvm.func @dividend(%x: i32, %b: i64, %p: !llvm.ptr<1>) {
    %a = llvm.zext %x : i32 to i64
    %q = llvm.udiv %a, %b : i64
    %r = llvm.urem %a, %b : i64
    %s = llvm.add %q, %r : i64
    llvm.store %s, %p : i64, !llvm.ptr<1>
    llvm.return
  }

  // But by one that may be negative it is: only the divisor is asked for.
  // CHECK-LABEL: llvm.func @signed_dividend
  // CHECK-SAME: %{{[a-z0-9]+}}: i32, %[[B:[a-z0-9]+]]: i64
  // CHECK: llvm.lshr %[[B]]
  // CHECK: scf.if
  llvm.func @signed_dividend(%x: i32, %b: i64, %p: !llvm.ptr<1>) {
    %a = llvm.zext %x : i32 to i64
    %q = llvm.srem %a, %b : i64
    llvm.store %q, %p : i64, !llvm.ptr<1>
    llvm.return
  }

  // Rows modulo their number: one question. The remainders are words, with the sign of a word.
  // CHECK-LABEL: llvm.func @rows
  // CHECK: rocdl.ballot
  // CHECK: scf.if %{{.*}} -> (i32, i32) {
  // CHECK-COUNT-2: llvm.srem {{.*}} : i64
  // CHECK: } else {
  // CHECK-COUNT-2: llvm.urem {{.*}} : i32
  // CHECK: llvm.sext
  // CHECK: llvm.sext
  // CHECK-NOT: rocdl.ballot
  llvm.func @rows(%a: i64, %b: i64, %n: i32, %p: !llvm.ptr<1>) {
    %wide = llvm.sext %n : i32 to i64
    %q = llvm.srem %a, %wide : i64
    %r = llvm.srem %b, %wide : i64
    %s = llvm.add %q, %r : i64
    llvm.store %s, %p : i64, !llvm.ptr<1>
    llvm.return
  }

  // What is computed from one can't be asked about together with it.
  // CHECK-LABEL: llvm.func @chain
  // CHECK-COUNT-2: rocdl.ballot
  llvm.func @chain(%a: i64, %b: i64, %p: !llvm.ptr<1>) {
    %q = llvm.udiv %a, %b : i64
    %r = llvm.urem %q, %b : i64
    llvm.store %r, %p : i64, !llvm.ptr<1>
    llvm.return
  }

  // Numbers that are known to fit, constants, and mixed bits stay.
  // CHECK-LABEL: llvm.func @others
  // CHECK-NOT: scf.if
  // CHECK-NOT: i32
  // CHECK: llvm.return
  llvm.func @others(%a: i64, %b: i64, %p: !llvm.ptr<1>) {
    %mask = llvm.mlir.constant(65535 : i64) : i64
    %seven = llvm.mlir.constant(7 : i64) : i64
    %large = llvm.mlir.constant(-49064778989728563 : i64) : i64
    %c = llvm.and %a, %mask : i64
    %d = llvm.and %b, %mask : i64
    %q = llvm.udiv %c, %d : i64
    %r = llvm.urem %a, %seven : i64
    %mixed = llvm.xor %a, %b : i64
    %s = llvm.urem %mixed, %b : i64
    %product = llvm.mul %a, %large : i64
    %t = llvm.urem %product, %b : i64
    llvm.store volatile %q, %p : i64, !llvm.ptr<1>
    llvm.store volatile %r, %p : i64, !llvm.ptr<1>
    llvm.store volatile %s, %p : i64, !llvm.ptr<1>
    llvm.store volatile %t, %p : i64, !llvm.ptr<1>
    llvm.return
  }

  // Before the loop, if neither number changes in it.
  // CHECK-LABEL: llvm.func @loop
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK-NOT: scf.if
  // CHECK: llvm.store
  // CHECK: scf.for
  // CHECK: scf.if
  llvm.func @loop(%a: i64, %b: i64, %n: i64, %p: !llvm.ptr<1>) {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    scf.for %i = %zero to %n step %one : i64 {
      %q = llvm.udiv %a, %b : i64
      %s = llvm.add %q, %i : i64
      llvm.store %s, %p : i64, !llvm.ptr<1>
    }
    scf.for %i = %zero to %n step %one : i64 {
      %j = llvm.add %i, %a : i64
      %q = llvm.udiv %j, %b : i64
      llvm.store %q, %p : i64, !llvm.ptr<1>
    }
    llvm.return
  }
}
