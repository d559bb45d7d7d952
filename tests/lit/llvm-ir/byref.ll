; A struct that lies among the arguments (byref), with a byte behind it in the same word; hidden arguments that are no sizes of the launch.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.array([5 + 300 + 7 + 1, 64], n.int32))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg zeros:2:i32 --arg bytes:0500000064000000c80000 --arg i8:7 --expect 0=%t.npy,0,0
; CHECK: .offset: 8
; CHECK-NEXT: .size: 11
; CHECK-NEXT: .value_kind: by_value
; CHECK: .offset: 19
; CHECK-NEXT: .size: 1
; CHECK: hidden_group_size_x
; CHECK: hidden_grid_dims
; CHECK-NOT: hidden_hostcall
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(4) byref(<{ i32, i32, i16, i8 }>) align 4 %in, i8 %last) {
  %a = load i32, ptr addrspace(4) %in, align 4
  %at = getelementptr i8, ptr addrspace(4) %in, i64 4
  %b = load i32, ptr addrspace(4) %at, align 4
  %at8 = getelementptr i8, ptr addrspace(4) %in, i64 8
  %short = load i16, ptr addrspace(4) %at8, align 4
  %c = zext i16 %short to i32
  %d = zext i8 %last to i32
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %dims.at = getelementptr i8, ptr addrspace(4) %hidden, i64 64
  %dims = load i16, ptr addrspace(4) %dims.at, align 2
  %e = zext i16 %dims to i32
  %sizes.at = getelementptr i8, ptr addrspace(4) %hidden, i64 12
  %sizes = load <2 x i16>, ptr addrspace(4) %sizes.at, align 4
  %x = extractelement <2 x i16> %sizes, i32 0
  %y = extractelement <2 x i16> %sizes, i32 1
  %lanes = mul i16 %x, %y
  %wide = zext i16 %lanes to i32
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %abcd = add i32 %ab, %cd
  %sum = add i32 %abcd, %e
  store i32 %sum, ptr addrspace(1) %out, align 4
  %next = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %wide, ptr addrspace(1) %next, align 4
  ret void
}
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
