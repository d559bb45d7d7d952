; Neighbouring private accesses become one, unless something that may tell comes between, or the first isn't known to begin with a dword.
; RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; l = n.arange(64, dtype='i4'); n.save('%t.wide.npy', 3 * l + 104); n.save('%t.variables.npy', 2 * l + 1); n.save('%t.between.npy', l + 9); n.save('%t.passed.npy', 2 * l + 9); n.save('%t.bytes.npy', 1 + 2 * 256 + 3 * 65536 + 0 * l)"
; RUN: %inflight run --check=all %t.hsaco --kernel wide --arg zeros:64:i32 --arg i32:2 --expect 0=%t.wide.npy
; RUN: %inflight run --check=all %t.hsaco --kernel variables --arg zeros:64:i32 --arg i32:2 --expect 0=%t.variables.npy
; RUN: %inflight run --check=all %t.hsaco --kernel between --arg zeros:64:i32 --arg i32:1 --expect 0=%t.between.npy
; RUN: %inflight run --check=all %t.hsaco --kernel passed --arg zeros:64:i32 --arg i32:2 --expect 0=%t.passed.npy
; RUN: %inflight run --check=all %t.hsaco --kernel bytes --arg zeros:64:i32 --arg i32:3 --expect 0=%t.bytes.npy
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: wide:
; CHECK: scratch_store_dwordx4
; CHECK: scratch_store_dword {{off|v}}
; CHECK: scratch_load_dwordx4
; CHECK-NOT: scratch_
; CHECK: s_endpgm
define amdgpu_kernel void @wide(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="64,64" {
  %a = alloca [8 x i32], align 16, addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a1 = getelementptr i32, ptr addrspace(5) %a, i32 1
  %a2 = getelementptr i32, ptr addrspace(5) %a, i32 2
  %a3 = getelementptr i32, ptr addrspace(5) %a, i32 3
  %v1 = add i32 %lane, 1
  %v2 = add i32 %lane, 2
  %v3 = add i32 %lane, 3
  store i32 %lane, ptr addrspace(5) %a, align 4
  store i32 %v2, ptr addrspace(5) %a2, align 4
  store i32 %v1, ptr addrspace(5) %a1, align 4
  store i32 %v3, ptr addrspace(5) %a3, align 4
  %an = getelementptr i32, ptr addrspace(5) %a, i32 %n
  store i32 100, ptr addrspace(5) %an, align 4
  %x0 = load i32, ptr addrspace(5) %a, align 4
  %x1 = load i32, ptr addrspace(5) %a1, align 4
  %x2 = load i32, ptr addrspace(5) %a2, align 4
  %x3 = load i32, ptr addrspace(5) %a3, align 4
  %s1 = add i32 %x0, %x1
  %s2 = add i32 %s1, %x2
  %s3 = add i32 %s2, %x3
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %s3, ptr addrspace(1) %to, align 4
  ret void
}

; Another variable's stores are not in the way.
; CHECK-LABEL: variables:
; CHECK: scratch_store_dwordx2
; CHECK: scratch_load_dwordx2
; CHECK-NOT: scratch_
; CHECK: s_endpgm
define amdgpu_kernel void @variables(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="64,64" {
  %a = alloca [4 x i32], align 4, addrspace(5)
  %b = alloca [8 x i32], align 4, addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a1 = getelementptr i32, ptr addrspace(5) %a, i32 1
  %an = getelementptr i32, ptr addrspace(5) %a, i32 %n
  %bn = getelementptr i32, ptr addrspace(5) %b, i32 %n
  store i32 50, ptr addrspace(5) %an, align 4
  %v1 = add i32 %lane, 1
  store i32 %lane, ptr addrspace(5) %a, align 4
  store i32 5, ptr addrspace(5) %bn, align 4
  store i32 %v1, ptr addrspace(5) %a1, align 4
  %x0 = load i32, ptr addrspace(5) %a, align 4
  %x1 = load i32, ptr addrspace(5) %a1, align 4
  %s1 = add i32 %x0, %x1
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %s1, ptr addrspace(1) %to, align 4
  ret void
}

; The store between may be to what the second one reads.
; CHECK-LABEL: between:
; CHECK: scratch_store_dwordx2
; CHECK: scratch_load_dword v
; CHECK: scratch_store_dword {{off|v}}
; CHECK: scratch_load_dword v
; CHECK: s_endpgm
define amdgpu_kernel void @between(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="64,64" {
  %a = alloca [2 x i32], align 4, addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a1 = getelementptr i32, ptr addrspace(5) %a, i32 1
  %an = getelementptr i32, ptr addrspace(5) %a, i32 %n
  store i32 %lane, ptr addrspace(5) %a, align 4
  store i32 1, ptr addrspace(5) %a1, align 4
  %x0 = load i32, ptr addrspace(5) %a, align 4
  store i32 9, ptr addrspace(5) %an, align 4
  %x1 = load i32, ptr addrspace(5) %a1, align 4
  %s1 = add i32 %x0, %x1
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %s1, ptr addrspace(1) %to, align 4
  ret void
}

; A load after the store doesn't join those before it, though it has their base.
; CHECK-LABEL: passed:
; CHECK: scratch_store_dwordx3
; CHECK-NOT: scratch_load_dwordx
; CHECK: scratch_store_dword {{off|v}}
; CHECK-NOT: scratch_load_dwordx
; CHECK: s_endpgm
define amdgpu_kernel void @passed(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="64,64" {
  %a = alloca [4 x i32], align 4, addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a1 = getelementptr i32, ptr addrspace(5) %a, i32 1
  %a2 = getelementptr i32, ptr addrspace(5) %a, i32 2
  %an = getelementptr i32, ptr addrspace(5) %a, i32 %n
  store i32 50, ptr addrspace(5) %an, align 4
  store i32 %lane, ptr addrspace(5) %a, align 4
  store i32 %lane, ptr addrspace(5) %a1, align 4
  store i32 %n, ptr addrspace(5) %a2, align 4
  %x0 = load i32, ptr addrspace(5) %a, align 4
  %x2 = load i32, ptr addrspace(5) %a2, align 4
  %v = add i32 %lane, 7
  store i32 %v, ptr addrspace(5) %a1, align 4
  %x1 = load i32, ptr addrspace(5) %a1, align 4
  %s1 = add i32 %x0, %x1
  %s2 = add i32 %s1, %x2
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %s2, ptr addrspace(1) %to, align 4
  ret void
}

; Bytes at a place that is known for none of them to begin with a dword.
; CHECK-LABEL: bytes:
; CHECK-COUNT-4: scratch_store_byte
; CHECK-NOT: scratch_load_dword
; CHECK: s_endpgm
define amdgpu_kernel void @bytes(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="64,64" {
  %a = alloca [16 x i8], align 1, addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i8, ptr addrspace(5) %a, i32 %n
  %p1 = getelementptr i8, ptr addrspace(5) %p, i32 1
  %p2 = getelementptr i8, ptr addrspace(5) %p, i32 2
  %p3 = getelementptr i8, ptr addrspace(5) %p, i32 3
  store i8 1, ptr addrspace(5) %p, align 1
  store i8 2, ptr addrspace(5) %p1, align 1
  store i8 3, ptr addrspace(5) %p2, align 1
  store i8 0, ptr addrspace(5) %p3, align 1
  %x0 = load i8, ptr addrspace(5) %p, align 1
  %x1 = load i8, ptr addrspace(5) %p1, align 1
  %x2 = load i8, ptr addrspace(5) %p2, align 1
  %x3 = load i8, ptr addrspace(5) %p3, align 1
  %y0 = zext i8 %x0 to i32
  %y1 = zext i8 %x1 to i32
  %y2 = zext i8 %x2 to i32
  %y3 = zext i8 %x3 to i32
  %z1 = shl i32 %y1, 8
  %z2 = shl i32 %y2, 16
  %z3 = shl i32 %y3, 24
  %s1 = or i32 %y0, %z1
  %s2 = or i32 %s1, %z2
  %s3 = or i32 %s2, %z3
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %s3, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
