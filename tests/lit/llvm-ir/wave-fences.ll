; What lanes of a wave read of each other's behind a fence of the wave stays behind it, though each lane's own bytes are apart.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.append(3 * n.arange(1, 64, dtype='i4'), 0).astype('i4'))"
; RUN: %inflight run %t.hsaco --block 64 --arg zeros:65:i32 --arg zeros:64:i32 --expect 1=%t.npy
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: k:
; CHECK: global_store_dword
; CHECK: global_load_dword
; CHECK: s_endpgm
define amdgpu_kernel void @k(ptr addrspace(1) %all, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %mine = getelementptr i32, ptr addrspace(1) %all, i32 %lane
  %next = getelementptr i32, ptr addrspace(1) %mine, i32 1
  %value = mul i32 %lane, 3
  store i32 %value, ptr addrspace(1) %mine, align 4
  fence syncscope("wavefront") acq_rel
  %other = load i32, ptr addrspace(1) %next, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %other, ptr addrspace(1) %to, align 4
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
