; Mantissa and exponent of doubles and of vectors.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; x = n.ldexp(n.linspace(-2, 3, 64), n.arange(-32, 32)); m, e = n.frexp(x); f, g = n.frexp(n.float32(x)); n.save('%t.in.npy', x); n.save('%t.m.npy', m); n.save('%t.f.npy', n.repeat(f, 2)); n.save('%t.e.npy', e + 3 * g)"
; RUN: %inflight run --check=all %t.hsaco --grid 1 --arg %t.in.npy --arg zeros:64:f64 --arg zeros:128:f32 --arg zeros:64:i32 --expect 1=%t.m.npy,0,0 --expect 2=%t.f.npy,0,0 --expect 3=%t.e.npy
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %m, ptr addrspace(1) %f, ptr addrspace(1) %e) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr double, ptr addrspace(1) %in, i32 %lane
  %x = load double, ptr addrspace(1) %from, align 8
  %parts = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  %mantissa = extractvalue { double, i32 } %parts, 0
  %exponent = extractvalue { double, i32 } %parts, 1
  %single = fptrunc double %x to float
  %one = insertelement <2 x float> poison, float %single, i32 0
  %two = insertelement <2 x float> %one, float %single, i32 1
  %pair = call { <2 x float>, <2 x i32> } @llvm.frexp.v2f32.v2i32(<2 x float> %two)
  %mantissas = extractvalue { <2 x float>, <2 x i32> } %pair, 0
  %exponents = extractvalue { <2 x float>, <2 x i32> } %pair, 1
  %e0 = extractelement <2 x i32> %exponents, i32 0
  %e1 = extractelement <2 x i32> %exponents, i32 1
  %twice = shl i32 %e0, 1
  %thrice = add i32 %twice, %e1
  %sum = add i32 %exponent, %thrice
  %tom = getelementptr double, ptr addrspace(1) %m, i32 %lane
  store double %mantissa, ptr addrspace(1) %tom, align 8
  %tof = getelementptr <2 x float>, ptr addrspace(1) %f, i32 %lane
  store <2 x float> %mantissas, ptr addrspace(1) %tof, align 8
  %toe = getelementptr i32, ptr addrspace(1) %e, i32 %lane
  store i32 %sum, ptr addrspace(1) %toe, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare { <2 x float>, <2 x i32> } @llvm.frexp.v2f32.v2i32(<2 x float>)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
