; Where no argument is marked, as many of the first ones as fit are in SGPRs when the kernel starts, and the launch's sizes behind them.
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight waits %t.hsaco
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.arange(96, dtype='i4') + 7); n.save('%t.far.npy', n.full(32, 1 + 2 + 3 + 4 + 5 + 6 + 7 + 2, 'i8'))"
; RUN: %inflight run --kernel sizes --check=all %t.hsaco --grid 3 --block 32 --arg zeros:96:i32 --arg i32:7 --expect 0=%t.npy,0,0
; RUN: %inflight run --kernel far --check=all %t.hsaco --grid 2 --block 16 --arg zeros:32:i64 --arg i64:1 --arg i64:2 --arg i64:3 --arg i64:4 --arg i64:5 --arg i64:6 --arg i64:7 --expect 0=%t.far.npy,0,0
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: sizes:
; CHECK: .Lsizes_0:
; CHECK-NOT: s_load
; CHECK: .amdhsa_user_sgpr_kernarg_preload_length 8
define amdgpu_kernel void @sizes(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="1,256" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %place = getelementptr i8, ptr addrspace(4) %hidden, i64 12
  %size = load i16, ptr addrspace(4) %place, align 4
  %wide = zext i16 %size to i32
  %base = mul i32 %group, %wide
  %at = add i32 %base, %lane
  %value = add i32 %at, %n
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %value, ptr addrspace(1) %to, align 4
  ret void
}

; The last argument and the sizes don't fit beside the others.
; CHECK-LABEL: far:
; CHECK: .Lfar_0:
; CHECK-DAG: s_load_dwordx2 s[{{[0-9:]+}}], s[0:1], 56
; CHECK-DAG: s_load_dword s{{[0-9]+}}, s[0:1], 64
; CHECK: .amdhsa_user_sgpr_kernarg_preload_length 14
; CHECK: hidden_group_size_x
define amdgpu_kernel void @far(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g) "amdgpu-flat-work-group-size"="1,256" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %count = load i32, ptr addrspace(4) %hidden, align 4
  %wide = zext i32 %count to i64
  %s1 = add i64 %a, %b
  %s2 = add i64 %s1, %c
  %s3 = add i64 %s2, %d
  %s4 = add i64 %s3, %e
  %s5 = add i64 %s4, %f
  %s6 = add i64 %s5, %g
  %s7 = add i64 %s6, %wide
  %base = mul i32 %group, 16
  %at = add i32 %base, %lane
  %to = getelementptr i64, ptr addrspace(1) %out, i32 %at
  store i64 %s7, ptr addrspace(1) %to, align 8
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
