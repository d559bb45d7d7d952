; An integer from a uniform address decides how often a loop goes round: the vector unit loads it, as the kernel may have written it, and the
; loop is the scalar unit's. A lane's own number, and a volatile one, which may change between two lanes' reads, are the lanes'.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; n.save('%t.n.npy', n.full(64, 5, n.int32)); n.save('%t.out.npy', n.arange(64, dtype=n.int32) * 5)"
; RUN: %inflight run --check=all %t.hsaco --kernel uniform --block 64 --arg %t.n.npy --arg zeros:64:i32 --expect 1=%t.out.npy
; RUN: %inflight run --check=all %t.hsaco --kernel own --block 64 --arg %t.n.npy --arg zeros:64:i32 --expect 1=%t.out.npy
; RUN: %inflight run --check=all %t.hsaco --kernel changing --block 64 --arg %t.n.npy --arg zeros:64:i32 --expect 1=%t.out.npy
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-LABEL: {{^}}uniform:
; CHECK:       global_load_dword [[N:v[0-9]+]]
; CHECK:       v_readfirstlane_b32 s{{[0-9]+}}, [[N]]
; CHECK:       s_cbranch_scc1
; CHECK-NOT:   s_cbranch_exec
; CHECK:       s_endpgm
define amdgpu_kernel void @uniform(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 0, ptr addrspace(1) %to
  %n = load i32, ptr addrspace(1) %in
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %old = load i32, ptr addrspace(1) %to
  %new = add i32 %old, %lane
  store i32 %new, ptr addrspace(1) %to
  %i.next = add i32 %i, 1
  %again = icmp ne i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: {{^}}own:
; CHECK-NOT:   v_readfirstlane_b32
; CHECK:       s_cbranch_execnz
; CHECK:       s_endpgm
define amdgpu_kernel void @own(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 0, ptr addrspace(1) %to
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %n = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %old = load i32, ptr addrspace(1) %to
  %new = add i32 %old, %lane
  store i32 %new, ptr addrspace(1) %to
  %i.next = add i32 %i, 1
  %again = icmp ne i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: {{^}}changing:
; CHECK-NOT:   v_readfirstlane_b32
; CHECK:       s_cbranch_execnz
; CHECK:       s_endpgm
define amdgpu_kernel void @changing(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 0, ptr addrspace(1) %to
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %old = load i32, ptr addrspace(1) %to
  %new = add i32 %old, %lane
  store i32 %new, ptr addrspace(1) %to
  %i.next = add i32 %i, 1
  %n = load volatile i32, ptr addrspace(1) %in
  %again = icmp ne i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
