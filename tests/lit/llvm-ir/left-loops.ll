; In a loop that lanes leave at different times, what those that are left have in common is in scalar registers; what lanes leave with is their own.
; RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python %S/Inputs/left_loops.py %t
; RUN: %inflight run --check=all %t.hsaco --kernel search --arg %t.in.npy --arg zeros:64:i32 --arg zeros:64:i64 --arg zeros:64:i32 --arg i64:0x123456789 --expect 1=%t.index.npy --expect 2=%t.sum.npy --expect 3=%t.odd.npy
; RUN: %inflight run --check=all %t.hsaco --kernel counted --arg %t.count.npy --arg zeros:64:i32 --arg zeros:64:i64 --arg zeros:64:i32 --arg i64:0x123456789 --expect 1=%t.last.npy --expect 2=%t.total.npy --expect 3=%t.parity.npy
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: search:
; CHECK: .Lsearch_0:
; CHECK: [[HEAD:\.Lsearch_[0-9]+]]:
; CHECK-DAG: s_add_u32
; CHECK-DAG: s_addc_u32
; CHECK: s_cbranch_execnz [[HEAD]]
; CHECK: s_endpgm
define amdgpu_kernel void @search(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %sums, ptr addrspace(1) %odds, i64 %step) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %sum = phi i64 [ 0, %entry ], [ %more, %head ]
  %odd = phi i1 [ false, %entry ], [ %even, %head ]
  %row = mul i32 %i, 64
  %at = add i32 %row, %lane
  %place = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %value = load i32, ptr addrspace(1) %place, align 4
  %more = add i64 %sum, %step
  %next = add i32 %i, 1
  %even = xor i1 %odd, true
  %done = icmp eq i32 %value, 0
  br i1 %done, label %end, label %head
end:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %i, ptr addrspace(1) %to, align 4
  %sum.to = getelementptr i64, ptr addrspace(1) %sums, i32 %lane
  store i64 %more, ptr addrspace(1) %sum.to, align 8
  %odd.to = getelementptr i32, ptr addrspace(1) %odds, i32 %lane
  %word = zext i1 %odd to i32
  store i32 %word, ptr addrspace(1) %odd.to, align 4
  ret void
}

; Each lane has a limit of its own.
; CHECK-LABEL: counted:
; CHECK: .Lcounted_0:
; CHECK: [[LOOP:\.Lcounted_[0-9]+]]:
; CHECK-DAG: s_add{{.*}}, 1
; CHECK-DAG: v_cmp{{x?}}_lt_i32 {{.*}}, s
; CHECK: s_cbranch_execnz [[LOOP]]
; CHECK: s_endpgm
define amdgpu_kernel void @counted(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %sums, ptr addrspace(1) %odds, i64 %step) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %limit = load i32, ptr addrspace(1) %place, align 4
  %any = icmp slt i32 0, %limit
  br i1 %any, label %head, label %end
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %sum = phi i64 [ 7, %entry ], [ %more, %head ]
  %odd = phi i1 [ false, %entry ], [ %even, %head ]
  %last = phi i32 [ -1, %entry ], [ %square, %head ]
  %square = mul i32 %i, %i
  %more = add i64 %sum, %step
  %next = add i32 %i, 1
  %even = xor i1 %odd, true
  %again = icmp slt i32 %next, %limit
  br i1 %again, label %head, label %end
end:
  %sum.end = phi i64 [ 7, %entry ], [ %more, %head ]
  %odd.end = phi i1 [ false, %entry ], [ %even, %head ]
  %last.end = phi i32 [ -1, %entry ], [ %last, %head ]
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %last.end, ptr addrspace(1) %to, align 4
  %sum.to = getelementptr i64, ptr addrspace(1) %sums, i32 %lane
  store i64 %sum.end, ptr addrspace(1) %sum.to, align 8
  %odd.to = getelementptr i32, ptr addrspace(1) %odds, i32 %lane
  %word = zext i1 %odd.end to i32
  store i32 %word, ptr addrspace(1) %odd.to, align 4
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
