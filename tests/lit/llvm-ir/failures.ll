; Blocks that report a failure in the same way are one; those in loops stay where they are. Whatever comes behind "s_trap 2" isn't there.
; RUN: %python %S/Inputs/failures.py %t
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %inflight run --kernel checked --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:u32 --expect 1=%t.checked.npy
; RUN: %inflight run --kernel loop --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:u32 --expect 1=%t.loop.npy
; RUN: not %inflight run --kernel trap %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:u32 2>&1 | FileCheck --check-prefix=TRAP %s
; TRAP: s_trap 2
; RUN: %inflight run --kernel ends --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:64:u32 --expect 1=%t.in.npy
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; The last step of the report.
; CHECK-LABEL: checked:
; CHECK: 0x1234567
; CHECK-NOT: 0x1234567
; CHECK-LABEL: loop:
; CHECK-LABEL: trap:
; CHECK: 0x1234567
; CHECK-NOT: 0x1234567
; CHECK: .amdgpu_metadata
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

define internal void @report(ptr addrspace(1) %to, i32 %line) noinline {
  %x0 = add i32 %line, 0
  %y0 = mul i32 %x0, 1664525
  %x1 = add i32 %y0, 1013904223
  %y1 = mul i32 %x1, 1664525
  %x2 = add i32 %y1, 1013904223
  %y2 = mul i32 %x2, 1664525
  %x3 = add i32 %y2, 1013904223
  %y3 = mul i32 %x3, 1664525
  %x4 = add i32 %y3, 1013904223
  %y4 = mul i32 %x4, 1664525
  %x5 = add i32 %y4, 1013904223
  %y5 = mul i32 %x5, 1664525
  %x6 = add i32 %y5, 1013904223
  %y6 = mul i32 %x6, 1664525
  %x7 = add i32 %y6, 1013904223
  %y7 = mul i32 %x7, 1664525
  %x8 = add i32 %y7, 1013904223
  %y8 = mul i32 %x8, 1664525
  %x9 = add i32 %y8, 1013904223
  %y9 = mul i32 %x9, 1664525
  %x10 = add i32 %y9, 1013904223
  %y10 = mul i32 %x10, 1664525
  %x11 = add i32 %y10, 1013904223
  %y11 = mul i32 %x11, 1664525
  %x12 = add i32 %y11, 1013904223
  %y12 = mul i32 %x12, 1664525
  %x13 = add i32 %y12, 1013904223
  %y13 = mul i32 %x13, 1664525
  %x14 = add i32 %y13, 1013904223
  %y14 = mul i32 %x14, 1664525
  %x15 = add i32 %y14, 1013904223
  %y15 = mul i32 %x15, 1664525
  %x16 = add i32 %y15, 1013904223
  %y16 = mul i32 %x16, 1664525
  %x17 = add i32 %y16, 1013904223
  %y17 = mul i32 %x17, 1664525
  %x18 = add i32 %y17, 1013904223
  %y18 = mul i32 %x18, 1664525
  %x19 = add i32 %y18, 1013904223
  %y19 = mul i32 %x19, 1664525
  %x20 = add i32 %y19, 1013904223
  %y20 = mul i32 %x20, 1664525
  %x21 = add i32 %y20, 1013904223
  %y21 = mul i32 %x21, 1664525
  %x22 = add i32 %y21, 1013904223
  %y22 = mul i32 %x22, 1664525
  %x23 = add i32 %y22, 1013904223
  %y23 = mul i32 %x23, 1664525
  %x24 = add i32 %y23, 1013904223
  %y24 = mul i32 %x24, 1664525
  %x25 = add i32 %y24, 1013904223
  %y25 = mul i32 %x25, 1664525
  %x26 = add i32 %y25, 1013904223
  %y26 = mul i32 %x26, 1664525
  %x27 = add i32 %y26, 1013904223
  %y27 = mul i32 %x27, 1664525
  %x28 = add i32 %y27, 1013904223
  %y28 = mul i32 %x28, 1664525
  %x29 = add i32 %y28, 1013904223
  %y29 = mul i32 %x29, 1664525
  %x30 = add i32 %y29, 1013904223
  %y30 = mul i32 %x30, 1664525
  %x31 = add i32 %y30, 1013904223
  %y31 = mul i32 %x31, 1664525
  %x32 = add i32 %y31, 1013904223
  %y32 = mul i32 %x32, 1664525
  %x33 = add i32 %y32, 1013904223
  %y33 = mul i32 %x33, 1664525
  %x34 = add i32 %y33, 1013904223
  %y34 = mul i32 %x34, 1664525
  %x35 = add i32 %y34, 1013904223
  %y35 = mul i32 %x35, 1664525
  %x36 = add i32 %y35, 1013904223
  %y36 = mul i32 %x36, 1664525
  %x37 = add i32 %y36, 1013904223
  %y37 = mul i32 %x37, 1664525
  %x38 = add i32 %y37, 1013904223
  %y38 = mul i32 %x38, 1664525
  %x39 = add i32 %y38, 1013904223
  %y39 = mul i32 %x39, 1664525
  %x40 = add i32 %y39, 1013904223
  %y40 = mul i32 %x40, 1664525
  %x41 = add i32 %y40, 1013904223
  %y41 = mul i32 %x41, 1664525
  %x42 = add i32 %y41, 1013904223
  %y42 = mul i32 %x42, 1664525
  %x43 = add i32 %y42, 1013904223
  %y43 = mul i32 %x43, 1664525
  %x44 = add i32 %y43, 1013904223
  %y44 = mul i32 %x44, 1664525
  %x45 = add i32 %y44, 1013904223
  %y45 = mul i32 %x45, 1664525
  %x46 = add i32 %y45, 1013904223
  %y46 = mul i32 %x46, 1664525
  %x47 = add i32 %y46, 1013904223
  %y47 = mul i32 %x47, 1664525
  %x48 = add i32 %y47, 1013904223
  %y48 = mul i32 %x48, 1664525
  %x49 = add i32 %y48, 1013904223
  %y49 = mul i32 %x49, 1664525
  %x50 = add i32 %y49, 1013904223
  %y50 = mul i32 %x50, 1664525
  %x51 = add i32 %y50, 1013904223
  %y51 = mul i32 %x51, 1664525
  %x52 = add i32 %y51, 1013904223
  %last = xor i32 %x52, 19088743
  store i32 %last, ptr addrspace(1) %to
  %isOdd = trunc i32 %line to i1
  br i1 %isOdd, label %odd, label %end
odd:
  store i32 %line, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

define amdgpu_kernel void @checked(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %there = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %v = load i32, ptr addrspace(1) %at
  %large = icmp ugt i32 %v, 200
  br i1 %large, label %fail1, label %next
fail1:
  call void @report(ptr addrspace(1) %there, i32 1)
  unreachable
next:
  %w = mul i32 %v, 3
  %uneven = and i32 %w, 8
  %is8 = icmp ne i32 %uneven, 0
  br i1 %is8, label %fail2, label %last
fail2:
  call void @report(ptr addrspace(1) %there, i32 %w)
  unreachable
last:
  %isSmall = icmp ult i32 %v, 20
  br i1 %isSmall, label %fail3, label %good
fail3:
  call void @report(ptr addrspace(1) %there, i32 3)
  unreachable
good:
  store i32 %v, ptr addrspace(1) %there
  ret void
}

define amdgpu_kernel void @loop(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %there = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next.i, %more ]
  %sum = phi i32 [ 0, %entry ], [ %next.sum, %more ]
  %place = mul i32 %i, 7
  %shifted = add i32 %place, %lane
  %inside = and i32 %shifted, 63
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %inside
  %v = load i32, ptr addrspace(1) %at
  %large = icmp ugt i32 %v, 250
  br i1 %large, label %fail1, label %second
fail1:
  call void @report(ptr addrspace(1) %there, i32 %v)
  unreachable
second:
  %isSmall = icmp ult i32 %v, 6
  br i1 %isSmall, label %fail2, label %more
fail2:
  call void @report(ptr addrspace(1) %there, i32 %i)
  unreachable
more:
  %next.sum = add i32 %sum, %v
  %next.i = add i32 %i, 1
  %continues = icmp ult i32 %next.i, 5
  br i1 %continues, label %body, label %end
end:
  store i32 %next.sum, ptr addrspace(1) %there
  ret void
}

define amdgpu_kernel void @trap(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %there = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %v = load i32, ptr addrspace(1) %at
  %large = icmp ugt i32 %v, 200
  br i1 %large, label %fail, label %good
fail:
  call void @report(ptr addrspace(1) %there, i32 %v)
  call void asm sideeffect "s_trap 2", ""()
  call void @report(ptr addrspace(1) %there, i32 %lane)
  call void asm sideeffect "s_trap 2", ""()
  br label %good
good:
  store i32 %v, ptr addrspace(1) %there
  ret void
}

; Without a branch.
define amdgpu_kernel void @ends(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %there = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  %v = load i32, ptr addrspace(1) %at
  store i32 %v, ptr addrspace(1) %there
  unreachable
}
