; RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
; A load goes before stores where its memory is invariant, or an argument that nothing else reaches and nobody writes.
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: invariant:
; CHECK: global_load_dword
; CHECK: global_load_dword
; CHECK: global_store_dword
; CHECK: s_endpgm
define amdgpu_kernel void @invariant(ptr addrspace(1) %from, ptr addrspace(1) %to) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %i
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 64
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %i
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 64
  %a = load i32, ptr addrspace(1) %p, align 4, !invariant.load !0
  store i32 %a, ptr addrspace(1) %q, align 4
  %b = load i32, ptr addrspace(1) %p1, align 4, !invariant.load !0
  store i32 %b, ptr addrspace(1) %q1, align 4
  ret void
}

; CHECK-LABEL: alone:
; CHECK: global_load_dword
; CHECK: global_load_dword
; CHECK: global_store_dword
; CHECK: s_endpgm
define amdgpu_kernel void @alone(ptr addrspace(1) noalias %from, ptr addrspace(1) %to) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %i
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 64
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %i
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 64
  %a = load i32, ptr addrspace(1) %p, align 4
  store i32 %a, ptr addrspace(1) %q, align 4
  %b = load i32, ptr addrspace(1) %p1, align 4
  store i32 %b, ptr addrspace(1) %q1, align 4
  ret void
}

; CHECK-LABEL: perhaps_written:
; CHECK: global_load_dword
; CHECK: global_store_dword
; CHECK: global_load_dword
; CHECK: s_endpgm
define amdgpu_kernel void @perhaps_written(ptr addrspace(1) %from, ptr addrspace(1) %to) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %i
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 64
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %i
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 64
  %a = load i32, ptr addrspace(1) %p, align 4
  store i32 %a, ptr addrspace(1) %q, align 4
  %b = load i32, ptr addrspace(1) %p1, align 4
  store i32 %b, ptr addrspace(1) %q1, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
!0 = !{}
