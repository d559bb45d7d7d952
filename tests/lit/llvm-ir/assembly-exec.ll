; Inline assembly that turns lanes off for some of its lines: those keep what the tied operand gave them. A part of a
; register that is read is SDWA's.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; i = n.arange(64); x = (i * 0x10305 + 7).astype(n.uint32); n.save('%t.in.npy', x); n.save('%t.out.npy', n.concatenate([n.where(i %% 2, x, 5), x >> 16 & 255]).astype(n.float32))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:128:f32 --expect 1=%t.out.npy,0,0
; CHECK: v_cmpx_le_u32 exec, 1,
; CHECK-NEXT: global_load_dword
; CHECK: s_mov_b64 exec,
; CHECK: v_cvt_f32_u32_sdwa {{.*}} src0_sel:BYTE_2
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %flag = and i32 %lane, 1
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %in.at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = call i32 asm sideeffect "v_cmpx_le_u32 exec, 1, $3\0A global_load_dword $0, $1, off\0A s_mov_b64 exec, $4", "=v,v,0,v,s,~{memory}"(ptr addrspace(1) %in.at, i32 5, i32 %flag, i64 %all)
  %a = uitofp i32 %x to float
  %whole = load i32, ptr addrspace(1) %in.at
  %b = call float asm "v_cvt_f32_u32 $0, $1 src0_sel:BYTE_2", "=v,v"(i32 %whole)
  %at = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %a, ptr addrspace(1) %at
  %next = getelementptr float, ptr addrspace(1) %at, i32 64
  store float %b, ptr addrspace(1) %next
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1)
