; RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx90a %s -o %t.hsaco
; RUN: %python %S/Inputs/funnel_shifts.py %t.in.npy
; RUN: %inflight run %t.hsaco --kernel lanes --check=all --arg %t.in.npy --arg zeros:5x64:u32 --out 1=%t.npy
; RUN: %python %S/Inputs/funnel_shifts.py %t.in.npy %t.npy
; RUN: %inflight run %t.hsaco --kernel uniform --check=all --arg %t.in.npy --arg zeros:5x64:u32 --out 1=%t.npy
; RUN: %python %S/Inputs/funnel_shifts.py %t.in.npy %t.npy
; Rotations and other shifts of two words are one instruction, with amounts modulo 32; products of extended words are one, too.
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: lanes:
; CHECK-NOT: v_or_b32
; CHECK-DAG: v_mad_i64_i32
; CHECK-DAG: v_alignbit_b32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, 25
; CHECK-NOT: v_or_b32
; CHECK: s_endpgm
define amdgpu_kernel void @lanes(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %pa = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %pb = getelementptr i32, ptr addrspace(1) %pa, i64 64
  %pc = getelementptr i32, ptr addrspace(1) %pa, i64 128
  %a = load i32, ptr addrspace(1) %pa, align 4
  %b = load i32, ptr addrspace(1) %pb, align 4
  %c = load i32, ptr addrspace(1) %pc, align 4
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 64
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 128
  %q3 = getelementptr i32, ptr addrspace(1) %q, i64 192
  %q4 = getelementptr i32, ptr addrspace(1) %q, i64 256
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 39)
  %l = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %c)
  %s = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %c)
  %n = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 32)
  %wa = sext i32 %a to i64
  %wb = sext i32 %b to i64
  %m = mul i64 %wa, %wb
  %h = lshr i64 %m, 32
  %k = trunc i64 %h to i32
  store i32 %r, ptr addrspace(1) %q, align 4
  store i32 %l, ptr addrspace(1) %q1, align 4
  store i32 %s, ptr addrspace(1) %q2, align 4
  store i32 %n, ptr addrspace(1) %q3, align 4
  store i32 %k, ptr addrspace(1) %q4, align 4
  ret void
}

; The same on the scalar unit, of one number for all lanes.
define amdgpu_kernel void @uniform(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %pa = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %pb = getelementptr i32, ptr addrspace(1) %pa, i64 64
  %pc = getelementptr i32, ptr addrspace(1) %pa, i64 128
  %a = load i32, ptr addrspace(1) %pa, align 4
  %b = load i32, ptr addrspace(1) %pb, align 4
  %c = load i32, ptr addrspace(1) %pc, align 4
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 64
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 128
  %q3 = getelementptr i32, ptr addrspace(1) %q, i64 192
  %q4 = getelementptr i32, ptr addrspace(1) %q, i64 256
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 39)
  %l = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %c)
  %s = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %c)
  %n = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 32)
  %wa = sext i32 %a to i64
  %wb = sext i32 %b to i64
  %m = mul i64 %wa, %wb
  %h = lshr i64 %m, 32
  %k = trunc i64 %h to i32
  store i32 %r, ptr addrspace(1) %q, align 4
  store i32 %l, ptr addrspace(1) %q1, align 4
  store i32 %s, ptr addrspace(1) %q2, align 4
  store i32 %n, ptr addrspace(1) %q3, align 4
  store i32 %k, ptr addrspace(1) %q4, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 64
  br i1 %done, label %end, label %loop
end:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
