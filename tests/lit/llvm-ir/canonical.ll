; A number in its canonical form is the greater of itself and itself, once, unless it was computed: then it has that form.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.canonicalize.f32(float)
declare float @llvm.maxnum.f32(float, float)

; CHECK-LABEL: loaded:
; CHECK: global_load_dword [[V:v[0-9]+]],
; CHECK: v_max_f32 [[W:v[0-9]+]], [[V]], [[V]]
; CHECK-NEXT: global_store_dword {{.*}}, [[W]],
define amdgpu_kernel void @loaded(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %a, i32 %t
  %v = load float, ptr addrspace(1) %p
  %s = call float @llvm.canonicalize.f32(float %v)
  %again = call float @llvm.canonicalize.f32(float %s)
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %again, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: computed:
; CHECK: v_mul_f32 [[V:v[0-9]+]],
; CHECK-NEXT: v_max_f32 {{v[0-9]+}}, 0x40a00000, [[V]]
define amdgpu_kernel void @computed(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %a, i32 %t
  %v = load float, ptr addrspace(1) %p
  %m = fmul float %v, 3.0
  %s = call float @llvm.canonicalize.f32(float %m)
  %x = call float @llvm.maxnum.f32(float %s, float 5.0)
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %x, ptr addrspace(1) %q
  ret void
}

; Denormals that are flushed have another canonical form.
; CHECK-LABEL: flushed:
; CHECK: v_mul_f32 [[V:v[0-9]+]],
; CHECK-NEXT: v_max_f32 {{v[0-9]+}}, [[V]], [[V]]
define amdgpu_kernel void @flushed(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %a, i32 %t
  %v = load float, ptr addrspace(1) %p
  %m = fmul float %v, 3.0
  %s = call float @llvm.canonicalize.f32(float %m)
  %q = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %s, ptr addrspace(1) %q
  ret void
}

; Halves: a sum takes a literal, and small integers need no single.
; CHECK-LABEL: halves:
; CHECK: v_add_f16 [[V:v[0-9]+]], 0x4e80, {{v[0-9]+}}
; CHECK-NEXT: v_cvt_i16_f16 [[W:v[0-9]+]], [[V]]
; CHECK-NEXT: global_store_byte {{v[0-9]+}}, [[W]],
define amdgpu_kernel void @halves(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr half, ptr addrspace(1) %a, i32 %t
  %v = load half, ptr addrspace(1) %p
  %s = fadd half %v, 0xH4E80
  %i = fptosi half %s to i8
  %q = getelementptr i8, ptr addrspace(1) %o, i32 %t
  store i8 %i, ptr addrspace(1) %q
  ret void
}
