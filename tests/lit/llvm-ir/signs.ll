; RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o %t.s
; RUN: %inflight asm %t.s -o %t.text.hsaco
; RUN: %inflight dis %t.hsaco -o %t.dis
; RUN: %inflight dis %t.text.hsaco -o %t.text.dis
; RUN: diff %t.dis %t.text.dis
; Negatives and magnitudes are modifiers of what reads them, a double's constants inline or scalar operands. Integers that are the same bits aren't.
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: singles:
; CHECK-NOT: v_xor_b32
; CHECK-NOT: v_and_b32 {{.*}}0x7fffffff
; CHECK: v_fma_f32 v{{[0-9]+}}, -v{{[0-9]+}}, |v{{[0-9]+}}|, -|v{{[0-9]+}}|
; CHECK: v_cmp_lt_f32{{.*}} |v{{[0-9]+}}|
; CHECK: s_endpgm
define amdgpu_kernel void @singles(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %q, align 16
  %a = extractelement <4 x float> %v, i32 0
  %b = extractelement <4 x float> %v, i32 1
  %c = extractelement <4 x float> %v, i32 2
  %d = extractelement <4 x float> %v, i32 3
  %na = fneg float %a
  %mb = call float @llvm.fabs.f32(float %b)
  %mc = call float @llvm.fabs.f32(float %c)
  %nmc = fneg float %mc
  %f = call float @llvm.fma.f32(float %na, float %mb, float %nmc)
  %md = call float @llvm.fabs.f32(float %d)
  %less = fcmp olt float %md, %f
  %r = select i1 %less, float %f, float %d
  store float %r, ptr addrspace(1) %q, align 4
  ret void
}

; CHECK-LABEL: doubles:
; CHECK-NOT: v_mov_b32
; CHECK: v_fma_f64 v{{.*}}, -v{{.*}}, s[{{.*}}], 0x3fe0000000000000
; CHECK: s_endpgm
define amdgpu_kernel void @doubles(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr double, ptr addrspace(1) %p, i64 %i
  %a = load double, ptr addrspace(1) %q, align 8
  %na = fneg double %a
  %f = call double @llvm.fma.f64(double %na, double 1.23456789, double 0.5)
  store double %f, ptr addrspace(1) %q, align 8
  ret void
}

; CHECK-LABEL: bits:
; CHECK: v_xad_u32
; CHECK: s_endpgm
define amdgpu_kernel void @bits(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  %a = load float, ptr addrspace(1) %q, align 4
  %na = fneg float %a
  %n = bitcast float %na to i32
  %m = add i32 %n, 1
  store i32 %m, ptr addrspace(1) %q, align 4
  ret void
}

; A constant's magnitude is a constant. A constant's negative isn't written with a minus, which would be the text's.
; CHECK-LABEL: constants:
; CHECK-DAG: v_add_f32 v{{[0-9]+}}, 0x3f800000, v
; CHECK-DAG: v_add_f64 v{{.*}}, v{{.*}}, neg(0x3ff0000000000000)
; CHECK: s_endpgm
define amdgpu_kernel void @constants(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  %a = load float, ptr addrspace(1) %q, align 4
  %m = call float @llvm.fabs.f32(float -1.0)
  %s = fadd float %a, %m
  store float %s, ptr addrspace(1) %q, align 4
  %r = getelementptr double, ptr addrspace(1) %q, i64 64
  %d = load double, ptr addrspace(1) %r, align 8
  %e = fsub double %d, 1.0
  store double %e, ptr addrspace(1) %r, align 8
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
