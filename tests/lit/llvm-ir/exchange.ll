; 16 bits that are compared and exchanged within their dword, and atomics of buffers that give the value from before.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight waits %t.hsaco
; RUN: %python %S/Inputs/exchange.py %t
; RUN: %inflight run --check=all %t.hsaco --grid 1 --arg %t.halves.npy --arg zeros:64:u32 --arg zeros:3:u32 --expect 0=%t.exchanged.npy --expect 1=%t.old.npy --expect 2=%t.sums.npy
target triple = "amdgcn-amd-amdhsa"

; Every lane exchanges its own half if it is the lane's number, and adds to one word of each atomic.
define amdgpu_kernel void @k(ptr addrspace(1) %halves, ptr addrspace(1) %old, ptr addrspace(1) %sums) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %narrow = trunc i32 %lane to i16
  %half = getelementptr i16, ptr addrspace(1) %halves, i32 %lane
  %both = cmpxchg ptr addrspace(1) %half, i16 %narrow, i16 -1 syncscope("agent") acq_rel monotonic
  %found = extractvalue { i16, i1 } %both, 0
  %same = extractvalue { i16, i1 } %both, 1
  %wide = zext i16 %found to i32
  %flag = select i1 %same, i32 65536, i32 0
  %r = or i32 %wide, %flag
  %to = getelementptr i32, ptr addrspace(1) %old, i32 %lane
  store i32 %r, ptr addrspace(1) %to, align 4

  %buffer = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %sums, i16 0, i64 12, i32 159744)
  %before = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 1, ptr addrspace(8) %buffer, i32 0, i32 0, i32 0)
  ; All numbers from 0 to 63 come once, in whatever order: their sum.
  %i1 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 %before, ptr addrspace(8) %buffer, i32 4, i32 0, i32 0)
  %i2 = call float @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(float 1.0, ptr addrspace(8) %buffer, i32 8, i32 0, i32 0)
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) readnone, i16, i64, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32 immarg)
declare float @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(float, ptr addrspace(8), i32, i32, i32 immarg)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
