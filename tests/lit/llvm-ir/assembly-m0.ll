; LDS DMA to what inline assembly has put into M0: by assembly, and by the intrinsic without a pointer, as HipKittens has it.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; x = n.arange(256).astype(n.int32) * 3 + 1; n.save('%t.in.npy', x); n.save('%t.out.npy', n.concatenate([x[:64], x[64:128], x[128:192]]))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:192:i32 --expect 1=%t.out.npy,0,0
; CHECK: s_mov_b32 m0, s
; CHECK-NOT: m0
; CHECK: buffer_load_dword {{.*}} offen lds
; CHECK: s_add_u32 m0, 0x100, m0
; CHECK-NOT: m0
; CHECK: buffer_load_dword {{.*}} offen lds
; CHECK: s_sub_u32 m0, m0, 0x200
; CHECK-NOT: m0
; CHECK: buffer_load_dword {{.*}} offset:512 lds
; CHECK-NOT: m0
; CHECK: s_endpgm
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32>, ptr addrspace(3), i32, i32, i32, i32, i32)
@tile = internal addrspace(3) global [1024 x i8] poison, align 16

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %address = ptrtoint ptr addrspace(1) %in to i64
  %words = bitcast i64 %address to <2 x i32>
  %descriptor = shufflevector <2 x i32> %words, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %offset = shl i32 %lane, 2
  %next = add i32 %offset, 256
  %place = ptrtoint ptr addrspace(3) @tile to i32
  call void asm sideeffect "s_mov_b32 m0, $0", "s,~{memory}"(i32 %place)
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %descriptor, ptr addrspace(3) addrspacecast (ptr null to ptr addrspace(3)), i32 4, i32 %offset, i32 0, i32 0, i32 0)
  call void asm sideeffect "s_add_u32 m0, $0, m0", "n,~{memory}"(i32 256)
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %descriptor, ptr addrspace(3) addrspacecast (ptr null to ptr addrspace(3)), i32 4, i32 %next, i32 0, i32 0, i32 0)
  call void asm sideeffect "s_add_u32 m0, $0, m0", "n,~{memory}"(i32 256)
  ; The offset counts on both sides: M0 is 512 less than the last place.
  call void asm sideeffect "s_sub_u32 m0, m0, $0", "n,~{memory}"(i32 512)
  call void asm sideeffect "buffer_load_dword $0, $1, 0 offen offset:$2 lds", "v,s,n,~{memory}"(i32 %offset, <4 x i32> %descriptor, i32 512)
  call void asm sideeffect "s_waitcnt vmcnt($0)", "n,~{memory}"(i32 0)
  call void @llvm.amdgcn.s.barrier()
  %at = getelementptr i8, ptr addrspace(3) @tile, i32 %offset
  %a = load i32, ptr addrspace(3) %at
  %b.at = getelementptr i8, ptr addrspace(3) %at, i32 256
  %b = load i32, ptr addrspace(3) %b.at
  %c.at = getelementptr i8, ptr addrspace(3) %at, i32 512
  %c = load i32, ptr addrspace(3) %c.at
  %out.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %a, ptr addrspace(1) %out.at
  %out.b = getelementptr i32, ptr addrspace(1) %out.at, i32 64
  store i32 %b, ptr addrspace(1) %out.b
  %out.c = getelementptr i32, ptr addrspace(1) %out.at, i32 128
  store i32 %c, ptr addrspace(1) %out.c
  ret void
}
