; Medians of halves and of singles, and what has no operation of ROCDL.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: k:
; CHECK-DAG: v_med3_f16
; CHECK-DAG: v_med3_f32
; CHECK-DAG: v_perm_b32
; CHECK-DAG: v_rsq_f32
; CHECK-DAG: v_frexp_exp_i32_f32
; CHECK-DAG: v_max_f32
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr [4 x i32], ptr addrspace(1) %p, i32 %lane
  %words = load <4 x i32>, ptr addrspace(1) %at
  %a = extractelement <4 x i32> %words, i32 0
  %b = extractelement <4 x i32> %words, i32 1
  %c = extractelement <4 x i32> %words, i32 2
  %ta = trunc i32 %a to i16
  %tb = trunc i32 %b to i16
  %ha = bitcast i16 %ta to half
  %hb = bitcast i16 %tb to half
  %h = call half @llvm.amdgcn.fmed3.f16(half %ha, half %hb, half 1.0)
  %hw = fpext half %h to float
  %fa = bitcast i32 %a to float
  %fb = bitcast i32 %b to float
  %f = call float @llvm.amdgcn.fmed3.f32(float %fa, float %fb, float 1.0)
  %perm = call i32 @llvm.amdgcn.perm(i32 %a, i32 %b, i32 %c)
  %fc = bitcast i32 %c to float
  %root = call float @llvm.amdgcn.rsq.f32(float %fc)
  %parts = call { float, i32 } @llvm.frexp.f32.i32(float %f)
  %exponent = extractvalue { float, i32 } %parts, 1
  %quiet = call float @llvm.canonicalize.f32(float %root)
  %sum = fadd float %hw, %quiet
  %word = bitcast float %sum to i32
  %r0 = xor i32 %word, %perm
  %r1 = add i32 %r0, %exponent
  store i32 %r1, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare half @llvm.amdgcn.fmed3.f16(half, half, half)
declare float @llvm.amdgcn.fmed3.f32(float, float, float)
declare i32 @llvm.amdgcn.perm(i32, i32, i32)
declare float @llvm.amdgcn.rsq.f32(float)
declare { float, i32 } @llvm.frexp.f32.i32(float)
declare float @llvm.canonicalize.f32(float)
