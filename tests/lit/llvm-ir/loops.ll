; A loop that LLVM leaves by a condition goes on by the opposite one and ends with one branch; a choice of true is an or.
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.array([5 * 3, 1, 1], n.int32))"
; RUN: %inflight run --check=all %t.hsaco --block 1 --arg zeros:3:i32 --arg i32:3 --arg i32:5 --expect 0=%t.npy,0,0
; CHECK-LABEL: k:
; CHECK: s_cmp_lg_u32
; CHECK-NOT: s_not_b64
; CHECK: s_cbranch_scc1 [[HEAD:\.Lk_[0-9]+]]
; CHECK-NOT: s_branch
; CHECK: s_endpgm
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %step, i32 %times) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %sum = phi i32 [ 0, %entry ], [ %more, %head ]
  %more = add i32 %sum, %step
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %times
  br i1 %done, label %end, label %head
end:
  store i32 %more, ptr addrspace(1) %out
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %first = icmp eq i32 %lane, 0
  %few = icmp slt i32 %lane, %step
  %either = select i1 %few, i1 true, i1 %first
  %either.word = zext i1 %either to i32
  %out1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %either.word, ptr addrspace(1) %out1
  %not = select i1 %few, i1 %first, i1 true
  %not.word = zext i1 %not to i32
  %out2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %not.word, ptr addrspace(1) %out2
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
