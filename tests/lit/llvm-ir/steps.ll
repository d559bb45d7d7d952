; Intrinsics that are one instruction with something beside: the steps of a quotient, products that zero wins, lanes of a mask, bytes of a word,
; buffers whose resource is words, private atomics, copies and fills of any length. Scopes of what doesn't overlap say nothing here.
; RUN: %python %S/Inputs/steps.py %t
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight waits %t.hsaco && %inflight run --check=all --kernel quotients %t.hsaco --block 64 --arg %t.a.npy --arg %t.b.npy --arg zeros:64:f32 --arg zeros:64:f64 --expect 2=%t.singles.npy,0,0 --expect 3=%t.doubles.npy,0,0 && %inflight run --check=all --kernel lanes %t.hsaco --block 64 --arg %t.a.npy --arg zeros:192:u32 --expect 1=%t.lanes.npy,0,0 && %inflight run --check=all --kernel memory %t.hsaco --block 64 --arg %t.bytes.npy --arg zeros:128000:u8 --arg i64:1900 --arg i64:93 --expect 1=%t.copied.npy,0,0 || exit 1; done
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s --check-prefix=SHORT
; RUN: sed 's/^; FLOAT8 //' %s > %t.ll && %inflight compile -mcpu=gfx942 %t.ll -o %t.hsaco && %inflight run --check=all --kernel bytes %t.hsaco --block 64 --arg %t.eighths.npy --arg zeros:64:u32 --expect 1=%t.float8.npy,0,0
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [37 x i32] poison

; As in AMD's manuals: both are scaled, the reciprocal and the quotient refined, the scale undone, special cases put in.
define amdgpu_kernel void @quotients(ptr addrspace(1) %as, ptr addrspace(1) %bs, ptr addrspace(1) %singles, ptr addrspace(1) %doubles) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a.at = getelementptr float, ptr addrspace(1) %as, i32 %lane
  %b.at = getelementptr float, ptr addrspace(1) %bs, i32 %lane
  %x = load float, ptr addrspace(1) %a.at
  %y = load float, ptr addrspace(1) %b.at
  %d.both = call { float, i1 } @llvm.amdgcn.div.scale.f32(float %x, float %y, i1 false)
  %n.both = call { float, i1 } @llvm.amdgcn.div.scale.f32(float %x, float %y, i1 true)
  %d = extractvalue { float, i1 } %d.both, 0
  %n = extractvalue { float, i1 } %n.both, 0
  %is.scaled = extractvalue { float, i1 } %n.both, 1
  %minus.d = fneg float %d
  %r = call float @llvm.amdgcn.rcp.f32(float %d)
  %e = call float @llvm.fma.f32(float %minus.d, float %r, float 1.0)
  %r2 = call float @llvm.fma.f32(float %e, float %r, float %r)
  %q = fmul float %n, %r2
  %rest = call float @llvm.fma.f32(float %minus.d, float %q, float %n)
  %q2 = call float @llvm.fma.f32(float %rest, float %r2, float %q)
  %last = call float @llvm.fma.f32(float %minus.d, float %q2, float %n)
  %fused = call float @llvm.amdgcn.div.fmas.f32(float %last, float %r2, float %q2, i1 %is.scaled)
  %quotient = call float @llvm.amdgcn.div.fixup.f32(float %fused, float %y, float %x)
  %to = getelementptr float, ptr addrspace(1) %singles, i32 %lane
  store float %quotient, ptr addrspace(1) %to
  %X = fpext float %x to double
  %Y = fpext float %y to double
  %D.both = call { double, i1 } @llvm.amdgcn.div.scale.f64(double %X, double %Y, i1 false)
  %N.both = call { double, i1 } @llvm.amdgcn.div.scale.f64(double %X, double %Y, i1 true)
  %D = extractvalue { double, i1 } %D.both, 0
  %N = extractvalue { double, i1 } %N.both, 0
  %IS.scaled = extractvalue { double, i1 } %N.both, 1
  %minus.D = fneg double %D
  %R0 = call double @llvm.amdgcn.rcp.f64(double %D)
  %E0 = call double @llvm.fma.f64(double %minus.D, double %R0, double 1.0)
  %R1 = call double @llvm.fma.f64(double %R0, double %E0, double %R0)
  %E1 = call double @llvm.fma.f64(double %minus.D, double %R1, double 1.0)
  %R2 = call double @llvm.fma.f64(double %R1, double %E1, double %R1)
  %Q = fmul double %N, %R2
  %LAST = call double @llvm.fma.f64(double %minus.D, double %Q, double %N)
  %FUSED = call double @llvm.amdgcn.div.fmas.f64(double %LAST, double %R2, double %Q, i1 %IS.scaled)
  %QUOTIENT = call double @llvm.amdgcn.div.fixup.f64(double %FUSED, double %Y, double %X)
  %TO = getelementptr double, ptr addrspace(1) %doubles, i32 %lane
  store double %QUOTIENT, ptr addrspace(1) %TO
  ret void
}

; Its short form's number is that of another instruction on these chips.
; SHORT-LABEL: lanes:
; SHORT: v_mul_legacy_f32
define amdgpu_kernel void @lanes(ptr addrspace(1) %as, ptr addrspace(1) %out) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a.at = getelementptr float, ptr addrspace(1) %as, i32 %lane
  %a = load float, ptr addrspace(1) %a.at
  %product = call float @llvm.amdgcn.fmul.legacy(float %a, float 15.0)
  %to0 = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store float %product, ptr addrspace(1) %to0
  %is.third = call i1 @llvm.amdgcn.inverse.ballot.i64(i64 u0x9249249249249249)
  %bytes = call i32 @llvm.amdgcn.groupstaticsize()
  %mode = call i32 @llvm.amdgcn.s.getreg(i32 4097)
  %round = and i32 %mode, 0
  %word = add i32 %bytes, %round
  %third = select i1 %is.third, i32 %word, i32 7
  %at1 = add i32 %lane, 64
  %to1 = getelementptr i32, ptr addrspace(1) %out, i32 %at1
  store i32 %third, ptr addrspace(1) %to1
  ; A resource of words. Its first word is added to, and its second compared and exchanged.
  %address = ptrtoint ptr addrspace(1) %out to i64
  %pair = bitcast i64 %address to <2 x i32>
  %four = shufflevector <2 x i32> %pair, <2 x i32> <i32 768, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %at2 = shl i32 %lane, 2
  %old = call i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32 %lane, <4 x i32> %four, i32 %at2, i32 512, i32 0)
  %again = call i32 @llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(i32 99, i32 5, <4 x i32> %four, i32 %at2, i32 512, i32 0)
  %use = getelementptr i32, ptr addrspace(3) @lds, i32 0
  store i32 %old, ptr addrspace(3) %use
  ret void
}

; FLOAT8 declare i32 @llvm.amdgcn.cvt.sr.fp8.f32(float, i32, i32, i32 immarg)
; FLOAT8 define amdgpu_kernel void @bytes(ptr addrspace(1) %as, ptr addrspace(1) %out) #0 {
; FLOAT8   %lane = call i32 @llvm.amdgcn.workitem.id.x()
; FLOAT8   %at = getelementptr float, ptr addrspace(1) %as, i32 %lane
; FLOAT8   %a = load float, ptr addrspace(1) %at
; FLOAT8   %w0 = call i32 @llvm.amdgcn.cvt.sr.fp8.f32(float %a, i32 0, i32 -1, i32 0)
; FLOAT8   %w1 = call i32 @llvm.amdgcn.cvt.sr.fp8.f32(float 1.0, i32 %lane, i32 %w0, i32 1)
; FLOAT8   %w2 = call i32 @llvm.amdgcn.cvt.sr.fp8.f32(float 2.0, i32 %lane, i32 %w1, i32 2)
; FLOAT8   %w3 = call i32 @llvm.amdgcn.cvt.sr.fp8.f32(float %a, i32 0, i32 %w2, i32 3)
; FLOAT8   %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
; FLOAT8   store i32 %w3, ptr addrspace(1) %to
; FLOAT8   ret void
; FLOAT8 }

; Each lane has 2000 bytes: so many are copied, moved up by 8 and filled; a counter in private memory says how often it was asked.
define amdgpu_kernel void @memory(ptr addrspace(1) %from, ptr addrspace(1) %out, i64 %copied, i64 %filled) #0 {
  %counter = alloca i32, addrspace(5)
  store volatile i32 3, ptr addrspace(5) %counter
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %begin = mul i32 %lane, 2000
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %begin
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 %copied, i1 false)
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %up = getelementptr i8, ptr addrspace(1) %to, i64 8
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 4 %up, ptr addrspace(1) align 4 %to, i64 1500, i1 false)
  %end = getelementptr i8, ptr addrspace(1) %to, i64 1907
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 1 %end, i8 77, i64 %filled, i1 false)
  %before = atomicrmw add ptr addrspace(5) %counter, i32 %lane seq_cst
  %both = cmpxchg ptr addrspace(5) %counter, i32 9, i32 20 seq_cst monotonic
  %now = load volatile i32, ptr addrspace(5) %counter
  %sum = add i32 %before, %now
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

declare void @llvm.experimental.noalias.scope.decl(metadata)
declare i32 @llvm.amdgcn.workitem.id.x()
declare { float, i1 } @llvm.amdgcn.div.scale.f32(float, float, i1 immarg)
declare { double, i1 } @llvm.amdgcn.div.scale.f64(double, double, i1 immarg)
declare float @llvm.amdgcn.rcp.f32(float)
declare double @llvm.amdgcn.rcp.f64(double)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
declare float @llvm.amdgcn.div.fmas.f32(float, float, float, i1)
declare double @llvm.amdgcn.div.fmas.f64(double, double, double, i1)
declare float @llvm.amdgcn.div.fixup.f32(float, float, float)
declare double @llvm.amdgcn.div.fixup.f64(double, double, double)
declare float @llvm.amdgcn.fmul.legacy(float, float)
declare i1 @llvm.amdgcn.inverse.ballot.i64(i64)
declare i32 @llvm.amdgcn.groupstaticsize()
declare i32 @llvm.amdgcn.s.getreg(i32 immarg)
declare i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32, <4 x i32>, i32, i32, i32 immarg)
declare i32 @llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(i32, i32, <4 x i32>, i32, i32, i32 immarg)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1 immarg)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1 immarg)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1 immarg)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
