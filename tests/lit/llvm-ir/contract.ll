; Products and sums become one operation where both allow it and the product has no other use.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python %S/Inputs/contract.py %t && %inflight run --check=all %t.hsaco --grid 1 --arg %t.in.npy --arg zeros:640:f32 --expect 1=%t.out.npy,0,0
; RUN: %inflight compile -mcpu=gfx942 --emit=mlir %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-COUNT-5: llvm.intr.fmuladd
; CHECK-NOT: llvm.intr.fmuladd
define amdgpu_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr <4 x float>, ptr addrspace(1) %in, i32 %lane
  %all = load <4 x float>, ptr addrspace(1) %from, align 16
  %a = extractelement <4 x float> %all, i32 0
  %b = extractelement <4 x float> %all, i32 1
  %c = extractelement <4 x float> %all, i32 2
  %d = extractelement <4 x float> %all, i32 3
  %to = getelementptr [10 x float], ptr addrspace(1) %out, i32 %lane

  ; On either side, and in differences.
  %p0 = fmul contract float %a, %b
  %r0 = fadd contract float %p0, %c
  store float %r0, ptr addrspace(1) %to, align 4
  %p1 = fmul nnan contract float %b, %a
  %r1 = fadd contract float %c, %p1
  %to1 = getelementptr float, ptr addrspace(1) %to, i32 1
  store float %r1, ptr addrspace(1) %to1, align 4
  %p2 = fmul contract float %a, %b
  %r2 = fsub contract float %p2, %d
  %to2 = getelementptr float, ptr addrspace(1) %to, i32 2
  store float %r2, ptr addrspace(1) %to2, align 4
  %p3 = fmul contract float %a, %b
  %r3 = fsub contract float %d, %p3
  %to3 = getelementptr float, ptr addrspace(1) %to, i32 3
  store float %r3, ptr addrspace(1) %to3, align 4

  ; Without permission.
  %p4 = fmul float %a, %b
  %r4 = fadd contract float %p4, %c
  %to4 = getelementptr float, ptr addrspace(1) %to, i32 4
  store float %r4, ptr addrspace(1) %to4, align 4
  %p5 = fmul contract float %a, %b
  %r5 = fadd float %p5, %c
  %to5 = getelementptr float, ptr addrspace(1) %to, i32 5
  store float %r5, ptr addrspace(1) %to5, align 4

  ; The product is wanted itself.
  %p6 = fmul contract float %b, %b
  %r6 = fadd contract float %p6, %c
  %to6 = getelementptr float, ptr addrspace(1) %to, i32 6
  store float %r6, ptr addrspace(1) %to6, align 4
  %to7 = getelementptr float, ptr addrspace(1) %to, i32 7
  store float %p6, ptr addrspace(1) %to7, align 4

  ; Vectors.
  %ab = shufflevector <4 x float> %all, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %cc = shufflevector <4 x float> %all, <4 x float> poison, <2 x i32> <i32 2, i32 2>
  %p8 = fmul contract <2 x float> %ab, %ab
  %r8 = fadd contract <2 x float> %p8, %cc
  %to8 = getelementptr float, ptr addrspace(1) %to, i32 8
  store <2 x float> %r8, ptr addrspace(1) %to8, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
