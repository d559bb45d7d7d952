; Intrinsics by name that compute on registers don't keep uniform loads from the scalar unit; atomics of buffers do.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: pure:
; CHECK-NOT: global_load_dword
; CHECK: v_perm_b32
; CHECK-NOT: global_load_dword
; CHECK: s_endpgm
define amdgpu_kernel void @pure(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %mixed = call i32 @llvm.amdgcn.perm(i32 %lane, i32 %n, i32 50462976)
  %place = getelementptr i32, ptr addrspace(1) %in, i32 %n
  %uniform = load i32, ptr addrspace(1) %place, align 4
  %sum = add i32 %mixed, %uniform
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %sum, ptr addrspace(1) %to, align 4
  ret void
}

; CHECK-LABEL: atomic:
; CHECK: buffer_atomic_add
; CHECK: global_load_dword
; CHECK: s_endpgm
define amdgpu_kernel void @atomic(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %all = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 4096, i32 159744)
  %before = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 1, ptr addrspace(8) %all, i32 0, i32 0, i32 0)
  %place = getelementptr i32, ptr addrspace(1) %in, i32 %n
  %uniform = load i32, ptr addrspace(1) %place, align 4
  %sum = add i32 %before, %uniform
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %sum, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.perm(i32, i32, i32)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32 immarg)
