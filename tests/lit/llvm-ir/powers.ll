; Whole powers by constants, powers of ten, quotients that may be off by a few units.
; RUN: %python -c "import numpy as n; f = n.float32; x = n.linspace(-30, 30, 64, dtype=f); s = x * x; big = f(1e38) / (x * f(1e37)); n.save('%t.in.npy', x); n.save('%t.exact.npy', n.stack([(x * s) * (s * s), f(1) / (x * s), n.ones_like(x)], 1)); n.save('%t.near.npy', n.stack([n.power(10, x.astype(n.float64)).astype(f), f(3) / x, big], 1))"
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run %t.hsaco --check=all --block 64 --arg %t.in.npy --arg zeros:64x3:f32 --arg zeros:64x3:f32 --expect 1=%t.exact.npy,0,0 --expect 2=%t.near.npy,3e-7,0 || exit 1; done
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.powi.f32.i32(float, i32)
declare float @llvm.exp10.f32(float)
declare float @llvm.amdgcn.fdiv.fast(float, float)

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %exact, ptr addrspace(1) %near) "amdgpu-flat-work-group-size"="64,64" {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %at
  %seventh = call float @llvm.powi.f32.i32(float %x, i32 7)
  %inverse = call float @llvm.powi.f32.i32(float %x, i32 -3)
  %one = call float @llvm.powi.f32.i32(float %x, i32 0)
  %v0 = insertelement <3 x float> poison, float %seventh, i32 0
  %v1 = insertelement <3 x float> %v0, float %inverse, i32 1
  %v2 = insertelement <3 x float> %v1, float %one, i32 2
  %to.exact = getelementptr [3 x float], ptr addrspace(1) %exact, i32 %i
  store <3 x float> %v2, ptr addrspace(1) %to.exact, align 4
  %ten = call float @llvm.exp10.f32(float %x)
  %third = call float @llvm.amdgcn.fdiv.fast(float 3.0, float %x)
  %large = fmul float %x, 0x479E17B840000000
  %small = call float @llvm.amdgcn.fdiv.fast(float 0x47D2CED320000000, float %large)
  %w0 = insertelement <3 x float> poison, float %ten, i32 0
  %w1 = insertelement <3 x float> %w0, float %third, i32 1
  %w2 = insertelement <3 x float> %w1, float %small, i32 2
  %to.near = getelementptr [3 x float], ptr addrspace(1) %near, i32 %i
  store <3 x float> %w2, ptr addrspace(1) %to.near, align 4
  ret void
}
