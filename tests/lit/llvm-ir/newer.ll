; What LLVM 23 and 24 print: bits of a float's own type, rounded decimals, names of infinities, the chip in the triple,
; copies to LDS that marks wait for, kinds of memory that LLVM 22 has no name for.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight waits %t.hsaco
; RUN: %python -c "import numpy as n; x = n.arange(64, dtype=n.float32); n.save('%t.in.npy', x); n.save('%t.out.npy', n.float32(0.1) * x + n.float32(-1.4426950408889634) + n.where(x < 10, n.float32(n.inf), n.float32(0)))"
; RUN: %inflight run --check=all %t.hsaco --grid 1 --arg %t.in.npy --arg zeros:64:f32 --expect 1=%t.out.npy,0,0
; RUN: %inflight compile -mcpu=gfx942 --emit=mlir %s -o - | FileCheck %s
target triple = "amdgpu9.42-amd-amdhsa"

@tile = internal addrspace(3) global [64 x float] poison, align 16

; CHECK-LABEL: llvm.func amdgpu_kernelcc @k{{.*}}inflight.flushes_singles
; CHECK: rocdl.raw.ptr.buffer.load.lds {{.*}}inflight.async
; CHECK: llvm.fence {{.*}}inflight.commit_group
; CHECK: llvm.fence {{.*}}inflight.wait_group = 0
define amdgpu_kernel void @k(ptr addrspace(1) inreg noalias %in, ptr addrspace(1) inreg noalias %out) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %offset = shl i32 %lane, 2
  %source = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1.i32(ptr addrspace(1) %in, i16 0, i32 256, i32 159744)
  call void @llvm.amdgcn.raw.ptr.buffer.load.async.lds(ptr addrspace(8) %source, ptr addrspace(3) @tile, i32 4, i32 %offset, i32 0, i32 0, i32 0), !alias.scope !2
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %at = getelementptr float, ptr addrspace(3) @tile, i32 %lane
  %x = load float, ptr addrspace(3) %at, align 4, !noalias !2
  %tenth = fmul float %x, 1.000000e-01
  %shifted = fadd float %tenth, f0xBFB8AA3B
  %isSmall = fcmp olt float %x, 1.000000e+01
  %high = select i1 %isSmall, float +inf, float 0.000000e+00
  %sum = fadd float %shifted, %high
  %to = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %sum, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x() #1
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1.i32(ptr addrspace(1) readnone, i16, i32, i32) #1
declare void @llvm.amdgcn.raw.ptr.buffer.load.async.lds(ptr addrspace(8) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32, i32, i32 immarg, i32 immarg) #2
declare void @llvm.amdgcn.asyncmark() #2
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg) #2

attributes #0 = { denormal_fpenv(ieee|ieee, float: preservesign) "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size" }
attributes #1 = { nocallback nounwind memory(none) }
attributes #2 = { nounwind memory(argmem: readwrite, inaccessiblemem: readwrite, target_mem0: none, target_mem1: none) }

; Domains of scopes that say more than LLVM 22's, in a module that says which version its debug information has.
!llvm.module.flags = !{!3}
!0 = !{!"copies", i1 false}
!1 = !{!"of tiles", !0}
!2 = !{!1}
!3 = !{i32 2, !"Debug Info Version", i32 3}
