; What inline assembly leaves in vector registers differs between lanes, whatever it is made from; negative numbers stay negative.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; l = n.arange(64); n.save('%t.npy', n.where(l > 60, 7, 0).astype(n.int32)); n.save('%t.half.npy', n.where(l < 64, -0.5 * (l + 1), 0).astype(n.float32))"
; RUN: %inflight run --kernel branch --check=all %t.hsaco --block 64 --arg zeros:64:i32 --arg i32:60 --expect 0=%t.npy
; RUN: %inflight run --kernel numbers --check=all %t.hsaco --block 64 --arg zeros:64:f32 --expect 0=%t.half.npy
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; CHECK: v_mbcnt_lo_u32_b32 v0, -1, 0
; CHECK: s_and_saveexec_b64
; A register of the hardware, by numbers.
; CHECK-LABEL: wave:
; CHECK: s_getreg_b32 s{{[0-9]+}}, 0x1a04
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @branch(ptr addrspace(1) %out, i32 %n) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 asm "v_mbcnt_lo_u32_b32 $0, -1, 0\0Av_mbcnt_hi_u32_b32 $0, -1, $0", "=&v"()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %large = icmp ugt i32 %lane, %n
  br i1 %large, label %yes, label %no
yes:
  store i32 7, ptr addrspace(1) %at
  br label %no
no:
  ret void
}
define amdgpu_kernel void @numbers(ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 asm "v_mbcnt_lo_u32_b32 $0, -1, 0\0Av_mbcnt_hi_u32_b32 $0, -1, $0", "=&v"()
  %next = add i32 %lane, 1
  %number = uitofp i32 %next to float
  %product = call float asm "v_mul_f32 $0, -0.5, $1", "=v,v"(float %number)
  %same = call float asm "v_mul_f32 $0, -$1, -$2", "=v,v,v"(float %product, float 1.0)
  %at = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %same, ptr addrspace(1) %at
  ret void
}
define amdgpu_kernel void @wave(ptr addrspace(1) %out) {
  %unit = call i32 asm "s_getreg_b32 $0, hwreg(4, 8, 4)", "=r"()
  store i32 %unit, ptr addrspace(1) %out
  ret void
}
