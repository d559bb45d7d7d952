; RUN: inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; Halves of words become the upper halves of others in one instruction each; a literal that two sums share is in a
; register, so that three operands are added at once.
; CHECK-LABEL: widened:
; CHECK: global_load_dword [[WORD:v[0-9]+]],
; CHECK: s_mov_b32 [[LITERAL:s[0-9]+]], 0x7fff
; CHECK-DAG: v_lshlrev_b32 v{{[0-9]+}}, 16, [[WORD]]
; CHECK-DAG: v_and_b32 v{{[0-9]+}}, 0xffff0000, [[WORD]]
; CHECK-DAG: v_add3_u32 v{{[0-9]+}}, [[LITERAL]], v
; CHECK-NOT: 0xffff,
; CHECK: s_endpgm
define amdgpu_kernel void @widened(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr <2 x i16>, ptr addrspace(1) %p, i64 %i
  %h = load <2 x i16>, ptr addrspace(1) %q, align 4
  %w = zext <2 x i16> %h to <2 x i32>
  %s = shl nuw <2 x i32> %w, splat (i32 16)
  %f = bitcast <2 x i32> %s to <2 x float>
  %g = fmul <2 x float> %f, splat (float 3.0)
  %b = bitcast <2 x float> %g to <2 x i32>
  %lsb = lshr <2 x i32> %b, splat (i32 16)
  %odd = and <2 x i32> %lsb, splat (i32 1)
  %more = add <2 x i32> %b, splat (i32 32767)
  %r = add <2 x i32> %more, %odd
  %u = lshr <2 x i32> %r, splat (i32 16)
  %n = trunc <2 x i32> %u to <2 x i16>
  store <2 x i16> %n, ptr addrspace(1) %q, align 4
  ret void
}

; Not all of what is shifted out is masked, and down by another number than up.
; CHECK-LABEL: kept:
; CHECK-DAG: v_and_b32 [[MASKED:v[0-9]+]], 0xff,
; CHECK-DAG: v_lshlrev_b32 v{{[0-9]+}}, 16, [[MASKED]]
; CHECK: s_endpgm
define amdgpu_kernel void @kept(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %w = load i32, ptr addrspace(1) %q, align 4
  %m = and i32 %w, 255
  %s = shl i32 %m, 16
  %d = lshr i32 %w, 9
  %e = shl i32 %d, 12
  %x = xor i32 %s, %e
  store i32 %x, ptr addrspace(1) %q, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
