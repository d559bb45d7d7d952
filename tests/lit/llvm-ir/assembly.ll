; Inline assembly: several lines, outputs in vector and scalar registers, tied operands, a store that is waited for as any other.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; x = n.arange(64); n.save('%t.in.npy', x.astype(n.int32)); n.save('%t.out.npy', (((x + 5) * 8 + 40) ^ 1 ^ (x << 16)).astype(n.int32))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:i32 --arg i32:20 --expect 1=%t.out.npy,0,0
; CHECK: v_add_u32
; CHECK: v_lshlrev_b32
; CHECK: s_add_u32
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %in.at
  %y = call i32 asm "v_add_u32_e32 $0, $2, $1\0A  v_lshlrev_b32 ${0}, 3, $0 ; times eight", "=&v,v,i"(i32 %x, i32 5)
  %twice = call i32 asm sideeffect "s_add_u32 $0, $1, $1", "=s,s,~{scc}"(i32 %n)
  %sum = add i32 %y, %twice
  %other = call i32 asm "v_xor_b32 $0, 1, $1", "=v,0"(i32 %sum)
  %high = call { i32, i32 } asm "v_lshlrev_b32 $0, 16, $2\0Av_mov_b32 $1, $3", "=&v,=v,v,v"(i32 %x, i32 %other)
  %a = extractvalue { i32, i32 } %high, 0
  %b = extractvalue { i32, i32 } %high, 1
  %r = xor i32 %a, %b
  %out.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  call void asm sideeffect "global_store_dword $0, $1, off", "v,v,~{memory}"(ptr addrspace(1) %out.at, i32 %r)
  call void asm sideeffect "; nothing $0", "v,~{memory}"(i32 %r)
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
