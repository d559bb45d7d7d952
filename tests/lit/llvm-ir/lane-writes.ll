; One lane of a value is another, by a constant and by a computed number, active or not; masks of lanes in parts; sums of floats over lanes.
; RUN: %python -c "import numpy as n; x = n.arange(64, dtype=n.uint32); y = 100 + x; y[[5, 9]] = 7, 1000; y[x == 40] = 3; f = n.zeros(64, n.float32); f[:32] = n.arange(32, dtype=n.float32).sum(); f[32:] = 63; m = n.where(x < 32, 0xfffffff0, 0).astype(n.uint32); n.save('%t.y.npy', y); n.save('%t.f.npy', f); n.save('%t.m.npy', m)"
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run %t.hsaco --check=all --block 64 --arg u32:9 --arg u32:1000 --arg zeros:64:u32 --arg zeros:64:f32 --arg zeros:64:u32 --expect 2=%t.y.npy,0,0 --expect 3=%t.f.npy,0,0 --expect 4=%t.m.npy,0,0 || exit 1; done
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
; CHECK: v_writelane_b32 v{{[0-9]+}}, 7, 5
; CHECK: v_writelane_b32 v{{[0-9]+}}, s{{[0-9]+}}, m0
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.writelane.i32(i32, i32, i32)
declare i32 @llvm.amdgcn.icmp.i32.i32(i32, i32, i32)
declare float @llvm.amdgcn.wave.reduce.fadd.f32(float, i32)
declare float @llvm.amdgcn.wave.reduce.fmax.f32(float, i32)

define amdgpu_kernel void @k(i32 %lane, i32 %value, ptr addrspace(1) %ints, ptr addrspace(1) %floats, ptr addrspace(1) %masks) "amdgpu-flat-work-group-size"="64,64" {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %x = add i32 %i, 100
  %y = call i32 @llvm.amdgcn.writelane.i32(i32 7, i32 5, i32 %x)
  %z = call i32 @llvm.amdgcn.writelane.i32(i32 %value, i32 %lane, i32 %y)
  %f = uitofp i32 %i to float
  %low = icmp ult i32 %i, 32
  br i1 %low, label %sum, label %max

sum:
  %written = call i32 @llvm.amdgcn.writelane.i32(i32 3, i32 40, i32 %z)
  %all = call float @llvm.amdgcn.wave.reduce.fadd.f32(float %f, i32 0)
  %mask = call i32 @llvm.amdgcn.icmp.i32.i32(i32 %i, i32 3, i32 34)
  br label %join

max:
  %greatest = call float @llvm.amdgcn.wave.reduce.fmax.f32(float %f, i32 0)
  br label %join

join:
  %result = phi float [ %all, %sum ], [ %greatest, %max ]
  %bits = phi i32 [ %mask, %sum ], [ 0, %max ]
  %other = call i32 @llvm.amdgcn.writelane.i32(i32 3, i32 40, i32 %z)
  %at = getelementptr i32, ptr addrspace(1) %ints, i32 %i
  store i32 %other, ptr addrspace(1) %at
  %at.float = getelementptr float, ptr addrspace(1) %floats, i32 %i
  store float %result, ptr addrspace(1) %at.float
  %at.mask = getelementptr i32, ptr addrspace(1) %masks, i32 %i
  store i32 %bits, ptr addrspace(1) %at.mask
  ret void
}
