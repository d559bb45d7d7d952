; Quotients and remainders of 64 bits, of numbers that fit 32 bits in all lanes of a wave, in some, and in none; those that are the same in all lanes are asked for on the scalar unit.
; RUN: %python %S/Inputs/long_divisions.py %t
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c --verify-each %s -o %t.hsaco && for k in lanes waves small; do n=$([ $k = small ] && echo 2 || echo 4); l=$([ $k = waves ] && echo 96x4 || echo 96x64x$n); %inflight run %t.hsaco --kernel $k --grid 96 --block 64 --arg %t.in.npy --arg zeros:$l:u64 --expect 1=%t.$k.npy,0,0 || exit 1; done; done
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()

; CHECK-LABEL: lanes:
; CHECK: v_cmp_ne_u32
; CHECK: s_cbranch_scc0
; CHECK: v_rcp_f64
; CHECK: v_rcp_iflag_f32
define amdgpu_kernel void @lanes(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = shl i32 %group, 6
  %i = add i32 %lane, %base
  %at = getelementptr [2 x i64], ptr addrspace(1) %in, i32 %i
  %second = getelementptr i64, ptr addrspace(1) %at, i32 1
  %a = load i64, ptr addrspace(1) %at
  %b = load i64, ptr addrspace(1) %second
  %uq = udiv i64 %a, %b
  %ur = urem i64 %a, %b
  %sq = sdiv i64 %a, %b
  %sr = srem i64 %a, %b
  %to = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %i
  store i64 %uq, ptr addrspace(1) %to
  %to1 = getelementptr i64, ptr addrspace(1) %to, i32 1
  store i64 %ur, ptr addrspace(1) %to1
  %to2 = getelementptr i64, ptr addrspace(1) %to, i32 2
  store i64 %sq, ptr addrspace(1) %to2
  %to3 = getelementptr i64, ptr addrspace(1) %to, i32 3
  store i64 %sr, ptr addrspace(1) %to3
  ret void
}

; CHECK-LABEL: waves:
; CHECK: s_or_b32 [[UPPER:s[0-9]+]]
; CHECK-NOT: v_cmp
; CHECK: s_cmp_lg_u32 [[UPPER]], 0
; CHECK: s_cbranch_scc0
define amdgpu_kernel void @waves(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %at = getelementptr [128 x i64], ptr addrspace(1) %in, i32 %group
  %second = getelementptr i64, ptr addrspace(1) %at, i32 1
  %a = load i64, ptr addrspace(1) %at
  %b = load i64, ptr addrspace(1) %second
  %uq = udiv i64 %a, %b
  %ur = urem i64 %a, %b
  %sq = sdiv i64 %a, %b
  %sr = srem i64 %a, %b
  %to = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %group
  store i64 %uq, ptr addrspace(1) %to
  %to1 = getelementptr i64, ptr addrspace(1) %to, i32 1
  store i64 %ur, ptr addrspace(1) %to1
  %to2 = getelementptr i64, ptr addrspace(1) %to, i32 2
  store i64 %sq, ptr addrspace(1) %to2
  %to3 = getelementptr i64, ptr addrspace(1) %to, i32 3
  store i64 %sr, ptr addrspace(1) %to3
  ret void
}

; Without a multiplication of more than 24 bits.
; CHECK-LABEL: small:
; CHECK-NOT: v_mul_hi
; CHECK-NOT: v_mul_lo
; CHECK-NOT: v_rcp_f64
; CHECK: v_mul_u32_u24
; CHECK: s_endpgm
define amdgpu_kernel void @small(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = shl i32 %group, 6
  %i = add i32 %lane, %base
  %at = getelementptr [2 x i64], ptr addrspace(1) %in, i32 %i
  %second = getelementptr i64, ptr addrspace(1) %at, i32 1
  %x = load i64, ptr addrspace(1) %at
  %y = load i64, ptr addrspace(1) %second
  %a = and i64 %x, 4194303
  %z = and i64 %y, 16777215
  %none = icmp eq i64 %z, 0
  %b = select i1 %none, i64 1, i64 %z
  %uq = udiv i64 %a, %b
  %ur = urem i64 %a, %b
  %to = getelementptr [2 x i64], ptr addrspace(1) %out, i32 %i
  store i64 %uq, ptr addrspace(1) %to
  %to1 = getelementptr i64, ptr addrspace(1) %to, i32 1
  store i64 %ur, ptr addrspace(1) %to1
  ret void
}
