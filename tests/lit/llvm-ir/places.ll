; Loads pass stores whose bytes are others: addresses of which the lower words differ by a constant, however the upper ones were made.
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python %S/Inputs/places.py %t
; RUN: %inflight run --check=all %t.hsaco --kernel apart --block 1 --arg %t.in.npy --expect 0=%t.apart.npy
; RUN: %inflight run --check=all %t.hsaco --kernel overlapping --block 1 --arg %t.in.npy --expect 0=%t.overlapping.npy
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()

; CHECK-LABEL: apart:
; CHECK: global_load_ubyte
; CHECK: global_load_ubyte
; CHECK: global_load_ubyte
; CHECK-NOT: v_and_b32
; CHECK: global_store_byte
; CHECK: global_store_byte
define amdgpu_kernel void @apart(ptr addrspace(1) inreg %a) {
  %t = call i32 @llvm.amdgcn.workgroup.id.x()
  %x = add i32 %t, 8
  %xe = sext i32 %x to i64
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %xe
  %v = load <1 x i8>, ptr addrspace(1) %p
  %ve = extractelement <1 x i8> %v, i64 0
  %vi = zext i8 %ve to i32
  %y = add i32 %t, 16
  %ye = sext i32 %y to i64
  %q = getelementptr i8, ptr addrspace(1) %a, i64 %ye
  %w = load <1 x i8>, ptr addrspace(1) %q
  %we = extractelement <1 x i8> %w, i64 0
  %wi = zext i8 %we to i32
  %s = add i32 %vi, %wi
  %st = trunc i32 %s to i8
  %si = insertelement <1 x i8> poison, i8 %st, i64 0
  store <1 x i8> %si, ptr addrspace(1) %q
  %z = add i32 %t, 24
  %ze = sext i32 %z to i64
  %r = getelementptr i8, ptr addrspace(1) %a, i64 %ze
  %u = load <1 x i8>, ptr addrspace(1) %r
  %ue = extractelement <1 x i8> %u, i64 0
  %ui = zext i8 %ue to i32
  %s2 = add i32 %s, %ui
  %s2t = trunc i32 %s2 to i8
  %s2i = insertelement <1 x i8> poison, i8 %s2t, i64 0
  store <1 x i8> %s2i, ptr addrspace(1) %r
  ret void
}

; CHECK-LABEL: overlapping:
; CHECK: global_store_dwordx2
; CHECK: global_load_dwordx2
; CHECK: global_store_dwordx2
define amdgpu_kernel void @overlapping(ptr addrspace(1) inreg %a) {
  %t = call i32 @llvm.amdgcn.workgroup.id.x()
  %x = add i32 %t, 8
  %xe = sext i32 %x to i64
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %xe
  %v = load i64, ptr addrspace(1) %p
  %v3 = add i64 %v, 81985529216486895
  store i64 %v3, ptr addrspace(1) %p
  %y = add i32 %t, 12
  %ye = sext i32 %y to i64
  %q = getelementptr i8, ptr addrspace(1) %a, i64 %ye
  %w = load i64, ptr addrspace(1) %q, align 4
  %w5 = add i64 %w, 1234605616436508552
  store i64 %w5, ptr addrspace(1) %q, align 4
  ret void
}
