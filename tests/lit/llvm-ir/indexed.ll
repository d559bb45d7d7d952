; Elements of vectors by an index that all lanes have: a move by the index reads or writes the register. Indices that lanes have by themselves, few elements and what is the same in all lanes choose among the elements.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python %S/Inputs/indexed.py %t
; RUN: %inflight run --check=all %t.hsaco --kernel singles --block 64 --arg %t.in.npy --arg zeros:1152:f32 --arg i32:5 --expect 1=%t.singles.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel doubles --block 64 --arg %t.in.npy --arg zeros:256:f64 --arg i32:2 --expect 1=%t.doubles.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel loop --block 64 --arg %t.in.npy --arg zeros:1024:f32 --arg i32:11 --expect 1=%t.loop.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel product --block 64 --arg %t.in.npy --arg zeros:64:f32 --arg i32:9 --expect 1=%t.product.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel outside --block 64 --arg %t.in.npy --arg zeros:64:f32 --arg i32:-1
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-LABEL: singles:
; CHECK: s_min_u32 [[AT:s[0-9]+]], s{{[0-9]+}}, 15
; CHECK: s_set_gpr_idx_on [[AT]], {{1|gpr_idx\(SRC0\)}}
; CHECK: v_mov_b32
; CHECK-NEXT: s_set_gpr_idx_off
; CHECK: s_set_gpr_idx_on [[AT]], {{8|gpr_idx\(DST\)}}
; CHECK: v_mov_b32
; CHECK-NEXT: s_set_gpr_idx_off
; CHECK-NOT: v_cndmask
; CHECK: s_endpgm
define amdgpu_kernel void @singles(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %lane
  %v = load <16 x float>, ptr addrspace(1) %in.at
  %e = extractelement <16 x float> %v, i32 %n
  %twice = fmul float %e, 2.0
  %w = insertelement <16 x float> %v, float %twice, i32 %n
  %out.at = getelementptr <16 x float>, ptr addrspace(1) %out, i32 %lane
  store <16 x float> %w, ptr addrspace(1) %out.at
  %more = getelementptr float, ptr addrspace(1) %out, i32 1024
  %more.at = getelementptr float, ptr addrspace(1) %more, i32 %lane
  store float %e, ptr addrspace(1) %more.at
  ret void
}

; CHECK-LABEL: doubles:
; CHECK: s_set_gpr_idx_on
; CHECK-NEXT: v_mov_b32
; CHECK-NEXT: v_mov_b32
; CHECK-NEXT: s_set_gpr_idx_off
; CHECK: s_endpgm
define amdgpu_kernel void @doubles(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %lane
  %v = load <4 x float>, ptr addrspace(1) %in.at
  %d = fpext <4 x float> %v to <4 x double>
  %e = extractelement <4 x double> %d, i32 %n
  %r = fdiv double 1.0, %e
  %w = insertelement <4 x double> %d, double %r, i32 %n
  %out.at = getelementptr <4 x double>, ptr addrspace(1) %out, i32 %lane
  store <4 x double> %w, ptr addrspace(1) %out.at
  ret void
}

; Carried by a loop, changed by some lanes.
; CHECK-LABEL: loop:
; CHECK: s_set_gpr_idx_on
; CHECK: s_endpgm
define amdgpu_kernel void @loop(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %lane
  %first = load <16 x float>, ptr addrspace(1) %in.at
  %odd = trunc i32 %lane to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %tail ]
  %v = phi <16 x float> [ %first, %entry ], [ %kept, %tail ]
  br i1 %odd, label %change, label %tail
change:
  %e = extractelement <16 x float> %v, i32 %i
  %j = add i32 %i, 1
  %f = extractelement <16 x float> %v, i32 %j
  %sum = fadd float %e, %f
  %w = insertelement <16 x float> %v, float %sum, i32 %j
  br label %tail
tail:
  %kept = phi <16 x float> [ %v, %head ], [ %w, %change ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %head, label %end
end:
  %out.at = getelementptr <16 x float>, ptr addrspace(1) %out, i32 %lane
  store <16 x float> %kept, ptr addrspace(1) %out.at
  ret void
}

; CHECK-LABEL: outside:
; CHECK: s_min_u32
; CHECK: s_endpgm
define amdgpu_kernel void @outside(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %lane
  %v = load <8 x float>, ptr addrspace(1) %in.at
  %e = extractelement <8 x float> %v, i32 %n
  %out.at = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %e, ptr addrspace(1) %out.at
  ret void
}

; A product's words are there as late as matrix instructions give them, whichever is read.
; CHECK-LABEL: product:
; CHECK: v_mfma_f32_32x32x2_f32
; CHECK: s_set_gpr_idx_on
; CHECK-NEXT: s_nop 15
; CHECK-NEXT: s_nop 0
; CHECK-NEXT: v_mov_b32
; CHECK: s_endpgm
define amdgpu_kernel void @product(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %lane
  %a = load float, ptr addrspace(1) %in.at
  %v = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x2f32(float %a, float %a, <16 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %e = extractelement <16 x float> %v, i32 %n
  %out.at = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %e, ptr addrspace(1) %out.at
  ret void
}
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x2f32(float, float, <16 x float>, i32, i32, i32)

; CHECK-LABEL: lanes:
; CHECK-NOT: s_set_gpr_idx_on
; CHECK: s_endpgm
define amdgpu_kernel void @lanes(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in.at = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %lane
  %v = load <8 x float>, ptr addrspace(1) %in.at
  %n = and i32 %lane, 7
  %e = extractelement <8 x float> %v, i32 %n
  %out.at = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %e, ptr addrspace(1) %out.at
  ret void
}
