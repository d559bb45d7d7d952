; A bit that one lane has: of the first lane that is active, of one by its number, in a branch that some lanes take.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; i = n.arange(64); n.save('%t.out.npy', n.where(i >= 10, 4 * (10 >= 20) + 2 * (22 %% 3 == 1), 8).astype(n.int32))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg zeros:64:i32 --arg i32:22 --expect 0=%t.out.npy,0,0
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %which) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %rest = urem i32 %lane, 3
  %one = icmp eq i32 %rest, 1
  %upper = icmp uge i32 %lane, 20
  %some = icmp uge i32 %lane, 10
  br i1 %some, label %then, label %else
then:
  %first = call i1 @llvm.amdgcn.readfirstlane.i1(i1 %upper)
  %named = call i1 @llvm.amdgcn.readlane.i1(i1 %one, i32 %which)
  %a = select i1 %first, i32 4, i32 0
  %b = select i1 %named, i32 2, i32 0
  %ab = or i32 %a, %b
  store i32 %ab, ptr addrspace(1) %at
  ret void
else:
  store i32 8, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i1 @llvm.amdgcn.readfirstlane.i1(i1)
declare i1 @llvm.amdgcn.readlane.i1(i1, i32)
