; Loops that end in the middle of an iteration: one branch leaves, and nothing is made up for the last iteration's rest.
; RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; a = n.arange(64 * 20, dtype=n.int32) % 97; n.save('%t.in.npy', a); b = a.reshape(20, 64); n.save('%t.sums.npy', b[:8].sum(0, dtype=n.int32)); s = n.cumsum(b, 0, dtype=n.int32); n.save('%t.lanes.npy', s[n.arange(64) % 19, n.arange(64)] * 2)"
; RUN: %inflight run --check=all %t.hsaco --kernel together --block 64 --arg %t.in.npy --arg zeros:64:i32 --arg i32:7 --expect 1=%t.sums.npy
; RUN: %inflight run --check=all %t.hsaco --kernel alone --block 64 --arg %t.in.npy --arg zeros:64:i32 --arg i32:7 --expect 1=%t.lanes.npy
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-LABEL: together:
; CHECK: [[LOOP:\.Ltogether_2]]:
; CHECK-NEXT: s_waitcnt vmcnt(0)
; CHECK-NEXT: v_add_u32
; CHECK-NEXT: s_cmp_lg_u32
; CHECK-NEXT: s_cbranch_scc0
; CHECK-NOT: s_cbranch
; CHECK: global_load_dword
; CHECK: s_branch [[LOOP]]
define amdgpu_kernel void @together(ptr addrspace(1) inreg noalias %a, ptr addrspace(1) inreg noalias %o, i32 inreg %n) {
e:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p0 = getelementptr i32, ptr addrspace(1) %a, i32 %t
  %v0 = load i32, ptr addrspace(1) %p0
  br label %h
h:
  %k = phi i32 [ 0, %e ], [ %k1, %l ]
  %v = phi i32 [ %v0, %e ], [ %v1, %l ]
  %acc = phi i32 [ 0, %e ], [ %s, %l ]
  %s = add i32 %acc, %v
  %c = icmp eq i32 %k, %n
  br i1 %c, label %x, label %l
l:
  %k1 = add i32 %k, 1
  %i = shl i32 %k1, 6
  %j = add i32 %i, %t
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %j
  %v1 = load i32, ptr addrspace(1) %p
  br label %h
x:
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %s, ptr addrspace(1) %q
  ret void
}

; Lanes leave by themselves, with what the iteration's first part gives.
define amdgpu_kernel void @alone(ptr addrspace(1) inreg noalias %a, ptr addrspace(1) inreg noalias %o, i32 inreg %n) {
e:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %last = urem i32 %t, 19
  %p0 = getelementptr i32, ptr addrspace(1) %a, i32 %t
  %v0 = load i32, ptr addrspace(1) %p0
  br label %h
h:
  %k = phi i32 [ 0, %e ], [ %k1, %l ]
  %v = phi i32 [ %v0, %e ], [ %v1, %l ]
  %acc = phi i32 [ 0, %e ], [ %s, %l ]
  %s = add i32 %acc, %v
  %twice = mul i32 %s, 2
  %c = icmp eq i32 %k, %last
  br i1 %c, label %x, label %l
l:
  %k1 = add i32 %k, 1
  %i = shl i32 %k1, 6
  %j = add i32 %i, %t
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %j
  %v1 = load i32, ptr addrspace(1) %p
  br label %h
x:
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %twice, ptr addrspace(1) %q
  ret void
}
