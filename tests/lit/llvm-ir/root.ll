; Square roots of single precision are exact, those of denormals too; `afn` is the instruction alone.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; x = n.abs(n.random.default_rng(1).integers(1, 2 ** 31 - 2 ** 23, 64).astype(n.uint32).view(n.float32)); x[:4] = 1e-40, 1e-45, 3e-39, 0; n.save('%t.in.npy', x); n.save('%t.out.npy', n.sqrt(x))"
; RUN: %inflight run --kernel exact --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:f32 --expect 1=%t.out.npy,0,0
; CHECK: exact:
; CHECK: v_fma_f32
; CHECK: fast:
; CHECK-NOT: v_fma_f32
; CHECK: s_endpgm
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @exact(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %lane
  %x = load float, ptr addrspace(1) %from
  %root = call float @llvm.sqrt.f32(float %x)
  %to = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %root, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @fast(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %x = load float, ptr addrspace(1) %in
  %root = call afn float @llvm.sqrt.f32(float %x)
  store float %root, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
