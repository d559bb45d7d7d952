; A descriptor that is stored part by part to a private variable, as CK tile's builtins leave it, is in registers.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; x = n.arange(64).astype(n.int32) * 3 + 1; n.save('%t.in.npy', x)"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:i32 --expect 1=%t.in.npy,0,0
; CHECK-NOT: scratch_
; CHECK: buffer_load_dword
; CHECK: .amdhsa_private_segment_fixed_size 0
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %variable = alloca ptr addrspace(8), align 16, addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %address = ptrtoint ptr addrspace(1) %in to i64
  %words = bitcast i64 %address to <2 x i32>
  %descriptor = shufflevector <2 x i32> %words, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %bytes = bitcast <4 x i32> %descriptor to <16 x i8>
  %first = shufflevector <16 x i8> %bytes, <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x i8> %first, ptr addrspace(5) %variable, align 16
  %one = extractelement <16 x i8> %bytes, i64 8
  %at.8 = getelementptr i8, ptr addrspace(5) %variable, i32 8
  store i8 %one, ptr addrspace(5) %at.8
  %four = shufflevector <16 x i8> %bytes, <16 x i8> poison, <4 x i32> <i32 9, i32 10, i32 11, i32 12>
  %at.9 = getelementptr i8, ptr addrspace(5) %variable, i32 9
  store <4 x i8> %four, ptr addrspace(5) %at.9, align 1
  %rest = shufflevector <16 x i8> %bytes, <16 x i8> poison, <3 x i32> <i32 13, i32 14, i32 15>
  %at.13 = getelementptr i8, ptr addrspace(5) %variable, i32 13
  store <3 x i8> %rest, ptr addrspace(5) %at.13, align 1
  %whole = load ptr addrspace(8), ptr addrspace(5) %variable, align 16
  %offset = shl i32 %lane, 2
  %x = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %whole, i32 %offset, i32 0, i32 0)
  %out.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %x, ptr addrspace(1) %out.at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
