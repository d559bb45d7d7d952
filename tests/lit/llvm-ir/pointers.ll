; A vector of pointers to LDS, as a table of buffers.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight waits %t.hsaco
; RUN: %python -c "import numpy as n; x = n.arange(64, dtype=n.uint32) * 7 + 3; n.save('%t.in.npy', x); n.save('%t.out.npy', x)"
; RUN: %inflight run --check=all %t.hsaco --grid 1 --arg %t.in.npy --arg zeros:64:u32 --expect 1=%t.out.npy
target triple = "amdgcn-amd-amdhsa"

@lds = internal addrspace(3) global [1024 x i8] poison, align 16

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %buffer = and i32 %lane, 3
  %base = extractelement <4 x ptr addrspace(3)> <ptr addrspace(3) @lds, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 256), ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 512), ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 768)>, i32 %buffer
  %place = getelementptr i32, ptr addrspace(3) %base, i32 %lane
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %from, align 4
  store i32 %x, ptr addrspace(3) %place, align 4
  %y = load i32, ptr addrspace(3) %place, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %y, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
