; RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx90a %s -o %t.hsaco
; RUN: %python %S/Inputs/packed_singles.py %t.in.npy
; RUN: %inflight run %t.hsaco --check=all --arg %t.in.npy --out 0=%t.npy
; RUN: %python %S/Inputs/packed_singles.py %t.in.npy %t.npy
; Two singles in an aligned pair are read in any order; where one element is taken, it is computed alone.
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: k:
; CHECK: v_pk_mul_f32 {{.*}} op_sel:[0,1] op_sel_hi:[1,0]
; CHECK: v_add_f32
; CHECK-NOT: v_pk_add_f32
; CHECK: s_endpgm
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %q, align 16
  %a = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %b = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %c = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 3, i32 2>
  %m = fmul <2 x float> %a, %c
  %d = shufflevector <2 x float> %m, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %s = fadd <2 x float> %m, %d
  %x = extractelement <2 x float> %s, i32 0
  %m0 = extractelement <2 x float> %m, i32 0
  %m1 = extractelement <2 x float> %m, i32 1
  %r0 = insertelement <4 x float> %v, float %x, i32 0
  %r1 = insertelement <4 x float> %r0, float %m0, i32 1
  %r2 = insertelement <4 x float> %r1, float %m1, i32 2
  store <4 x float> %r2, ptr addrspace(1) %q, align 16
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
