; What a loop carries and guards within guards load anew has its registers: nothing is copied on the way in, and lanes that don't enter keep what they had.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python %S/Inputs/nested-guards.py %t
; RUN: %inflight run --check=all %t.hsaco --kernel k --block 64 --arg %t.in.npy --arg zeros:64:f32 --arg i32:150 --expect 1=%t.out.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel masked --block 64 --arg %t.in.npy --arg zeros:192:i32 --arg i32:40 --arg i32:12 --expect 1=%t.masked.npy,0,0
; CHECK: s_and_saveexec_b64
; CHECK-NOT: v_mov_b64
; CHECK: global_load_dwordx4
; CHECK-NOT: v_mov_b64
; CHECK: s_and_saveexec_b64
; CHECK-NOT: v_mov_b64
; CHECK: global_load_dwordx4
; CHECK-NOT: v_mov_b64
; CHECK: s_endpgm
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %at = phi i32 [ %lane, %entry ], [ %at.next, %join ]
  %a = phi <4 x float> [ <float 1.0, float 1.0, float 1.0, float 1.0>, %entry ], [ %a.new, %join ]
  %b = phi <4 x float> [ <float 2.0, float 2.0, float 2.0, float 2.0>, %entry ], [ %b.new, %join ]
  %sum = phi float [ 0.0, %entry ], [ %sum.new, %join ]
  %first = icmp ult i32 %at, %n
  br i1 %first, label %outer, label %join
outer:
  %x = zext i32 %at to i64
  %x.at = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %x
  %a.load = load <4 x float>, ptr addrspace(1) %x.at
  %further = add i32 %at, 20
  %second = icmp ult i32 %further, %n
  br i1 %second, label %inner, label %join
inner:
  %y = zext i32 %further to i64
  %y.at = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %y
  %b.load = load <4 x float>, ptr addrspace(1) %y.at
  br label %join
join:
  %a.new = phi <4 x float> [ %a, %loop ], [ %a.load, %outer ], [ %a.load, %inner ]
  %b.new = phi <4 x float> [ %b, %loop ], [ %b, %outer ], [ %b.load, %inner ]
  %a.0 = extractelement <4 x float> %a.new, i32 0
  %b.3 = extractelement <4 x float> %b.new, i32 3
  %product = fmul float %a.0, %b.3
  %sum.new = fadd float %sum, %product
  %at.next = add i32 %at, 64
  %more = icmp ult i32 %at.next, 320
  br i1 %more, label %loop, label %end
end:
  %out.at = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %sum.new, ptr addrspace(1) %out.at
  ret void
}

; What is made of a result within the outer guard and behind it: each stands behind the last guard that gives it.
define amdgpu_kernel void @masked(ptr addrspace(1) %in, ptr addrspace(1) noalias %out, i32 %n, i32 %mask) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %out.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %inside.at = getelementptr i32, ptr addrspace(1) %out.at, i32 64
  %both.at = getelementptr i32, ptr addrspace(1) %out.at, i32 128
  %first = icmp ult i32 %lane, %n
  br i1 %first, label %outer, label %end
outer:
  %even = and i32 %lane, 1
  %second = icmp eq i32 %even, 0
  br i1 %second, label %inner, label %join
inner:
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %loaded = load i32, ptr addrspace(1) %from
  br label %join
join:
  %value = phi i32 [ %loaded, %inner ], [ 5, %outer ]
  %third = icmp ult i32 %lane, 20
  br i1 %third, label %once, label %between
once:
  %masked = and i32 %value, %mask
  store atomic i32 %masked, ptr addrspace(1) %both.at monotonic, align 4
  br label %between
between:
  %fourth = icmp ult i32 %lane, 30
  br i1 %fourth, label %twice, label %last
twice:
  %more = and i32 %value, %mask
  store atomic i32 %more, ptr addrspace(1) %inside.at monotonic, align 4
  br label %last
last:
  br label %end
end:
  %result = phi i32 [ 5, %entry ], [ %value, %last ]
  %masked.again = and i32 %result, %mask
  store i32 %masked.again, ptr addrspace(1) %out.at
  ret void
}
