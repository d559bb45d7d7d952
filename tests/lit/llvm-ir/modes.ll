; Modes that a kernel wants: halves that saturate, singles whose denormals are zeros.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; n.save('%t.in.npy', n.array([1e6, 1e-40], n.float32)); n.save('%t.out.npy', n.array([65504, 0], n.float32)); n.save('%t.kept.npy', n.array([n.inf, 1e-40], n.float32))"
; RUN: %inflight run --kernel modes %t.hsaco --arg %t.in.npy --arg zeros:2:f32 --expect 1=%t.out.npy,0,0
; RUN: %inflight run --kernel plain %t.hsaco --arg %t.in.npy --arg zeros:2:f32 --expect 1=%t.kept.npy,1e-3,0
; CHECK: .amdhsa_kernel modes
; CHECK: .amdhsa_float_denorm_mode_32 0
; CHECK: .amdhsa_fp16_overflow 1
; CHECK: .amdhsa_kernel plain
; CHECK: .amdhsa_float_denorm_mode_32 3
; CHECK-NOT: .amdhsa_fp16_overflow
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @modes(ptr addrspace(1) %in, ptr addrspace(1) %out) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  call void @llvm.amdgcn.s.setreg(i32 1473, i32 1)
  call void @work(ptr addrspace(1) %in, ptr addrspace(1) %out)
  ret void
}

define amdgpu_kernel void @plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  call void @work(ptr addrspace(1) %in, ptr addrspace(1) %out)
  ret void
}

define internal void @work(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %large = load float, ptr addrspace(1) %in
  %half = fptrunc float %large to half
  %single = fpext half %half to float
  store float %single, ptr addrspace(1) %out
  %in.next = getelementptr float, ptr addrspace(1) %in, i64 1
  %out.next = getelementptr float, ptr addrspace(1) %out, i64 1
  %small = load float, ptr addrspace(1) %in.next
  %same = fmul float %small, 1.0
  %kept = fadd float %same, 0.0
  store float %kept, ptr addrspace(1) %out.next
  ret void
}
declare void @llvm.amdgcn.s.setreg(i32 immarg, i32)
