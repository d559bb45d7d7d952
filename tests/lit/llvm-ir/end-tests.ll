; A loop that all lanes leave together ends with its test and one branch: what it carries is in place by then, changed by branches, too.
; RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; l = n.arange(64); s = n.zeros(64, 'i4'); [n.add(s, i * (l > i), out=s) for i in range(9)]; n.save('%t.npy', s); n.save('%t.last.npy', n.full(64, 8 - 1, 'i8') + 0 * l); n.save('%t.before.npy', (s - 8 * (l > 8)).astype('i4'))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg zeros:64:i32 --arg zeros:64:i64 --arg zeros:64:i32 --arg i64:9 --expect 0=%t.npy --expect 1=%t.last.npy --expect 2=%t.before.npy
; CHECK-LABEL: k:
; CHECK: .Lk_0:
; CHECK: [[HEAD:\.Lk_[0-9]+]]:
; CHECK-NOT: s_branch
; CHECK: s_cmp_lg_u64
; CHECK-NOT: s_branch
; CHECK: s_cbranch_scc1 [[HEAD]]
; CHECK: s_endpgm
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %sums, ptr addrspace(1) %lasts, ptr addrspace(1) %befores, i64 %n) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %sum = phi i32 [ 0, %entry ], [ %more, %join ]
  %last = phi i64 [ 0, %entry ], [ %i, %join ]
  %small = trunc i64 %i to i32
  %adds = icmp sgt i32 %lane, %small
  br i1 %adds, label %then, label %join
then:
  %added = add i32 %sum, %small
  br label %join
join:
  %more = phi i32 [ %sum, %head ], [ %added, %then ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %head
end:
  %sum.to = getelementptr i32, ptr addrspace(1) %sums, i32 %lane
  store i32 %more, ptr addrspace(1) %sum.to, align 4
  %last.to = getelementptr i64, ptr addrspace(1) %lasts, i32 %lane
  store i64 %last, ptr addrspace(1) %last.to, align 8
  %before.to = getelementptr i32, ptr addrspace(1) %befores, i32 %lane
  store i32 %sum, ptr addrspace(1) %before.to, align 4
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
