; Of sums, products and shifts of 64 bits whose upper half nobody looks at only the lower half is computed.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-LABEL: cut:
; CHECK-NOT: v_mad_u64
; CHECK-NOT: _b64 v
; CHECK-NOT: _u64 v
; CHECK: v_mul_lo_u32
; CHECK: s_endpgm
define amdgpu_kernel void @cut(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr [2 x i64], ptr addrspace(1) %in, i32 %lane
  %two = load <2 x i64>, ptr addrspace(1) %from
  %a = extractelement <2 x i64> %two, i32 0
  %b = extractelement <2 x i64> %two, i32 1
  %product = mul i64 %a, %b
  %sum = add i64 %product, %a
  %difference = sub i64 %sum, %b
  %shifted = shl i64 %difference, 3
  %masked = and i64 %shifted, 4294967295
  %mixed = xor i64 %masked, %a
  %word = trunc i64 %mixed to i32
  %down = lshr i64 %a, 5
  %low = trunc i64 %down to i32
  %both = add i32 %word, %low
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %both, ptr addrspace(1) %to
  ret void
}

; A shift by a word or more leaves nothing below, and what is shifted to the right is looked at.
; CHECK-LABEL: whole:
; CHECK: v_mad_u64_u32
; CHECK: s_endpgm
define amdgpu_kernel void @whole(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr [2 x i64], ptr addrspace(1) %in, i32 %lane
  %two = load <2 x i64>, ptr addrspace(1) %from
  %a = extractelement <2 x i64> %two, i32 0
  %b = extractelement <2 x i64> %two, i32 1
  %product = mul i64 %a, %b
  %up = shl i64 %product, 40
  %none = trunc i64 %up to i32
  %down = lshr i64 %product, 7
  %word = trunc i64 %down to i32
  %both = add i32 %word, %none
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %both, ptr addrspace(1) %to
  ret void
}
