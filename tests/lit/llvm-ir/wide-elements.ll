; Unions of vectors: elements of 256 and 128 bits are taken from vectors of them and put into others.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; x = n.arange(64 * 16).astype(n.float32).reshape(64, 16); n.save('%t.in.npy', x); n.save('%t.out.npy', n.concatenate([x[:, 8:], x[:, 8:12], x[:, 0:4]], 1))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:1024:f32 --expect 1=%t.out.npy,0,0
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %lane
  %all = load <16 x float>, ptr addrspace(1) %in.at
  %halves = bitcast <16 x float> %all to <2 x i256>
  %upper = extractelement <2 x i256> %halves, i64 1
  %eight = bitcast i256 %upper to <8 x float>
  %out.at = getelementptr <16 x float>, ptr addrspace(1) %out, i32 %lane
  store <8 x float> %eight, ptr addrspace(1) %out.at
  %quarters = bitcast <16 x float> %all to <4 x i128>
  %first = extractelement <4 x i128> %quarters, i64 0
  %third = extractelement <4 x i128> %quarters, i64 2
  %one = insertelement <2 x i128> poison, i128 %third, i64 0
  %both = insertelement <2 x i128> %one, i128 %first, i64 1
  %four = bitcast <2 x i128> %both to <8 x float>
  %more.at = getelementptr <8 x float>, ptr addrspace(1) %out.at, i32 1
  store <8 x float> %four, ptr addrspace(1) %more.at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
