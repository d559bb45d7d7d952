; Elements at indices of eight bits and of one, bytes put together, sums and differences that saturate. What is outside of a vector may be anything.
; RUN: %python %S/Inputs/elements.py %t
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run --check=all %t.hsaco --kernel elements --block 64 --arg %t.in.npy --arg zeros:448:u32 --arg i8:250 --arg i8:7 --expect 1=%t.out.npy,0,0 || exit 1; done
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run --check=all %t.hsaco --kernel inserted --block 64 --arg %t.in.npy --arg zeros:64:u32 --expect 1=%t.bytes.npy,0,0 || exit 1; done
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i32 @llvm.uadd.sat.i32(i32, i32)

; CHECK-LABEL: elements:
; CHECK: v_perm_b32
define amdgpu_kernel void @elements(ptr addrspace(1) %in, ptr addrspace(1) %out, i8 %a, i8 %b) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr [4 x i32], ptr addrspace(1) %in, i32 %lane
  %words = load <4 x i32>, ptr addrspace(1) %at
  %low = trunc i32 %lane to i8
  %first = add i8 %low, %a
  %sum = add i8 %first, %b
  ; A bit of a number that wraps, so that no index is outside.
  %index = and i8 %sum, 3
  %wide = shl i8 %sum, 6
  %narrow = lshr i8 %wide, 6
  %e0 = extractelement <4 x i32> %words, i8 %index
  %to0 = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %e0, ptr addrspace(1) %to0
  %bit = trunc i32 %lane to i1
  %flipped = xor i1 %bit, true
  %pair = shufflevector <4 x i32> %words, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %e1 = extractelement <2 x i32> %pair, i1 %flipped
  %to1 = getelementptr i32, ptr addrspace(1) %to0, i32 64
  store i32 %e1, ptr addrspace(1) %to1
  %inserted = insertelement <4 x i32> %words, i32 %lane, i8 %narrow
  %scaled = mul <4 x i32> %inserted, <i32 1, i32 3, i32 5, i32 7>
  %s0 = extractelement <4 x i32> %scaled, i32 0
  %s1 = extractelement <4 x i32> %scaled, i32 1
  %s2 = extractelement <4 x i32> %scaled, i32 2
  %s3 = extractelement <4 x i32> %scaled, i32 3
  %x0 = xor i32 %s0, %s1
  %x1 = xor i32 %s2, %s3
  %x = xor i32 %x0, %x1
  %to2 = getelementptr i32, ptr addrspace(1) %to0, i32 128
  store i32 %x, ptr addrspace(1) %to2
  %bytes = trunc <4 x i32> %words to <4 x i8>
  %to3 = getelementptr i32, ptr addrspace(1) %to0, i32 192
  store <4 x i8> %bytes, ptr addrspace(1) %to3
  %p = extractelement <4 x i32> %words, i32 0
  %q = extractelement <4 x i32> %words, i32 1
  %less = call i32 @llvm.usub.sat.i32(i32 %p, i32 %q)
  %to4 = getelementptr i32, ptr addrspace(1) %to0, i32 256
  store i32 %less, ptr addrspace(1) %to4
  %more = call i32 @llvm.uadd.sat.i32(i32 %p, i32 %q)
  %to5 = getelementptr i32, ptr addrspace(1) %to0, i32 320
  store i32 %more, ptr addrspace(1) %to5
  %less7 = call i32 @llvm.usub.sat.i32(i32 %p, i32 7)
  %to6 = getelementptr i32, ptr addrspace(1) %to0, i32 384
  store i32 %less7, ptr addrspace(1) %to6
  ret void
}

; Bytes that are inserted one after another, in any order, are put together once; the first value of a place is gone.
; CHECK-LABEL: inserted:
; CHECK-NOT: v_and_b32 {{.*}}0xff,
; CHECK: v_perm_b32
; CHECK: v_perm_b32
; CHECK: v_lshl_or_b32
; CHECK: s_endpgm
define amdgpu_kernel void @inserted(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr [4 x i32], ptr addrspace(1) %in, i32 %lane
  %words = load <4 x i32>, ptr addrspace(1) %at
  %w0 = extractelement <4 x i32> %words, i32 0
  %w1 = extractelement <4 x i32> %words, i32 1
  %w2 = extractelement <4 x i32> %words, i32 2
  %w3 = extractelement <4 x i32> %words, i32 3
  %b0 = trunc i32 %w0 to i8
  %b1 = trunc i32 %w1 to i8
  %b2 = trunc i32 %w2 to i8
  %b3 = trunc i32 %w3 to i8
  %v0 = insertelement <4 x i8> poison, i8 %b0, i32 3
  %v1 = insertelement <4 x i8> %v0, i8 %b1, i32 1
  %v2 = insertelement <4 x i8> %v1, i8 %b0, i32 0
  %v3 = insertelement <4 x i8> %v2, i8 %b3, i32 3
  %v4 = insertelement <4 x i8> %v3, i8 %b2, i32 2
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store <4 x i8> %v4, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: outside:
; CHECK: s_endpgm
define amdgpu_kernel void @outside(ptr addrspace(1) %p, <4 x i16> %v, i64 %number) {
  %inserted = insertelement <4 x i16> %v, i16 5, i32 59159
  %element = extractelement <4 x i16> %inserted, i64 4294967297
  %shifted = lshr i64 %number, 28497
  store i16 %element, ptr addrspace(1) %p
  %at = getelementptr i64, ptr addrspace(1) %p, i32 1
  store i64 %shifted, ptr addrspace(1) %at
  ret void
}
