// RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --check=all --arg arange:256:f32 --arg zeros:256:f32 --arg zeros:1:f32 --arg i32:200 --arg null --arg null --out 1=%t.npy --out 2=%t-sum.npy
// RUN: %python -c "import numpy as n; a, s = n.load('%t.npy').ravel(), n.load('%t-sum.npy').ravel(); x = n.where(n.arange(256) < 200, n.arange(256), 0)[::-1].astype('f4'); assert abs(a - x * n.log2(2)).max() < 1e-3 and s[0] == 6, (a, s)"
// RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
// The LLVM dialect as Triton's last passes print it: the only exported function is the kernel, four waves of 64 lanes, 1024 bytes of LDS.
// CHECK-DAG: .group_segment_fixed_size: 1024
// CHECK-DAG: .max_flat_workgroup_size: 256
// CHECK-DAG: .name: reverse
#loc = loc("kernel.py":5:1)
#loc1 = loc(unknown)
#mmra_tag = #llvm.mmra_tag<"amdgpu-synchronize-as":"local">
module attributes {ttg.global_scratch_memory_alignment = 1 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 1024 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8> loc(#loc)
  llvm.func @llvm.exp2.f32(f32) -> f32 attributes {libname = "", libpath = ""} loc(#loc)
  llvm.func internal @clamp(%x: i32, %n: i32) -> i1 attributes {noinline = false} {
    %0 = llvm.icmp "slt" %x, %n : i32 loc(#loc1)
    llvm.return %0 : i1 loc(#loc1)
  } loc(#loc)
  llvm.func @reverse(%x: !llvm.ptr<1> {tt.pointee_type = f32} loc("x"(#loc)), %o: !llvm.ptr<1> {tt.pointee_type = f32} loc("o"(#loc)), %s: !llvm.ptr<1>, %n: i32 loc("n"(#loc)), %arg3: !llvm.ptr<1> loc("kernel.py":5:1), %arg4: !llvm.ptr<1> loc("kernel.py":5:1)) attributes {noinline = false, ttg.global_scratch_memory_size = 0 : i32} {
    %0 = llvm.mlir.undef : vector<1xf32> loc(#loc1)
    %1 = llvm.mlir.constant(dense<0.000000e+00> : vector<1xf32>) : vector<1xf32> loc(#loc1)
    %2 = llvm.mlir.constant(255 : i32) : i32 loc(#loc1)
    %3 = llvm.mlir.constant(0 : i32) : i32 loc(#loc1)
    %4 = llvm.mlir.addressof @global_smem : !llvm.ptr<3> loc(#loc1)
    %5 = rocdl.workitem.id.x : i32 loc(#loc1)
    %6 = llvm.and %5, %2 : i32 loc(#loc1)
    %7 = llvm.call @clamp(%6, %n) : (i32, i32) -> i1 loc(#loc1)
    llvm.cond_br %7, ^bb1, ^bb2(%1 : vector<1xf32>) loc(#loc1)
  ^bb1:  // pred: ^bb0
    %8 = llvm.getelementptr %x[%6] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32 loc(#loc1)
    %9 = llvm.load %8 <alignment = 4> : !llvm.ptr<1> -> vector<1xf32> loc(#loc1)
    llvm.br ^bb2(%9 : vector<1xf32>) loc(#loc1)
  ^bb2(%10: vector<1xf32> loc("kernel.py":7:18)):  // 2 preds: ^bb0, ^bb1
    %11 = llvm.getelementptr %4[%6] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32 loc(#loc1)
    llvm.store %10, %11 <alignment = 4> : vector<1xf32>, !llvm.ptr<3> loc(#loc1)
    llvm.fence syncscope("workgroup") release {llvm.mmra = #mmra_tag} loc(#loc1)
    rocdl.s.barrier loc(#loc1)
    llvm.fence syncscope("workgroup") acquire {llvm.mmra = #mmra_tag} loc(#loc1)
    %12 = llvm.sub %2, %6 : i32 loc(#loc1)
    %13 = llvm.getelementptr %4[%12] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32 loc(#loc1)
    %14 = llvm.load %13 : !llvm.ptr<3> -> f32 loc(#loc1)
    %15 = llvm.call @llvm.exp2.f32(%14) : (f32) -> f32 loc(#loc1)
    %16 = llvm.intr.log2(%15) : (f32) -> f32 loc(#loc1)
    %17 = llvm.icmp "slt" %6, %2 : i32 loc(#loc1)
    %18 = llvm.mlir.constant(128 : i32) : i32 loc(#loc1)
    %19 = llvm.sitofp %18 : i32 to f32 loc(#loc1)
    %20 = llvm.fcmp "olt" %14, %19 : f32 loc(#loc1)
    %21 = llvm.select %20, %16, %14 : i1, f32 loc(#loc1)
    %22 = llvm.getelementptr %o[%6] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32 loc(#loc1)
    llvm.store %21, %22 : f32, !llvm.ptr<1> loc(#loc1)
    %23 = llvm.icmp "eq" %6, %3 : i32 loc(#loc1)
    llvm.cond_br %23, ^bb3, ^bb4 loc(#loc1)
  ^bb3:  // pred: ^bb2
    %24 = llvm.load %x : !llvm.ptr<1> -> vector<4xf32> loc(#loc1)
    %25 = llvm.mlir.constant(0.000000e+00 : f32) : f32 loc(#loc1)
    %26 = llvm.intr.vector.reduce.fadd(%25, %24) : (f32, vector<4xf32>) -> f32 loc(#loc1)
    %27 = llvm.intr.vector.reduce.fmax(%24) : (vector<4xf32>) -> f32 loc(#loc1)
    %28 = llvm.intr.maxnum(%26, %27) : (f32, f32) -> f32 loc(#loc1)
    llvm.store %28, %s : f32, !llvm.ptr<1> loc(#loc1)
    llvm.br ^bb4 loc(#loc1)
  ^bb4:  // 2 preds: ^bb2, ^bb3
    llvm.return loc(#loc1)
  } loc(#loc)
} loc(#loc)
