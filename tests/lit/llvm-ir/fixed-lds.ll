; A generic pointer that is made of a number in LDS is one of LDS.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: fixed:
; CHECK-NOT: global_store
; CHECK: {{ds_write|flat_store}}
; CHECK-NOT: global_store
; CHECK: s_endpgm
define amdgpu_kernel void @fixed() {
  store volatile i32 1, ptr addrspacecast (ptr addrspace(3) inttoptr (i32 16 to ptr addrspace(3)) to ptr)
  ret void
}

; CHECK-LABEL: chosen:
; CHECK: flat_store
; CHECK: s_endpgm
define amdgpu_kernel void @chosen(ptr %p, i32 %n) {
  %c = icmp eq i32 %n, 3
  %q = select i1 %c, ptr addrspacecast (ptr addrspace(3) inttoptr (i32 16 to ptr addrspace(3)) to ptr), ptr %p
  store i32 1, ptr %q
  ret void
}
