// RUN: %inflight compile -mcpu=gfx90a %s -o %t.gfx90a.hsaco && %python %S/../support/control.py %inflight %t.gfx90a.hsaco %t.gfx90a
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.gfx942.hsaco && %python %S/../support/control.py %inflight %t.gfx942.hsaco %t.gfx942
// RUN: %inflight compile -mcpu=gfx950 %s -o %t.gfx950.hsaco && %python %S/../support/control.py %inflight %t.gfx950.hsaco %t.gfx950
// Structured control flow and branches, uniform and divergent, with everything a loop carries.
gpu.module @kernels {
  gpu.func @for_types(%x: memref<64x8xf32>, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0.0 : f32
    %zv = arith.constant dense<0.0> : vector<2xf32>
    %true = arith.constant true
    %r:4 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z, %v = %zv, %b = %true, %n = %c0) -> (f32, vector<2xf32>, i1, index) {
    %e = memref.load %x[%t, %i] : memref<64x8xf32>
    %a2 = arith.addf %a, %e : f32
    %bv = vector.broadcast %e : f32 to vector<2xf32>
    %v2 = arith.addf %v, %bv : vector<2xf32>
    %pos = arith.cmpf ogt, %e, %z : f32
    %b2 = arith.andi %b, %pos : i1
    %n1 = arith.addi %n, %c1 : index
    %n2 = arith.select %pos, %n1, %n : index
    scf.yield %a2, %v2, %b2, %n2 : f32, vector<2xf32>, i1, index
    }
    %bf = arith.uitofp %r#2 : i1 to f32
    %ni = arith.index_cast %r#3 : index to i32
    %nf = arith.sitofp %ni : i32 to f32
    %v1 = vector.extract %r#1[1] : f32 from vector<2xf32>
    %w = vector.from_elements %r#0, %v1, %bf, %nf : vector<4xf32>
    vector.store %w, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @for_i32(%n: i32, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ti = arith.index_cast %t : index to i32
    %r = scf.for %i = %z to %n step %one iter_args(%a = %z) -> (i32) : i32 {
    %s = arith.addi %a, %ti : i32
    %s2 = arith.xori %s, %i : i32
    scf.yield %s2 : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @for_i64(%n: i64, %m: i64, %s: i64, %o: memref<64xi64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i64
    %r = scf.for %i = %m to %n step %s iter_args(%a = %z) -> (i64) : i64 {
    %s1 = arith.addi %a, %i : i64
    scf.yield %s1 : i64
    }
    memref.store %r, %o[%t] : memref<64xi64>
    gpu.return
  }
  gpu.func @for_neg(%o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 3 : i32
    %lo = arith.constant -10 : i32
    %hi = arith.constant 7 : i32
    %r = scf.for %i = %lo to %hi step %one iter_args(%a = %z) -> (i32) : i32 {
    %s2 = arith.addi %a, %i : i32
    scf.yield %s2 : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @for_unsigned(%n: i32, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %lo = arith.constant -6 : i32
    %hi = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %r = scf.for unsigned %i = %lo to %hi step %one iter_args(%a = %z) -> (i32) : i32 {
    %s2 = arith.addi %a, %i : i32
    scf.yield %s2 : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @for_unsigned2(%n: i32, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %hi = arith.constant -2147483640 : i32
    %one = arith.constant 1000000000 : i32
    %r = scf.for unsigned %i = %n to %hi step %one iter_args(%a = %z) -> (i32) : i32 {
    %s2 = arith.addi %a, %i : i32
    scf.yield %s2 : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @for_div(%x: memref<64xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n0 = memref.load %x[%t] : memref<64xi32>
    %n = arith.index_cast %n0 : i32 to index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
    %odd = arith.andi %a, %one : i32
    %p = arith.cmpi eq, %odd, %z : i32
    %q = scf.if %p -> (i32) {
    %u = arith.addi %a, %one : i32
    scf.yield %u : i32
    } else {
    %three = arith.constant 3 : i32
    %u = arith.muli %a, %three : i32
    scf.yield %u : i32
    }
    scf.yield %q : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @nested(%n: index, %m: index, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
    %r2 = scf.for %j = %i to %m step %c1 iter_args(%b = %a) -> (i32) {
    %ij = arith.muli %i, %j : index
    %ijt = arith.addi %ij, %t : index
    %k = arith.index_cast %ijt : index to i32
    %s = arith.addi %b, %k : i32
    scf.yield %s : i32
    }
    scf.yield %r2 : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @while(%x: memref<64xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %v = memref.load %x[%t] : memref<64xi32>
    %r:2 = scf.while (%a = %v, %n = %z) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi ugt, %a, %one : i32
    scf.condition(%go) %a, %n : i32, i32
    } do {
    ^bb0(%a: i32, %n: i32):
    %odd = arith.andi %a, %one : i32
    %p = arith.cmpi eq, %odd, %z : i32
    %h = arith.shrui %a, %one : i32
    %m = arith.muli %a, %three : i32
    %m1 = arith.addi %m, %one : i32
    %nx = arith.select %p, %h, %m1 : i32
    %n1 = arith.addi %n, %one : i32
    scf.yield %nx, %n1 : i32, i32
    }
    memref.store %r#1, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @while_uniform(%n: i32, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r:2 = scf.while (%a = %n, %s = %z) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi sgt, %a, %z : i32
    scf.condition(%go) %a, %s : i32, i32
    } do {
    ^bb0(%a: i32, %s: i32):
    %a1 = arith.subi %a, %one : i32
    %s1 = arith.addi %s, %a : i32
    scf.yield %a1, %s1 : i32, i32
    }
    memref.store %r#1, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @while_do(%x: memref<64xi32>, %o: memref<64xi64>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i32
    %z32 = arith.constant 0 : i32
    %v = memref.load %x[%t] : memref<64xi32>
    %r:2 = scf.while (%a = %v, %s = %z) : (i32, i64) -> (i32, i64) {
    %a1 = arith.subi %a, %one : i32
    %e = arith.extsi %a : i32 to i64
    %s1 = arith.addi %s, %e : i64
    %go = arith.cmpi sgt, %a1, %z32 : i32
    scf.condition(%go) %a1, %s1 : i32, i64
    } do {
    ^bb0(%a: i32, %s: i64):
    scf.yield %a, %s : i32, i64
    }
    memref.store %r#1, %o[%t] : memref<64xi64>
    gpu.return
  }
  gpu.func @while_types(%x: memref<64xi32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zi = arith.constant 0 : i32
    %v = memref.load %x[%t] : memref<64xi32>
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %f = arith.constant 1.5 : f32
    %r = scf.while (%a = %v, %b = %true) : (i32, i1) -> f32 {
    %af = arith.sitofp %a : i32 to f32
    %p = arith.mulf %af, %f : f32
    scf.condition(%b) %p : f32
    } do {
    ^bb0(%p: f32):
    %pi = arith.fptosi %p : f32 to i32
    %lim = arith.constant 100 : i32
    %b = arith.cmpi slt, %pi, %lim : i32
    scf.yield %pi, %b : i32, i1
    }
    memref.store %r, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @switch(%x: memref<64xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %i = arith.index_cast %v : i32 to index
    %r = scf.index_switch %i -> i32
    case 2 {
    %a = arith.constant 10 : i32
    scf.yield %a : i32
    }
    case 5 {
    %a = arith.constant 20 : i32
    scf.yield %a : i32
    }
    default {
    scf.yield %v : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @switch_uniform(%i: index, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    scf.index_switch %i
    case 2 {
    %a = arith.constant 10 : i32
    memref.store %a, %o[%t] : memref<64xi32>
    scf.yield
    }
    case -1 {
    %a = arith.constant 20 : i32
    memref.store %a, %o[%t] : memref<64xi32>
    scf.yield
    }
    default {
    %a = arith.constant 30 : i32
    memref.store %a, %o[%t] : memref<64xi32>
    }
    gpu.return
  }
  gpu.func @if_nest(%x: memref<64xi32>, %y: memref<64xf16>, %o: memref<64xi32>, %p: memref<64xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %h = memref.load %y[%t] : memref<64xf16>
    %c10 = arith.constant 10 : i32
    %c20 = arith.constant 20 : i32
    %a = arith.cmpi slt, %v, %c10 : i32
    %r:2 = scf.if %a -> (i32, f16) {
    %hh = arith.addf %h, %h : f16
    scf.yield %c10, %hh : i32, f16
    } else {
    %b = arith.cmpi slt, %v, %c20 : i32
    %q = scf.if %b -> (i32) {
    %s = arith.addi %v, %c20 : i32
    scf.yield %s : i32
    } else {
    scf.yield %c20 : i32
    }
    scf.yield %q, %h : i32, f16
    }
    memref.store %r#0, %o[%t] : memref<64xi32>
    memref.store %r#1, %p[%t] : memref<64xf16>
    gpu.return
  }
  gpu.func @if_memref(%x: memref<64xf32>, %y: memref<64xf32>, %b: i1, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %m = scf.if %b -> (memref<64xf32>) {
    scf.yield %x : memref<64xf32>
    } else {
    scf.yield %y : memref<64xf32>
    }
    %v = memref.load %m[%t] : memref<64xf32>
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @select_memref(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xi1>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %b = memref.load %z[%t] : memref<64xi1>
    %m = arith.select %b, %x, %y : memref<64xf32>
    %v = memref.load %m[%t] : memref<64xf32>
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @select_lds(%x: memref<64xf32>, %n: index, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<64xf32, 3>
    %b = memref.alloc() : memref<64xf32, 3>
    %v = memref.load %x[%t] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %v, %a[%t] : memref<64xf32, 3>
    memref.store %w, %b[%t] : memref<64xf32, 3>
    gpu.barrier
    %c = arith.cmpi slt, %t, %n : index
    %m = arith.select %c, %a, %b : memref<64xf32, 3>
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %e = memref.load %m[%r] : memref<64xf32, 3>
    memref.store %e, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @for_memref_dyn(%x: memref<?x?xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %z = arith.constant 0.0 : f32
    %s0 = memref.subview %x[%c0, 0][1, 64][1, 1] : memref<?x?xf32> to memref<64xf32, strided<[1], offset: ?>>
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %s0, %a = %z) -> (memref<64xf32, strided<[1], offset: ?>>, f32) {
    %v = memref.load %m[%t] : memref<64xf32, strided<[1], offset: ?>>
    %s = arith.addf %a, %v : f32
    %i1 = arith.addi %i, %c1 : index
    %n = memref.subview %x[%i1, 0][1, 64][1, 1] : memref<?x?xf32> to memref<64xf32, strided<[1], offset: ?>>
    scf.yield %n, %s : memref<64xf32, strided<[1], offset: ?>>, f32
    }
    memref.store %r#1, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @for_memref_swap3(%x: memref<8x64xf32>, %o: memref<8x64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c63 = arith.constant 63 : index
    %l0 = memref.alloc() : memref<64xf32, 3>
    %l1 = memref.alloc() : memref<64xf32, 3>
    %l2 = memref.alloc() : memref<64xf32, 3>
    %r:3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %l0, %b = %l1, %c = %l2) -> (memref<64xf32, 3>, memref<64xf32, 3>, memref<64xf32, 3>) {
    %v = memref.load %x[%i, %t] : memref<8x64xf32>
    memref.store %v, %a[%t] : memref<64xf32, 3>
    gpu.barrier
    %q = arith.subi %c63, %t : index
    %w = memref.load %a[%q] : memref<64xf32, 3>
    memref.store %w, %o[%i, %t] : memref<8x64xf32>
    scf.yield %b, %c, %a : memref<64xf32, 3>, memref<64xf32, 3>, memref<64xf32, 3>
    }
    gpu.return
  }
  gpu.func @parallel(%o: memref<64x4xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %s = arith.addi %i, %t : index
    %k = arith.index_cast %s : index to i32
    memref.store %k, %o[%t, %i] : memref<64x4xi32>
    scf.reduce
    }
    gpu.return
  }
  gpu.func @forall(%o: memref<64x4xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    scf.forall (%i) in (4) {
    %s = arith.addi %i, %t : index
    %k = arith.index_cast %s : index to i32
    memref.store %k, %o[%t, %i] : memref<64x4xi32>
    }
    gpu.return
  }
  gpu.func @execute_region(%x: memref<64xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %r = scf.execute_region -> i32 {
    %v = memref.load %x[%t] : memref<64xi32>
    %z = arith.constant 0 : i32
    %p = arith.cmpi sgt, %v, %z : i32
    cf.cond_br %p, ^a, ^b
    ^a:
    scf.yield %v : i32
    ^b:
    scf.yield %z : i32
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @cf_loop(%x: memref<64xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    cf.br ^head(%z, %v : i32, i32)
    ^head(%s: i32, %i: i32):
    %go = arith.cmpi sgt, %i, %z : i32
    cf.cond_br %go, ^body, ^exit
    ^body:
    %s1 = arith.addi %s, %i : i32
    %i1 = arith.subi %i, %one : i32
    cf.br ^head(%s1, %i1 : i32, i32)
    ^exit:
    memref.store %s, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @cf_early(%x: memref<64xi32>, %n: index, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %in = arith.cmpi ult, %t, %n : index
    cf.cond_br %in, ^work, ^end
    ^work:
    %v = memref.load %x[%t] : memref<64xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %o[%t] : memref<64xi32>
    cf.br ^end
    ^end:
    gpu.return
  }
  gpu.func @cf_break(%x: memref<64x8xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0 : i32
    cf.br ^head(%c0, %z : index, i32)
    ^head(%i: index, %s: i32):
    %go = arith.cmpi slt, %i, %c8 : index
    cf.cond_br %go, ^body, ^exit(%s : i32)
    ^body:
    %v = memref.load %x[%t, %i] : memref<64x8xi32>
    %neg = arith.cmpi slt, %v, %z : i32
    cf.cond_br %neg, ^exit(%s : i32), ^next
    ^next:
    %s1 = arith.addi %s, %v : i32
    %i1 = arith.addi %i, %c1 : index
    cf.br ^head(%i1, %s1 : index, i32)
    ^exit(%r: i32):
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @cf_switch(%x: memref<64xi32>, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<64xi32>
    %a = arith.constant 100 : i32
    %b = arith.constant 200 : i32
    cf.switch %v : i32, [
    default: ^d(%v : i32),
    1: ^d(%a : i32),
    4: ^e
    ]
    ^e:
    cf.br ^d(%b : i32)
    ^d(%r: i32):
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
  gpu.func @cf_memref(%x: memref<64xf32>, %y: memref<64xf32>, %b: i1, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    cf.cond_br %b, ^m(%x : memref<64xf32>), ^m(%y : memref<64xf32>)
    ^m(%m: memref<64xf32>):
    %v = memref.load %m[%t] : memref<64xf32>
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @cf_assert(%x: memref<64xf32>, %o: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %ok = arith.cmpi ult, %t, %c64 : index
    cf.assert %ok, "never"
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %o[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @for_mfma(%x: memref<16x64x4xf16>, %y: memref<16x64x4xf16>, %n: index, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant dense<0.0> : vector<4xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (vector<4xf32>) {
    %a = vector.load %x[%i, %t, %c0] : memref<16x64x4xf16>, vector<4xf16>
    %b = vector.load %y[%i, %t, %c0] : memref<16x64x4xf16>, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %a * %b + %acc { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    scf.yield %d : vector<4xf32>
    }
    vector.store %r, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @if_mfma(%x: memref<64x4xf16>, %b: i1, %o: memref<64x4xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant dense<1.0> : vector<4xf32>
    %a = vector.load %x[%t, %c0] : memref<64x4xf16>, vector<4xf16>
    %r = scf.if %b -> (vector<4xf32>) {
    %d = amdgpu.mfma 16x16x16 %a * %a + %z { abid = 0 : i32, cbsz = 0 : i32 } blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    scf.yield %d : vector<4xf32>
    } else {
    scf.yield %z : vector<4xf32>
    }
    vector.store %r, %o[%t, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.return
  }
  gpu.func @parallel_sum(%n: index, %o: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i32 {
    %s = arith.addi %i, %t : index
    %k = arith.index_cast %s : index to i32
    scf.reduce(%k : i32) {
    ^bb0(%a: i32, %b: i32):
    %q = arith.addi %a, %b : i32
    scf.reduce.return %q : i32
    }
    }
    memref.store %r, %o[%t] : memref<64xi32>
    gpu.return
  }
}
