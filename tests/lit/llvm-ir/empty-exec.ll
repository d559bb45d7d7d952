; What has no lanes is branched around where no lane comes to it: a trap, a message, a priority.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; x = n.arange(1, 65, dtype=n.uint32); n.save('%t.in.npy', x)"
; RUN: %inflight run --check=all %t.hsaco --kernel trap --block 64 --arg %t.in.npy
; RUN: not %inflight run %t.hsaco --kernel trap --block 64 --arg zeros:64:u32 2>&1 | FileCheck %s --check-prefix=TRAP
; TRAP: trap
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.trap()
declare void @llvm.amdgcn.s.sendmsg(i32, i32)
declare void @llvm.amdgcn.s.setprio(i16)

; CHECK-LABEL: trap:
; CHECK: s_cbranch_exec
; CHECK: s_trap
define amdgpu_kernel void @trap(ptr addrspace(1) %in) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %at
  %bad = icmp eq i32 %x, 0
  br i1 %bad, label %fail, label %end
fail:
  call void @llvm.trap()
  br label %end
end:
  ret void
}

; CHECK-LABEL: message:
; CHECK: s_cbranch_exec
; CHECK: s_setprio 2
; CHECK: s_sendmsg
define amdgpu_kernel void @message(ptr addrspace(1) %in) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %at
  %bad = icmp eq i32 %x, 0
  br i1 %bad, label %send, label %end
send:
  call void @llvm.amdgcn.s.setprio(i16 2)
  call void @llvm.amdgcn.s.sendmsg(i32 1, i32 0)
  br label %end
end:
  ret void
}
