; A loop that carries a product's 16 numbers one by one and gives their vector keeps them once.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco --summary 2>&1 | FileCheck %s
; RUN: %python -c "import numpy as n; n.save('%t.out.npy', n.full(1024, 32, n.float32))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg zeros:1024:f32 --arg i32:4 --expect 0=%t.out.npy
; CHECK: carried: {{.*}} waits, {{1[6-9]|2[0-9]}} VGPRs, 0 AGPRs
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32, i32, i32)
define amdgpu_kernel void @carried(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c0 = phi float [ 0.0, %entry ], [ %e0, %loop ]
  %c1 = phi float [ 0.0, %entry ], [ %e1, %loop ]
  %c2 = phi float [ 0.0, %entry ], [ %e2, %loop ]
  %c3 = phi float [ 0.0, %entry ], [ %e3, %loop ]
  %c4 = phi float [ 0.0, %entry ], [ %e4, %loop ]
  %c5 = phi float [ 0.0, %entry ], [ %e5, %loop ]
  %c6 = phi float [ 0.0, %entry ], [ %e6, %loop ]
  %c7 = phi float [ 0.0, %entry ], [ %e7, %loop ]
  %c8 = phi float [ 0.0, %entry ], [ %e8, %loop ]
  %c9 = phi float [ 0.0, %entry ], [ %e9, %loop ]
  %c10 = phi float [ 0.0, %entry ], [ %e10, %loop ]
  %c11 = phi float [ 0.0, %entry ], [ %e11, %loop ]
  %c12 = phi float [ 0.0, %entry ], [ %e12, %loop ]
  %c13 = phi float [ 0.0, %entry ], [ %e13, %loop ]
  %c14 = phi float [ 0.0, %entry ], [ %e14, %loop ]
  %c15 = phi float [ 0.0, %entry ], [ %e15, %loop ]
  %a0 = insertelement <16 x float> poison, float %c0, i32 0
  %a1 = insertelement <16 x float> %a0, float %c1, i32 1
  %a2 = insertelement <16 x float> %a1, float %c2, i32 2
  %a3 = insertelement <16 x float> %a2, float %c3, i32 3
  %a4 = insertelement <16 x float> %a3, float %c4, i32 4
  %a5 = insertelement <16 x float> %a4, float %c5, i32 5
  %a6 = insertelement <16 x float> %a5, float %c6, i32 6
  %a7 = insertelement <16 x float> %a6, float %c7, i32 7
  %a8 = insertelement <16 x float> %a7, float %c8, i32 8
  %a9 = insertelement <16 x float> %a8, float %c9, i32 9
  %a10 = insertelement <16 x float> %a9, float %c10, i32 10
  %a11 = insertelement <16 x float> %a10, float %c11, i32 11
  %a12 = insertelement <16 x float> %a11, float %c12, i32 12
  %a13 = insertelement <16 x float> %a12, float %c13, i32 13
  %a14 = insertelement <16 x float> %a13, float %c14, i32 14
  %a15 = insertelement <16 x float> %a14, float %c15, i32 15
  %p = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> splat (half 0xH3C00), <4 x half> splat (half 0xH3C00), <16 x float> %a15, i32 0, i32 0, i32 0)
  %e0 = extractelement <16 x float> %p, i32 0
  %e1 = extractelement <16 x float> %p, i32 1
  %e2 = extractelement <16 x float> %p, i32 2
  %e3 = extractelement <16 x float> %p, i32 3
  %e4 = extractelement <16 x float> %p, i32 4
  %e5 = extractelement <16 x float> %p, i32 5
  %e6 = extractelement <16 x float> %p, i32 6
  %e7 = extractelement <16 x float> %p, i32 7
  %e8 = extractelement <16 x float> %p, i32 8
  %e9 = extractelement <16 x float> %p, i32 9
  %e10 = extractelement <16 x float> %p, i32 10
  %e11 = extractelement <16 x float> %p, i32 11
  %e12 = extractelement <16 x float> %p, i32 12
  %e13 = extractelement <16 x float> %p, i32 13
  %e14 = extractelement <16 x float> %p, i32 14
  %e15 = extractelement <16 x float> %p, i32 15
  %i.next = add i32 %i, 1
  %again = icmp ne i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  %at = mul i32 %lane, 16
  %to = getelementptr float, ptr addrspace(1) %out, i32 %at
  store <16 x float> %p, ptr addrspace(1) %to, align 64
  ret void
}
