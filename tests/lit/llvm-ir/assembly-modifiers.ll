; Inline assembly with exchanges of lanes, which leave lanes without a source as they were, and with offsets, cache policies, waits and barriers.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; i = n.arange(64); x = i.astype(n.float32); n.save('%t.in.npy', x); a = x + n.where(i %% 16 >= 8, n.roll(x, 8), 0); b = n.where((i // 16 %% 2 == 1) & (i %% 16 > 0), n.roll(a, 1), x); n.save('%t.out.npy', n.concatenate([n.zeros(64), b]).astype(n.float32))"
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:128:f32 --expect 1=%t.out.npy,0,0
; CHECK: s_nop 0
; CHECK-NEXT: v_add_f32_dpp v{{[0-9]+}}, {{.*}} row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
; CHECK: s_waitcnt vmcnt(0)
; CHECK-NEXT: s_waitcnt vmcnt(3) lgkmcnt(0)
; CHECK-DAG: v_mov_b32_dpp v{{[0-9]+}}, {{.*}} row_shr:1 row_mask:0xa bank_mask:0xf
; CHECK-DAG: s_barrier
; CHECK: global_store_dword {{.*}} offset:256 sc0 sc1
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr float, ptr addrspace(1) %in, i32 %lane
  %x = load float, ptr addrspace(1) %in.at
  %a = call float asm "s_nop 0\0A\09v_add_f32 $0, $2, $3 row_shr:8 bound_ctrl:0 ", "=v,0,v,v"(float %x, float %x, float %x)
  %b = call float asm "v_mov_b32_dpp $0, $2 row_shr:1 row_mask:0xa bank_mask:0xf", "=v,0,v"(float %x, float %a)
  call void asm sideeffect "s_waitcnt vmcnt(0) \0A s_waitcnt lgkmcnt(0) & vmcnt(3)\0A s_barrier", "~{memory}"()
  %out.at = getelementptr float, ptr addrspace(1) %out, i32 %lane
  call void asm sideeffect "global_store_dword $0, $1, off offset:256 sc0 sc1", "v,v,~{memory}"(ptr addrspace(1) %out.at, float %b)
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
