; Clocks are read where the source reads them, also twice.
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight run --check=all %t.hsaco --block 64 --arg zeros:4:i64
; CHECK: s_memtime s{{.*}}
; CHECK: s_memtime s{{.*}}
; CHECK: s_memrealtime
; CHECK: s_memrealtime
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %a = call i64 @llvm.readcyclecounter()
  %b = call i64 @llvm.amdgcn.s.memtime()
  %c = call i64 @llvm.readsteadycounter()
  %d = call i64 @llvm.amdgcn.s.memrealtime()
  %ab = sub i64 %b, %a
  %cd = sub i64 %d, %c
  store i64 %ab, ptr addrspace(1) %out
  %next = getelementptr i64, ptr addrspace(1) %out, i64 1
  store i64 %cd, ptr addrspace(1) %next
  ret void
}
