// Ids and sizes asked for as 64 bits.
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight run %t.hsaco --grid 2 --block 64 --arg zeros:128:i64 --out 0=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == 2 + 64 + np.arange(128) % 64 + np.arange(128) // 64).all()"
gpu.module @m {
  llvm.func @k(%o: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %g = rocdl.grid.dim.x : i64
    %w = rocdl.workgroup.dim.x : i64
    %t = rocdl.workitem.id.x : i64
    %b = rocdl.workgroup.id.x : i64
    %a1 = llvm.add %g, %w : i64
    %a2 = llvm.add %a1, %t : i64
    %a3 = llvm.add %a2, %b : i64
    %n = llvm.mul %b, %w : i64
    %i = llvm.add %n, %t : i64
    %p = llvm.getelementptr %o[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
    llvm.store %a3, %p : i64, !llvm.ptr<1>
    llvm.return
  }
}
