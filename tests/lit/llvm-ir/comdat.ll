; Templates' kernels and variables are in groups of sections of their own, which nothing here is made of.
; RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg zeros:64:i32 --out 0=%t.npy
; RUN: %python -c "import numpy as n; assert (n.load('%t.npy') == 3).all()"
target triple = "amdgcn-amd-amdhsa"
$kernel = comdat any
$tile = comdat any
$three = comdat any
@tile = linkonce_odr addrspace(3) global [64 x i32] poison, comdat, align 4
@three = linkonce_odr addrspace(4) constant i32 3, comdat, align 4
declare i32 @llvm.amdgcn.workitem.id.x()
define linkonce_odr amdgpu_kernel void @kernel(ptr addrspace(1) %out) comdat {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %lane
  %number = load i32, ptr addrspace(4) @three
  store i32 %number, ptr addrspace(3) %at
  %back = load i32, ptr addrspace(3) %at
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %back, ptr addrspace(1) %to
  ret void
}
