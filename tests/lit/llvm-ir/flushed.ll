; Where denormals of singles are zeros, quotients, roots and remainders are exact all the same: what they are made of is computed in doubles.
; RUN: %python %S/Inputs/flushed.py %t
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run %t.hsaco --check=all --grid 256 --block 64 --arg %t.in.npy --arg zeros:16384x3:f32 --expect 1=%t.out.npy,0,0 || exit 1; done
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare float @llvm.sqrt.f32(float)

; CHECK-NOT: v_div_scale_f32
; CHECK: v_div_fixup_f64
; CHECK: .amdhsa_float_denorm_mode_32 0
define amdgpu_kernel void @flushed(ptr addrspace(1) %in, ptr addrspace(1) %out) "denormal-fp-math-f32"="preserve-sign,preserve-sign" "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = shl i32 %group, 6
  %i = add i32 %lane, %first
  %at = getelementptr [2 x float], ptr addrspace(1) %in, i32 %i
  %second = getelementptr float, ptr addrspace(1) %at, i32 1
  %a = load float, ptr addrspace(1) %at
  %b = load float, ptr addrspace(1) %second
  %quotient = fdiv float %a, %b
  %root = call float @llvm.sqrt.f32(float %a)
  %rest = frem float %a, %b
  %to = getelementptr [3 x float], ptr addrspace(1) %out, i32 %i
  %to.root = getelementptr float, ptr addrspace(1) %to, i32 1
  %to.rest = getelementptr float, ptr addrspace(1) %to, i32 2
  store float %quotient, ptr addrspace(1) %to
  store float %root, ptr addrspace(1) %to.root
  store float %rest, ptr addrspace(1) %to.rest
  ret void
}
