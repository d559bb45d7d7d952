// RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel lanes --grid 1 --block 64,2 --arg zeros:10x150:i32 --check=all --out 0=%t.lanes.npy
// RUN: %inflight run %t.hsaco --kernel tiles --grid 3,2 --arg zeros:2x3x64:i32 --arg zeros:2x3x64:i32 --check=all --out 1=%t.tiles.npy
// RUN: %inflight run %t.hsaco --kernel tiles --grid 5,4,2 --arg zeros:2x3x64:i32 --arg zeros:2x3x64:i32 --check=all --expect 1=%t.tiles.npy
// RUN: %python -c "import numpy as np; a = np.load('%t.lanes.npy'); i, j = np.mgrid[:10, :150]; assert (a == np.where((i >= 1) & (i % 3 == 1) & (i < 9), 1 + 1000 * i + j, 0)).all()"
// RUN: %python -c "import numpy as np; a = np.load('%t.tiles.npy'); i, j, k = np.mgrid[:2, :3, :64]; assert (a == 10000 * i + 1000 * j + 63 - k).all()"
// RUN: not %inflight compile -mcpu=gfx942 %S/Inputs/forall-linear.mlir -o %t.refused 2>&1 | FileCheck %s
// CHECK: error: 'scf.forall' is mapped to #gpu.thread<linear_dim_0>: what distributes it is
// Iterations by lanes' and workgroups' ids: more than there are lanes, with steps, each once; what others wrote is there after it.
gpu.module @m {
  gpu.func @lanes(%a: memref<10x150xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 2, 1>} {
    scf.forall (%i, %j) = (1, 0) to (9, 150) step (3, 1) {
      %x = arith.index_cast %i : index to i32
      %y = arith.index_cast %j : index to i32
      %thousand = arith.constant 1000 : i32
      %one = arith.constant 1 : i32
      %p = arith.muli %x, %thousand : i32
      %q = arith.addi %p, %y : i32
      %r = arith.addi %q, %one : i32
      %old = memref.load %a[%i, %j] : memref<10x150xi32>
      %new = arith.addi %old, %r : i32
      memref.store %new, %a[%i, %j] : memref<10x150xi32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    gpu.return
  }
  gpu.func @tiles(%unused: memref<2x3x64xi32>, %a: memref<2x3x64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %tile = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    scf.forall (%i, %j) in (2, 3) {
      scf.forall (%k) in (64) {
        %x = arith.index_cast %k : index to i32
        memref.store %x, %tile[%k] : memref<64xi32, #gpu.address_space<workgroup>>
      } {mapping = [#gpu.thread<x>]}
      scf.forall (%k) in (64) {
        %last = arith.constant 63 : index
        %other = arith.subi %last, %k : index
        %v = memref.load %tile[%other] : memref<64xi32, #gpu.address_space<workgroup>>
        %c0 = arith.constant 10000 : i32
        %c1 = arith.constant 1000 : i32
        %x = arith.index_cast %i : index to i32
        %y = arith.index_cast %j : index to i32
        %p = arith.muli %x, %c0 : i32
        %q = arith.muli %y, %c1 : i32
        %r = arith.addi %p, %q : i32
        %s = arith.addi %r, %v : i32
        %old = memref.load %a[%i, %j, %k] : memref<2x3x64xi32>
        %new = arith.addi %old, %s : i32
        memref.store %new, %a[%i, %j, %k] : memref<2x3x64xi32>
      } {mapping = [#gpu.thread<x>]}
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    gpu.return
  }
}
