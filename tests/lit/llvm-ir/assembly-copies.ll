; LDS DMA by inline assembly reads its first operand, the address, where other loads write theirs. A result that no line
; mentions, as CK tile has it, is any value.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; x = n.arange(64).astype(n.int32) * 3 + 1; n.save('%t.in.npy', x); n.save('%t.out.npy', n.concatenate([x[::-1], x[n.arange(64) ^ 1]]))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:128:i32 --expect 1=%t.out.npy,0,0
; CHECK: v_xor_b32 [[MIRRORED:v[0-9]+]], 0xfc,
; CHECK: v_xor_b32 [[SWAPPED:v[0-9]+]], 4,
; CHECK: buffer_load_dword [[MIRRORED]], s[{{[0-9:]+}}], 0 offen lds
; CHECK: buffer_load_dword [[SWAPPED]], s[{{[0-9:]+}}], 0 offen offset:256 lds
target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [128 x i32] poison, align 16

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %address = ptrtoint ptr addrspace(1) %in to i64
  %words = bitcast i64 %address to <2 x i32>
  %descriptor = shufflevector <2 x i32> %words, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %place = ptrtoint ptr addrspace(3) @tile to i32
  %offset = shl i32 %lane, 2
  %mirrored = xor i32 %offset, 252
  %swapped = xor i32 %offset, 4
  call void asm sideeffect "s_mov_b32 m0, $0", "s,~{memory}"(i32 %place)
  %unused = call ptr asm sideeffect "buffer_load_dword $1, $2, 0 offen offset:$3 lds", "=r,v,s,n,~{memory}"(i32 %mirrored, <4 x i32> %descriptor, i32 0)
  %lower = sub i64 %address, 256
  %lower.words = bitcast i64 %lower to <2 x i32>
  %lower.descriptor = shufflevector <2 x i32> %lower.words, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  call void asm sideeffect "buffer_load_dword $0, $1, 0 offen offset:$2 lds", "v,s,n,~{memory}"(i32 %swapped, <4 x i32> %lower.descriptor, i32 256)
  call void asm sideeffect "s_waitcnt vmcnt($0)", "n,~{memory}"(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %lane
  %x = load i32, ptr addrspace(3) %at
  %next = getelementptr i32, ptr addrspace(3) %at, i32 64
  %y = load i32, ptr addrspace(3) %next
  %out.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %x, ptr addrspace(1) %out.at
  %out.next = getelementptr i32, ptr addrspace(1) %out.at, i32 64
  store i32 %y, ptr addrspace(1) %out.next
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
