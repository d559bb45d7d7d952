; Dot products of integers whose sums saturate.
; RUN: %python %S/Inputs/dots.py %t && %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --block 256 --arg %t.a.npy --arg %t.b.npy --arg %t.c.npy --arg zeros:1536:u32 --expect 3=%t.out.npy,0,0
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %as, ptr addrspace(1) %bs, ptr addrspace(1) %cs, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a.at = getelementptr i32, ptr addrspace(1) %as, i32 %lane
  %b.at = getelementptr i32, ptr addrspace(1) %bs, i32 %lane
  %c.at = getelementptr i32, ptr addrspace(1) %cs, i32 %lane
  %a = load i32, ptr addrspace(1) %a.at
  %b = load i32, ptr addrspace(1) %b.at
  %c = load i32, ptr addrspace(1) %c.at
  %a2 = bitcast i32 %a to <2 x i16>
  %b2 = bitcast i32 %b to <2 x i16>
  %sdot2 = call i32 @llvm.amdgcn.sdot2(<2 x i16> %a2, <2 x i16> %b2, i32 %c, i1 true)
  %sdot2.lane = add i32 %lane, 0
  %sdot2.at = getelementptr i32, ptr addrspace(1) %out, i32 %sdot2.lane
  store i32 %sdot2, ptr addrspace(1) %sdot2.at
  %udot2 = call i32 @llvm.amdgcn.udot2(<2 x i16> %a2, <2 x i16> %b2, i32 %c, i1 true)
  %udot2.lane = add i32 %lane, 256
  %udot2.at = getelementptr i32, ptr addrspace(1) %out, i32 %udot2.lane
  store i32 %udot2, ptr addrspace(1) %udot2.at
  %sdot4 = call i32 @llvm.amdgcn.sdot4(i32 %a, i32 %b, i32 %c, i1 true)
  %sdot4.lane = add i32 %lane, 512
  %sdot4.at = getelementptr i32, ptr addrspace(1) %out, i32 %sdot4.lane
  store i32 %sdot4, ptr addrspace(1) %sdot4.at
  %udot4 = call i32 @llvm.amdgcn.udot4(i32 %a, i32 %b, i32 %c, i1 true)
  %udot4.lane = add i32 %lane, 768
  %udot4.at = getelementptr i32, ptr addrspace(1) %out, i32 %udot4.lane
  store i32 %udot4, ptr addrspace(1) %udot4.at
  %sdot8 = call i32 @llvm.amdgcn.sdot8(i32 %a, i32 %b, i32 %c, i1 true)
  %sdot8.lane = add i32 %lane, 1024
  %sdot8.at = getelementptr i32, ptr addrspace(1) %out, i32 %sdot8.lane
  store i32 %sdot8, ptr addrspace(1) %sdot8.at
  %udot8 = call i32 @llvm.amdgcn.udot8(i32 %a, i32 %b, i32 %c, i1 true)
  %udot8.lane = add i32 %lane, 1280
  %udot8.at = getelementptr i32, ptr addrspace(1) %out, i32 %udot8.lane
  store i32 %udot8, ptr addrspace(1) %udot8.at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.sdot2(<2 x i16>, <2 x i16>, i32, i1 immarg)
declare i32 @llvm.amdgcn.udot2(<2 x i16>, <2 x i16>, i32, i1 immarg)
declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1 immarg)
declare i32 @llvm.amdgcn.udot4(i32, i32, i32, i1 immarg)
declare i32 @llvm.amdgcn.sdot8(i32, i32, i32, i1 immarg)
declare i32 @llvm.amdgcn.udot8(i32, i32, i32, i1 immarg)
