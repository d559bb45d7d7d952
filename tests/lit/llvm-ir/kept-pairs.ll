; A pair that is made of two values stands in their registers although they are used again, and no longer than they stay the same.
; RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
; RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.hsaco
; RUN: %python -c "import numpy as n; x = n.arange(128, dtype=n.float32).reshape(64, 2) - 40; y = n.where(x < 0, x * 2, x); z = n.where(y > 9, y * 0.5, y); n.save('%t.in.npy', x); n.save('%t.out.npy', z); s = x.copy(); t = x * 0; exec('for i in range(5): t += s[:, ::-1]; s = s + t'); n.save('%t.loop.npy', s)"
; RUN: %inflight run --check=all %t.hsaco --kernel chosen --block 64 --arg %t.in.npy --arg zeros:64x2:f32 --expect 1=%t.out.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel carried --block 64 --arg %t.in.npy --arg zeros:64x2:f32 --arg i32:5 --expect 1=%t.loop.npy,0,0
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-LABEL: chosen:
; CHECK: global_load
; CHECK-NOT: v_mov_b32 v{{[0-9]+}}, v
; CHECK: v_pk_mul_f32
; CHECK-NOT: v_mov_b32 v{{[0-9]+}}, v
; CHECK: s_endpgm
define amdgpu_kernel void @chosen(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %lane
  %x = load <2 x float>, ptr addrspace(1) %at
  %doubled = fmul <2 x float> %x, splat (float 2.0)
  %below = fcmp olt <2 x float> %x, zeroinitializer
  %y = select <2 x i1> %below, <2 x float> %doubled, <2 x float> %x
  %halved = fmul <2 x float> %y, splat (float 0.5)
  %above = fcmp ogt <2 x float> %y, splat (float 9.0)
  %z = select <2 x i1> %above, <2 x float> %halved, <2 x float> %y
  %to = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %lane
  store <2 x float> %z, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: carried:
define amdgpu_kernel void @carried(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %times) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %lane
  %x = load <2 x float>, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi <2 x float> [ %x, %entry ], [ %s.next, %loop ]
  %t = phi <2 x float> [ zeroinitializer, %entry ], [ %t.next, %loop ]
  %swapped = shufflevector <2 x float> %s, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %t.next = fadd <2 x float> %t, %swapped
  %s.next = fadd <2 x float> %s, %t.next
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, %times
  br i1 %more, label %loop, label %done
done:
  %to = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %lane
  store <2 x float> %s.next, ptr addrspace(1) %to
  ret void
}
