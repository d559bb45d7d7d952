; Floats as unsigned bytes: what is negative wraps, as it does in LLVM's code.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; x = n.arange(64) * 5.0 - 63; n.save('%t.in.npy', x.astype(n.float32)); n.save('%t.out.npy', n.concatenate([n.trunc(x).astype(int) & 255] * 2 + [n.trunc(n.abs(x)).astype(int) & 255]).astype(n.uint8))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:192:u8 --expect 1=%t.out.npy
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @bytes(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr float, ptr addrspace(1) %in, i32 %lane
  %x = load float, ptr addrspace(1) %at
  %byte = fptoui float %x to i8
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %lane
  store i8 %byte, ptr addrspace(1) %to
  %double = fpext float %x to double
  %wide = fptoui double %double to i8
  %to1 = getelementptr i8, ptr addrspace(1) %to, i32 64
  store i8 %wide, ptr addrspace(1) %to1
  %size = call float @llvm.fabs.f32(float %x)
  %defined = fptoui float %size to i8
  %to2 = getelementptr i8, ptr addrspace(1) %to, i32 128
  store i8 %defined, ptr addrspace(1) %to2
  ret void
}
declare float @llvm.fabs.f32(float)
