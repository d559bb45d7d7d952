; Private variables that never live at the same time share their bytes; one that lives beside both has its own.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; i = n.arange(64).astype(n.int32); n.save('%t.out.npy', (i + 7) + (i * 3) + (i ^ 5))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg zeros:64:i32 --arg i32:2 --expect 0=%t.out.npy,0,0
; CHECK: .amdhsa_private_segment_fixed_size 96{{$}}
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %a = alloca [16 x i32], align 4, addrspace(5)
  %b = alloca [8 x i32], align 4, addrspace(5)
  %c = alloca [8 x i32], align 4, addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %place = and i32 %lane, 7
  %c.at = getelementptr i32, ptr addrspace(5) %c, i32 %place
  %other = xor i32 %lane, 5
  store volatile i32 %other, ptr addrspace(5) %c.at
  call void @llvm.lifetime.start.p5(ptr addrspace(5) %a)
  %a.at = getelementptr i32, ptr addrspace(5) %a, i32 %place
  %more = add i32 %lane, 7
  store volatile i32 %more, ptr addrspace(5) %a.at
  %x = load volatile i32, ptr addrspace(5) %a.at
  call void @llvm.lifetime.end.p5(ptr addrspace(5) %a)
  %is.two = icmp eq i32 %n, 2
  br i1 %is.two, label %then, label %end
then:
  call void @llvm.lifetime.start.p5(ptr addrspace(5) %b)
  %b.at = getelementptr i32, ptr addrspace(5) %b, i32 %place
  %thrice = mul i32 %lane, 3
  store volatile i32 %thrice, ptr addrspace(5) %b.at
  %y = load volatile i32, ptr addrspace(5) %b.at
  call void @llvm.lifetime.end.p5(ptr addrspace(5) %b)
  br label %end
end:
  %part = phi i32 [ %y, %then ], [ 0, %0 ]
  %z = load volatile i32, ptr addrspace(5) %c.at
  %xy = add i32 %x, %part
  %xyz = add i32 %xy, %z
  %out.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %xyz, ptr addrspace(1) %out.at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.lifetime.start.p5(ptr addrspace(5))
declare void @llvm.lifetime.end.p5(ptr addrspace(5))
