; Products of numbers of 24 bits with or without sign, known by remainders, shifts, quotients and extensions; others are whole ones. A fence that only releases forgets nothing.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python %S/Inputs/narrow-products.py %t && %inflight run --check=all %t.hsaco --kernel k --block 64 --arg %t.in.npy --arg zeros:384:i32 --expect 1=%t.out.npy,0,0
; CHECK-LABEL: k:
; CHECK-DAG: v_mul_i32_i24
; CHECK-DAG: v_mul_u32_u24
; CHECK-DAG: v_mad_i32_i24
; CHECK-DAG: v_mul_lo_u32
; CHECK-DAG: v_mul_lo_u32
; CHECK: s_endpgm
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) noalias %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <2 x i32>, ptr addrspace(1) %in, i32 %lane
  %both = load <2 x i32>, ptr addrspace(1) %in.at
  %x = extractelement <2 x i32> %both, i32 0
  %y = extractelement <2 x i32> %both, i32 1
  %out.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  ; 24 bits with sign each
  %a = ashr i32 %x, 8
  %b = ashr i32 %y, 8
  %p0 = mul i32 %a, %b
  store i32 %p0, ptr addrspace(1) %out.at
  ; 24 bits without
  %c = lshr i32 %x, 8
  %d = and i32 %y, 16777215
  %p1 = mul i32 %c, %d
  %at1 = getelementptr i32, ptr addrspace(1) %out.at, i32 64
  store i32 %p1, ptr addrspace(1) %at1
  ; remainder and quotient, with a sum
  %e = srem i32 %x, 8388607
  %f = sdiv i32 %y, -512
  %p2 = mul i32 %e, %f
  %s2 = add i32 %p2, %x
  %at2 = getelementptr i32, ptr addrspace(1) %out.at, i32 128
  store i32 %s2, ptr addrspace(1) %at2
  ; 25 bits
  %g = ashr i32 %x, 7
  %p3 = mul i32 %g, %b
  %at3 = getelementptr i32, ptr addrspace(1) %out.at, i32 192
  store i32 %p3, ptr addrspace(1) %at3
  ; one with sign, one without
  %p4 = mul i32 %c, %a
  %at4 = getelementptr i32, ptr addrspace(1) %out.at, i32 256
  store i32 %p4, ptr addrspace(1) %at4
  ; extended
  %h = trunc i32 %x to i16
  %i = sext i16 %h to i32
  %j = sub i32 %i, %a
  %k = ashr i32 %j, 2
  %p5 = mul i32 %k, %i
  %at5 = getelementptr i32, ptr addrspace(1) %out.at, i32 320
  store i32 %p5, ptr addrspace(1) %at5
  ret void
}

; CHECK-LABEL: release:
; CHECK: buffer_wbl2
; CHECK-NOT: buffer_inv
; CHECK: global_store_dword
; CHECK-LABEL: acquire:
; CHECK: buffer_inv
define amdgpu_kernel void @release(ptr addrspace(1) %p) {
  fence syncscope("agent") release
  store i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @acquire(ptr addrspace(1) %p) {
  fence syncscope("agent") acquire
  store i32 1, ptr addrspace(1) %p
  ret void
}
