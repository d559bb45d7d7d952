; Arguments that are marked inreg, from the first one on, are in SGPRs when the kernel starts. Firmware that doesn't know of that begins at the
; symbol, where they are loaded; the kernel begins 256 bytes later.
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,CDNA3
; RUN: %inflight compile -mcpu=gfx90a %s --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,CDNA2
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight waits %t.hsaco
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o %t.s && %inflight waits %t.s && %inflight asm %t.s -o %t.s.hsaco
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.array([5 + 7 + 300 + 9], n.int64))"
; RUN: for f in %t.hsaco %t.s.hsaco; do %inflight run --kernel two --check=all $f --block 64 --arg zeros:1:i64 --arg i32:5 --arg i8:7 --arg i16:300 --arg i64:9 --expect 0=%t.npy,0,0 || exit 1; done

target triple = "amdgcn-amd-amdhsa"

; Two dwords of a pointer, one of a number, one that two smaller ones share; the last argument isn't marked, and is loaded.
; CHECK-LABEL: two:
; CDNA3-NEXT: s_load_dwordx2 s[2:3], s[0:1], 0
; CDNA3-NEXT: s_load_dwordx2 s[4:5], s[0:1], 8
; CDNA2-NEXT: s_load_dwordx4 s[4:7], s[0:1], 0
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NEXT: s_branch .Ltwo_0
; CHECK-NEXT: .p2align 8
; CHECK-NEXT: .Ltwo_0:
; CHECK: s_load_dwordx2 {{s\[[0-9:]+\]}}, s[0:1], 16
; CHECK-NOT: s_load
; CHECK: .amdhsa_kernel two
; CHECK: .amdhsa_user_sgpr_kernarg_preload_length 4
; CHECK-NEXT: .amdhsa_user_sgpr_kernarg_preload_offset 0
define amdgpu_kernel void @two(ptr addrspace(1) inreg %out, i32 inreg %a, i8 inreg %b, i16 inreg %c, i64 %d) {
  %a.wide = zext i32 %a to i64
  %b.wide = zext i8 %b to i64
  %c.wide = zext i16 %c to i64
  %ab = add i64 %a.wide, %b.wide
  %abc = add i64 %ab, %c.wide
  %abcd = add i64 %abc, %d
  store i64 %abcd, ptr addrspace(1) %out
  ret void
}

; As many as fit into 16 user SGPRs, whole arguments only; those behind the last one that is used aren't wanted.
; CHECK-LABEL: many:
; CHECK: .amdhsa_kernel many
; CDNA3: .amdhsa_user_sgpr_kernarg_preload_length 14
; CDNA2: .amdhsa_user_sgpr_kernarg_preload_length 12
define amdgpu_kernel void @many(ptr addrspace(1) inreg %out, <4 x i32> inreg %a, i64 inreg %b, i64 inreg %c, i64 inreg %d, i64 inreg %e) {
  store <4 x i32> %a, ptr addrspace(1) %out
  %1 = getelementptr i8, ptr addrspace(1) %out, i64 16
  store i64 %b, ptr addrspace(1) %1
  %2 = getelementptr i8, ptr addrspace(1) %out, i64 24
  store i64 %c, ptr addrspace(1) %2
  %3 = getelementptr i8, ptr addrspace(1) %out, i64 32
  store i64 %d, ptr addrspace(1) %3
  %4 = getelementptr i8, ptr addrspace(1) %out, i64 40
  store i64 %e, ptr addrspace(1) %4
  ret void
}

; Neither what isn't marked, nor what comes after it or after what lies among the arguments.
; CHECK-LABEL: none:
; CHECK-NOT: kernarg_preload
; CHECK-LABEL: unused:
; CHECK: .amdhsa_kernel unused
; CHECK: .amdhsa_user_sgpr_kernarg_preload_length 2
define amdgpu_kernel void @none(ptr addrspace(1) %out, i32 inreg %a) {
  store i32 %a, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @unused(ptr addrspace(1) inreg %out, ptr addrspace(1) inreg %scratch, i32 inreg %n) {
  store i32 1, ptr addrspace(1) %out
  ret void
}

; The launch's sizes behind arguments that are all marked. Words of arguments that nobody uses aren't loaded.
; CHECK-LABEL: sizes:
; CHECK: .amdhsa_user_sgpr_kernarg_preload_length 5
; CHECK-LABEL: trailing:
; CHECK: s_load_dwordx2 {{.*}}, 64
; CHECK-NOT: s_load_dwordx4
; CHECK: s_endpgm
define amdgpu_kernel void @sizes(ptr addrspace(1) inreg %out, i64 inreg %n) {
  %sizes = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %x = load i32, ptr addrspace(4) %sizes
  store i32 %x, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @trailing(ptr addrspace(1) inreg %out, <4 x i64> %more, i64 %n, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  store i64 %n, ptr addrspace(1) %out
  ret void
}
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
