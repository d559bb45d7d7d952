; Quotients and remainders of 32 bits: of numbers that differ between lanes, and of those that don't, which are divided on the scalar unit but for the reciprocal.
; RUN: %python %S/Inputs/divisions.py %t
; RUN: for c in gfx90a gfx942 gfx950; do for k in lanes waves; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run %t.hsaco --kernel $k --grid 8192 --block 1 --arg %t.in.npy --arg zeros:8192x4:u32 --expect 1=%t.out.npy,0,0 || exit 1; done; done
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()

; CHECK-LABEL: lanes:
; CHECK: v_rcp_iflag_f32
; CHECK: v_min_u32
define amdgpu_kernel void @lanes(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %i = add i32 %lane, %group
  %at = getelementptr [2 x i32], ptr addrspace(1) %in, i32 %i
  %second = getelementptr i32, ptr addrspace(1) %at, i32 1
  %a = load i32, ptr addrspace(1) %at
  %b = load i32, ptr addrspace(1) %second
  %uq = udiv i32 %a, %b
  %ur = urem i32 %a, %b
  %sq = sdiv i32 %a, %b
  %sr = srem i32 %a, %b
  %v0 = insertelement <4 x i32> poison, i32 %uq, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %ur, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %sq, i32 2
  %v3 = insertelement <4 x i32> %v2, i32 %sr, i32 3
  %to = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %i
  store <4 x i32> %v3, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: waves:
; CHECK: v_rcp_iflag_f32
; CHECK: v_readfirstlane_b32
; CHECK: s_mul_hi_u32
; CHECK-NOT: v_mul_hi_u32
; CHECK: s_endpgm
define amdgpu_kernel void @waves(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %at = getelementptr [2 x i32], ptr addrspace(1) %in, i32 %group
  %second = getelementptr i32, ptr addrspace(1) %at, i32 1
  %a = load i32, ptr addrspace(1) %at
  %b = load i32, ptr addrspace(1) %second
  %uq = udiv i32 %a, %b
  %ur = urem i32 %a, %b
  %sq = sdiv i32 %a, %b
  %sr = srem i32 %a, %b
  %v0 = insertelement <4 x i32> poison, i32 %uq, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %ur, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %sq, i32 2
  %v3 = insertelement <4 x i32> %v2, i32 %sr, i32 3
  %to = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %group
  store <4 x i32> %v3, ptr addrspace(1) %to
  ret void
}
