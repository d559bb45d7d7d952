// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/llvm_dialect.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/llvm_dialect.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/llvm_dialect.py %inflight %t.gfx950.hsaco %t.gfx950
// Kernels of the LLVM dialect, as other lowerings leave them.
gpu.module @kernels {
  llvm.func @ptr_args(%x: !llvm.ptr<1> {llvm.noalias, llvm.align = 16 : i32}, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x range <i32, 0, 64> : i32
    %p = llvm.getelementptr inbounds %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %w = llvm.fadd %v, %v : f32
    %q = llvm.getelementptr inbounds %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %w, %q {alignment = 4 : i64} : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @flatptr(%x: !llvm.ptr, %o: !llvm.ptr, %n: i32) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %c = llvm.icmp "slt" %t, %n : i32
    llvm.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %e = llvm.sext %t : i32 to i64
    %p = llvm.getelementptr %x[%e] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    %v = llvm.load %p : !llvm.ptr -> i16
    %q = llvm.getelementptr %o[%e] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    llvm.store %v, %q : i16, !llvm.ptr
    llvm.br ^bb2
  ^bb2:
    llvm.return
  }
  llvm.func @geps(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %p = llvm.getelementptr %x[%t, 1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.struct<(i32, f32)>
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %q = llvm.getelementptr %x[0, %t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<128 x f32>
    %w = llvm.load %q : !llvm.ptr<1> -> f32
    %s = llvm.fadd %v, %w : f32
    %r = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<2 x f32>
    llvm.store %s, %r : f32, !llvm.ptr<1>
    %r2 = llvm.getelementptr %r[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %v, %r2 : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @atomics(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %0 = llvm.atomicrmw add %x, %t syncscope("agent") monotonic : !llvm.ptr<1>, i32
    %p1 = llvm.getelementptr %x[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %k = llvm.mlir.constant(9 : i32) : i32
    %1 = llvm.atomicrmw uinc_wrap %p1, %k syncscope("agent") acq_rel : !llvm.ptr<1>, i32
    %p2 = llvm.getelementptr %x[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %2 = llvm.atomicrmw _xor %p2, %t monotonic : !llvm.ptr<1>, i32
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %3 = llvm.cmpxchg %q, %t, %k syncscope("agent") acq_rel monotonic : !llvm.ptr<1>, i32
    %4 = llvm.extractvalue %3[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %4, ^bb1, ^bb2
  ^bb1:
    %q2 = llvm.getelementptr %q[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %k, %q2 : i32, !llvm.ptr<1>
    llvm.br ^bb2
  ^bb2:
    llvm.return
  }
  llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>
  llvm.func @shared(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %a = llvm.getelementptr %l[0, %t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x f32>
    llvm.store %v, %a : f32, !llvm.ptr<3>
    rocdl.barrier
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %r = llvm.sub %c63, %t : i32
    %b = llvm.getelementptr %l[%r] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %w = llvm.load %b : !llvm.ptr<3> -> f32
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %w, %q : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @intrinsics(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pb = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %a = llvm.load %p : !llvm.ptr<1> -> i32
    %b = llvm.load %pb : !llvm.ptr<1> -> i32
    %0 = llvm.intr.smax(%a, %b) : (i32, i32) -> i32
    %1 = llvm.intr.umin(%a, %b) : (i32, i32) -> i32
    %2 = "llvm.intr.abs"(%a) <{is_int_min_poison = false}> : (i32) -> i32
    %3 = llvm.intr.ctpop(%a) : (i32) -> i32
    %4 = llvm.intr.bitreverse(%a) : (i32) -> i32
    %5 = llvm.intr.bswap(%a) : (i32) -> i32
    %6 = llvm.intr.fshl(%a, %b, %b) : (i32, i32, i32) -> i32
    %7 = llvm.intr.fshr(%a, %b, %b) : (i32, i32, i32) -> i32
    %8 = llvm.intr.sadd.sat(%a, %b) : (i32, i32) -> i32
    %9 = llvm.intr.uadd.sat(%a, %b) : (i32, i32) -> i32
    %10 = llvm.intr.ssub.sat(%a, %b) : (i32, i32) -> i32
    %11 = llvm.intr.usub.sat(%a, %b) : (i32, i32) -> i32
    %12 = "llvm.intr.uadd.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
    %13 = llvm.extractvalue %12[1] : !llvm.struct<(i32, i1)>
    %14 = llvm.zext %13 : i1 to i32
    %15 = "llvm.intr.umul.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
    %16 = llvm.extractvalue %15[1] : !llvm.struct<(i32, i1)>
    %17 = llvm.zext %16 : i1 to i32
    %v = llvm.mlir.poison : vector<16xi32>
    %i0 = llvm.mlir.constant(0 : i32) : i32
    %i1 = llvm.mlir.constant(1 : i32) : i32
    %i2 = llvm.mlir.constant(2 : i32) : i32
    %i3 = llvm.mlir.constant(3 : i32) : i32
    %i4 = llvm.mlir.constant(4 : i32) : i32
    %i5 = llvm.mlir.constant(5 : i32) : i32
    %i6 = llvm.mlir.constant(6 : i32) : i32
    %i7 = llvm.mlir.constant(7 : i32) : i32
    %i8 = llvm.mlir.constant(8 : i32) : i32
    %i9 = llvm.mlir.constant(9 : i32) : i32
    %i10 = llvm.mlir.constant(10 : i32) : i32
    %i11 = llvm.mlir.constant(11 : i32) : i32
    %i12 = llvm.mlir.constant(12 : i32) : i32
    %i13 = llvm.mlir.constant(13 : i32) : i32
    %v0 = llvm.insertelement %0, %v[%i0 : i32] : vector<16xi32>
    %v1 = llvm.insertelement %1, %v0[%i1 : i32] : vector<16xi32>
    %v2 = llvm.insertelement %2, %v1[%i2 : i32] : vector<16xi32>
    %v3 = llvm.insertelement %3, %v2[%i3 : i32] : vector<16xi32>
    %v4 = llvm.insertelement %4, %v3[%i4 : i32] : vector<16xi32>
    %v5 = llvm.insertelement %5, %v4[%i5 : i32] : vector<16xi32>
    %v6 = llvm.insertelement %6, %v5[%i6 : i32] : vector<16xi32>
    %v7 = llvm.insertelement %7, %v6[%i7 : i32] : vector<16xi32>
    %v8 = llvm.insertelement %8, %v7[%i8 : i32] : vector<16xi32>
    %v9 = llvm.insertelement %9, %v8[%i9 : i32] : vector<16xi32>
    %v10 = llvm.insertelement %10, %v9[%i10 : i32] : vector<16xi32>
    %v11 = llvm.insertelement %11, %v10[%i11 : i32] : vector<16xi32>
    %v12 = llvm.insertelement %14, %v11[%i12 : i32] : vector<16xi32>
    %v13 = llvm.insertelement %17, %v12[%i13 : i32] : vector<16xi32>
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<16xi32>
    llvm.store %v13, %q : vector<16xi32>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @switch(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %one = llvm.mlir.constant(100 : i32) : i32
    %two = llvm.mlir.constant(200 : i32) : i32
    llvm.switch %t : i32, ^bb1(%t : i32) [ 3: ^bb1(%one : i32), 7: ^bb1(%two : i32) ]
  ^bb1(%v: i32):
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %q : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @alloca(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %n = llvm.mlir.constant(8 : i32) : i32
    %seven = llvm.mlir.constant(7 : i32) : i32
    %a = llvm.alloca %n x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr<5>
    %m = llvm.and %t, %seven : i32
    %p = llvm.getelementptr %a[%m] : (!llvm.ptr<5>, i32) -> !llvm.ptr<5>, i32
    llvm.store %t, %p : i32, !llvm.ptr<5>
    %v = llvm.load %p : !llvm.ptr<5> -> i32
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %q : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @fences(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    llvm.fence syncscope("workgroup") release
    rocdl.s.barrier
    llvm.fence syncscope("workgroup") acquire
    llvm.fence syncscope("agent") acq_rel
    %q = llvm.getelementptr %o[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %t, %q atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    %v = llvm.load %q atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %w = llvm.load volatile %q : !llvm.ptr<1> -> i32
    llvm.return
  }
  llvm.func @hints(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %f = llvm.freeze %t : i32
    %true = llvm.mlir.constant(true) : i1
    llvm.intr.assume %true : i1
    %e = llvm.intr.expect %f, %t : i32
    %pc = llvm.icmp "eq" %x, %o : !llvm.ptr<1>
    %s = llvm.select %pc, %x, %o : i1, !llvm.ptr<1>
    %q = llvm.getelementptr %s[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %q : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @buffers(%x: !llvm.ptr<1>, %o: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %t = rocdl.workitem.id.x : i32
    %st = llvm.mlir.constant(0 : i16) : i16
    %n = llvm.mlir.constant(160 : i64) : i64
    %fl = llvm.mlir.constant(159744 : i32) : i32
    %z = llvm.mlir.constant(0 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %r = rocdl.make.buffer.rsrc %x, %st, %n, %fl : !llvm.ptr<1> to <8>
    %s = rocdl.make.buffer.rsrc %o, %st, %n, %fl : !llvm.ptr<1> to <8>
    %b = llvm.shl %t, %two : i32
    %v = rocdl.raw.ptr.buffer.load %r, %b, %z, %z : f32
    rocdl.raw.ptr.buffer.store %v, %s, %b, %z, %z : f32
    llvm.return
  }
}
