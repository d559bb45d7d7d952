; Reductions over the lanes that are active, products of 64 bits that overflow, and the launch's sizes in its packet.
; RUN: %python %S/Inputs/reduced.py %t
; RUN: %inflight compile -mcpu=gfx90a %s -o %t.90a.hsaco && %inflight compile -mcpu=gfx950 %s -o %t.950.hsaco
; RUN: %inflight run --kernel reduced --check=all %t.90a.hsaco --block 64 --arg %t.in.npy --arg zeros:640:u32 --expect 1=%t.out.npy
; RUN: %inflight run --kernel reduced --check=all %t.950.hsaco --block 64 --arg %t.in.npy --arg zeros:640:u32 --expect 1=%t.out.npy
; RUN: %python -c "import numpy as n; n.save('%t.sizes.npy', n.array([16, 4, 2, 48, 8, 6], n.uint32))"
; RUN: %inflight run --kernel sizes --check=all %t.950.hsaco --grid 3,2,3 --block 16,4,2 --arg zeros:6:u32 --expect 0=%t.sizes.npy
; RUN: not %inflight compile -mcpu=gfx942 %S/Inputs/packet.ll -o %t.hsaco 2>&1 | FileCheck --check-prefix=PACKET %s
; PACKET: packet.ll:{{.*}}: error: not supported: 'llvm.amdgcn.dispatch.ptr'
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)

define amdgpu_kernel void @reduced(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %number = load i32, ptr addrspace(1) %at
  %there = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %third = urem i32 %lane, 3
  %isThird = icmp eq i32 %third, 0
  br i1 %isThird, label %yes, label %no
yes:
  %yes0 = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %number, i32 0)
  %yes1 = call i32 @llvm.amdgcn.wave.reduce.sub.i32(i32 %number, i32 1)
  %yes2 = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 %number, i32 2)
  %yes3 = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %number, i32 0)
  %yes4 = call i32 @llvm.amdgcn.wave.reduce.min.i32(i32 %number, i32 1)
  %yes5 = call i32 @llvm.amdgcn.wave.reduce.max.i32(i32 %number, i32 2)
  %yes6 = call i32 @llvm.amdgcn.wave.reduce.and.i32(i32 %number, i32 0)
  %yes7 = call i32 @llvm.amdgcn.wave.reduce.or.i32(i32 %number, i32 1)
  %yes8 = call i32 @llvm.amdgcn.wave.reduce.xor.i32(i32 %number, i32 2)
  br label %end
no:
  %no0 = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %number, i32 0)
  %no1 = call i32 @llvm.amdgcn.wave.reduce.sub.i32(i32 %number, i32 1)
  %no2 = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 %number, i32 2)
  %no3 = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %number, i32 0)
  %no4 = call i32 @llvm.amdgcn.wave.reduce.min.i32(i32 %number, i32 1)
  %no5 = call i32 @llvm.amdgcn.wave.reduce.max.i32(i32 %number, i32 2)
  %no6 = call i32 @llvm.amdgcn.wave.reduce.and.i32(i32 %number, i32 0)
  %no7 = call i32 @llvm.amdgcn.wave.reduce.or.i32(i32 %number, i32 1)
  %no8 = call i32 @llvm.amdgcn.wave.reduce.xor.i32(i32 %number, i32 2)
  br label %end
end:
  %r0 = phi i32 [ %yes0, %yes ], [ %no0, %no ]
  %r1 = phi i32 [ %yes1, %yes ], [ %no1, %no ]
  %r2 = phi i32 [ %yes2, %yes ], [ %no2, %no ]
  %r3 = phi i32 [ %yes3, %yes ], [ %no3, %no ]
  %r4 = phi i32 [ %yes4, %yes ], [ %no4, %no ]
  %r5 = phi i32 [ %yes5, %yes ], [ %no5, %no ]
  %r6 = phi i32 [ %yes6, %yes ], [ %no6, %no ]
  %r7 = phi i32 [ %yes7, %yes ], [ %no7, %no ]
  %r8 = phi i32 [ %yes8, %yes ], [ %no8, %no ]
  %p0 = getelementptr i32, ptr addrspace(1) %there, i32 0
  store i32 %r0, ptr addrspace(1) %p0
  %p1 = getelementptr i32, ptr addrspace(1) %there, i32 64
  store i32 %r1, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %there, i32 128
  store i32 %r2, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %there, i32 192
  store i32 %r3, ptr addrspace(1) %p3
  %p4 = getelementptr i32, ptr addrspace(1) %there, i32 256
  store i32 %r4, ptr addrspace(1) %p4
  %p5 = getelementptr i32, ptr addrspace(1) %there, i32 320
  store i32 %r5, ptr addrspace(1) %p5
  %p6 = getelementptr i32, ptr addrspace(1) %there, i32 384
  store i32 %r6, ptr addrspace(1) %p6
  %p7 = getelementptr i32, ptr addrspace(1) %there, i32 448
  store i32 %r7, ptr addrspace(1) %p7
  %p8 = getelementptr i32, ptr addrspace(1) %there, i32 512
  store i32 %r8, ptr addrspace(1) %p8
  %wide = zext i32 %number to i64
  %square = mul i64 %wide, %wide
  %wideLane = zext i32 %lane to i64
  %u = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %square, i64 %wideLane)
  %s = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %square, i64 %wideLane)
  %uBit = extractvalue { i64, i1 } %u, 1
  %sBit = extractvalue { i64, i1 } %s, 1
  %uWord = zext i1 %uBit to i32
  %sWord = select i1 %sBit, i32 2, i32 0
  %both = or i32 %uWord, %sWord
  %p9 = getelementptr i32, ptr addrspace(1) %there, i32 576
  store i32 %both, ptr addrspace(1) %p9
  ret void
}

define amdgpu_kernel void @sizes(ptr addrspace(1) %out) {
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %a0 = getelementptr i8, ptr addrspace(4) %packet, i64 4
  %v0 = load i16, ptr addrspace(4) %a0
  %w0 = zext i16 %v0 to i32
  %o0 = getelementptr i32, ptr addrspace(1) %out, i32 0
  store i32 %w0, ptr addrspace(1) %o0
  %a1 = getelementptr i8, ptr addrspace(4) %packet, i64 6
  %v1 = load i16, ptr addrspace(4) %a1
  %w1 = zext i16 %v1 to i32
  %o1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %w1, ptr addrspace(1) %o1
  %a2 = getelementptr i8, ptr addrspace(4) %packet, i64 8
  %v2 = load i16, ptr addrspace(4) %a2
  %w2 = zext i16 %v2 to i32
  %o2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %w2, ptr addrspace(1) %o2
  %a3 = getelementptr i8, ptr addrspace(4) %packet, i64 12
  %v3 = load i32, ptr addrspace(4) %a3
  %o3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %v3, ptr addrspace(1) %o3
  %a4 = getelementptr i8, ptr addrspace(4) %packet, i64 16
  %v4 = load i32, ptr addrspace(4) %a4
  %o4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %v4, ptr addrspace(1) %o4
  %a5 = getelementptr i8, ptr addrspace(4) %packet, i64 20
  %v5 = load i32, ptr addrspace(4) %a5
  %o5 = getelementptr i32, ptr addrspace(1) %out, i32 5
  store i32 %v5, ptr addrspace(1) %o5
  ret void
}
declare i32 @llvm.amdgcn.wave.reduce.add.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.sub.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.umin.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.umax.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.min.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.max.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.and.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.or.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.wave.reduce.xor.i32(i32, i32 immarg)
