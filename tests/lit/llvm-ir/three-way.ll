; Comparisons with three results, of both signs.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; a = n.array([-5, -1, 0, 1, 7] * 13)[:64]; s = lambda x, y: (x > y) * 1 - (x < y); n.save('%t.in.npy', n.int32(a)); n.save('%t.out.npy', n.int32(s(a, 0) + 4 * s(n.uint64(a % 2**32), 1)))"
; RUN: %inflight run --check=all %t.hsaco --grid 1 --arg %t.in.npy --arg zeros:64:i32 --expect 1=%t.out.npy
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %from, align 4
  %signed = call i32 @llvm.scmp.i32.i32(i32 %x, i32 0)
  %one = insertelement <2 x i32> poison, i32 %x, i32 1
  %two = insertelement <2 x i32> %one, i32 0, i32 0
  %pair = call <2 x i8> @llvm.ucmp.v2i8.v2i32(<2 x i32> %two, <2 x i32> <i32 1, i32 1>)
  %narrow = extractelement <2 x i8> %pair, i32 1
  %unsigned = sext i8 %narrow to i32
  %four = shl i32 %unsigned, 2
  %sum = add i32 %signed, %four
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %sum, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.scmp.i32.i32(i32, i32)
declare <2 x i8> @llvm.ucmp.v2i8.v2i32(<2 x i32>, <2 x i32>)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
