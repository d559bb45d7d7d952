; Differences of pairs of singles are sums with the negative, of elements in order and exchanged; zeros keep their signs.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
; RUN: %python -c "import numpy as n; a = n.random.default_rng(2).standard_normal((2, 64, 2)).astype(n.float32); a[:, :4] = 0; a[1, :2] = -0.0; n.save('%t.a.npy', a[0].ravel()); n.save('%t.b.npy', a[1].ravel()); n.save('%t.c.npy', (a[0] - a[1]).ravel().view(n.uint32)); n.save('%t.d.npy', (a[1] - a[0][:, ::-1]).ravel().view(n.uint32))"
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run --check=all %t.hsaco --block 64 --arg %t.a.npy --arg %t.b.npy --arg zeros:128:u32 --arg zeros:128:u32 --expect 2=%t.c.npy,0,0 --expect 3=%t.d.npy,0,0 || exit 1; done
; CHECK-DAG: v_pk_add_f32 {{v.*}}, {{v.*}}, {{v\[[0-9]+:[0-9]+\]}} neg_lo:[0,1] neg_hi:[0,1]
; CHECK-DAG: v_pk_add_f32 {{.*}} op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %d) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %pa = getelementptr <2 x float>, ptr addrspace(1) %a, i32 %lane
  %pb = getelementptr <2 x float>, ptr addrspace(1) %b, i32 %lane
  %pc = getelementptr <2 x float>, ptr addrspace(1) %c, i32 %lane
  %pd = getelementptr <2 x float>, ptr addrspace(1) %d, i32 %lane
  %x = load <2 x float>, ptr addrspace(1) %pa
  %y = load <2 x float>, ptr addrspace(1) %pb
  %difference = fsub <2 x float> %x, %y
  store <2 x float> %difference, ptr addrspace(1) %pc
  %exchanged = shufflevector <2 x float> %x, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %other = fsub <2 x float> %y, %exchanged
  store <2 x float> %other, ptr addrspace(1) %pd
  ret void
}
