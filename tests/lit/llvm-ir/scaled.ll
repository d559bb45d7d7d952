; Scaled conversions of 8 and 4 bits, there and back.
; RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco
; RUN: %python %S/Inputs/scaled.py %t
; RUN: %inflight run --check=all %t.hsaco --grid 1 --arg %t.in.npy --arg zeros:512:f16 --arg zeros:128:f32 --arg zeros:64:u32 --arg zeros:64:u32 --expect 1=%t.wide.npy,0,0 --expect 2=%t.upper.npy,0,0 --expect 3=%t.in.npy --expect 4=%t.in.npy
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %wide, ptr addrspace(1) %upper, ptr addrspace(1) %bytes, ptr addrspace(1) %nibbles) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %word = load i32, ptr addrspace(1) %from, align 4

  %low = call <2 x half> @llvm.amdgcn.cvt.scalef32.pk.f16.fp8(i32 %word, float 2.0, i1 false)
  %high = call <2 x float> @llvm.amdgcn.cvt.scalef32.pk.f32.fp8(i32 %word, float 2.0, i1 true)
  %n0 = call <2 x half> @llvm.amdgcn.cvt.scalef32.pk.f16.fp4(i32 %word, float 4.0, i32 0)
  %n1 = call <2 x half> @llvm.amdgcn.cvt.scalef32.pk.f16.fp4(i32 %word, float 4.0, i32 1)
  %n2 = call <2 x half> @llvm.amdgcn.cvt.scalef32.pk.f16.fp4(i32 %word, float 4.0, i32 2)
  %n3 = call <2 x float> @llvm.amdgcn.cvt.scalef32.pk.f32.fp4(i32 %word, float 4.0, i32 3)

  %towide = getelementptr [4 x <2 x half>], ptr addrspace(1) %wide, i32 %lane
  store <2 x half> %low, ptr addrspace(1) %towide, align 4
  %towide1 = getelementptr <2 x half>, ptr addrspace(1) %towide, i32 1
  store <2 x half> %n0, ptr addrspace(1) %towide1, align 4
  %towide2 = getelementptr <2 x half>, ptr addrspace(1) %towide, i32 2
  store <2 x half> %n1, ptr addrspace(1) %towide2, align 4
  %towide3 = getelementptr <2 x half>, ptr addrspace(1) %towide, i32 3
  store <2 x half> %n2, ptr addrspace(1) %towide3, align 4
  %toupper = getelementptr <2 x float>, ptr addrspace(1) %upper, i32 %lane
  store <2 x float> %high, ptr addrspace(1) %toupper, align 8

  %b0 = call <2 x i16> @llvm.amdgcn.cvt.scalef32.pk.fp8.f16(<2 x i16> zeroinitializer, <2 x half> %low, float 2.0, i1 false)
  %h0 = extractelement <2 x float> %high, i32 0
  %h1 = extractelement <2 x float> %high, i32 1
  %b1 = call <2 x i16> @llvm.amdgcn.cvt.scalef32.pk.fp8.f32(<2 x i16> %b0, float %h0, float %h1, float 2.0, i1 true)
  %tobytes = getelementptr <2 x i16>, ptr addrspace(1) %bytes, i32 %lane
  store <2 x i16> %b1, ptr addrspace(1) %tobytes, align 4

  %w0 = call i32 @llvm.amdgcn.cvt.scalef32.pk.fp4.f16(i32 0, <2 x half> %n0, float 4.0, i32 0)
  %w1 = call i32 @llvm.amdgcn.cvt.scalef32.pk.fp4.f16(i32 %w0, <2 x half> %n1, float 4.0, i32 1)
  %w2 = call i32 @llvm.amdgcn.cvt.scalef32.pk.fp4.f16(i32 %w1, <2 x half> %n2, float 4.0, i32 2)
  %f0 = extractelement <2 x float> %n3, i32 0
  %f1 = extractelement <2 x float> %n3, i32 1
  %w3 = call i32 @llvm.amdgcn.cvt.scalef32.pk.fp4.f32(i32 %w2, float %f0, float %f1, float 4.0, i32 3)
  %tonibbles = getelementptr i32, ptr addrspace(1) %nibbles, i32 %lane
  store i32 %w3, ptr addrspace(1) %tonibbles, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare <2 x half> @llvm.amdgcn.cvt.scalef32.pk.f16.fp8(i32, float, i1 immarg)
declare <2 x float> @llvm.amdgcn.cvt.scalef32.pk.f32.fp8(i32, float, i1 immarg)
declare <2 x half> @llvm.amdgcn.cvt.scalef32.pk.f16.fp4(i32, float, i32 immarg)
declare <2 x float> @llvm.amdgcn.cvt.scalef32.pk.f32.fp4(i32, float, i32 immarg)
declare <2 x i16> @llvm.amdgcn.cvt.scalef32.pk.fp8.f16(<2 x i16>, <2 x half>, float, i1 immarg)
declare <2 x i16> @llvm.amdgcn.cvt.scalef32.pk.fp8.f32(<2 x i16>, float, float, float, i1 immarg)
declare i32 @llvm.amdgcn.cvt.scalef32.pk.fp4.f16(i32, <2 x half>, float, i32 immarg)
declare i32 @llvm.amdgcn.cvt.scalef32.pk.fp4.f32(i32, float, float, float, i32 immarg)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
