; Two reads of LDS are one instruction where the first is, unless the second's bytes are written between them.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.array([5, 0, 6, 0, 7, 0], n.int32))"
; RUN: %inflight run --check=all --kernel direct %t.hsaco --block 1 --arg zeros:6:i32 --arg i32:6 --expect 0=%t.npy,0,0
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [32 x i32] poison

; CHECK-LABEL: direct:
; CHECK: ds_read2_b32 {{.*}} offset0:8 offset1:9
; CHECK: ds_write_b32 {{.*}} offset:80
; CHECK: ds_read_b32 {{.*}} offset:80
define amdgpu_kernel void @direct(ptr addrspace(1) %out, i32 %n) {
  %near = getelementptr i32, ptr addrspace(3) @lds, i32 8
  %next = getelementptr i32, ptr addrspace(3) @lds, i32 9
  %far = getelementptr i32, ptr addrspace(3) @lds, i32 20
  store i32 5, ptr addrspace(3) %near
  store i32 7, ptr addrspace(3) %next
  %a = load volatile i32, ptr addrspace(1) %out
  %first = load i32, ptr addrspace(3) %near
  store i32 %n, ptr addrspace(3) %far
  %second = load i32, ptr addrspace(3) %far
  %third = load i32, ptr addrspace(3) %next
  store i32 %first, ptr addrspace(1) %out
  %out1 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %second, ptr addrspace(1) %out1
  %out2 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %third, ptr addrspace(1) %out2
  ret void
}
