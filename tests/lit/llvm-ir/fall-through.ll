; Switches whose cases run into the next ones: one comparison for each section, and their loads in flight together.
; RUN: %python %S/Inputs/fall_through.py %t
; RUN: for c in gfx90a gfx942 gfx950; do %inflight compile -mcpu=$c --verify-each %s -o %t.hsaco && for k in tail scattered; do %inflight run %t.hsaco --kernel $k --grid 4 --block 64 --arg %t.in.npy --arg zeros:256:u32 --expect 1=%t.$k.npy,0,0 || exit 1; done; done
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()

; CHECK-LABEL: tail:
; CHECK: v_cmp_eq_u32 {{.*}}, 7
; CHECK: v_cmp_ge_u32 {{.*}}, 6
; CHECK: v_cmp_ge_u32 {{.*}}, 5
; CHECK: global_load_dword {{.*}} offset:28
; CHECK-NOT: s_waitcnt
; CHECK: global_load_dword {{.*}} offset:24
; CHECK-NOT: s_waitcnt
; CHECK: global_load_dword {{.*}} offset:20
; CHECK: v_cmp_ge_u32 {{.*}}, 4
; CHECK: v_cmp_ge_u32 {{.*}}, 3
; CHECK: v_cmp_ge_u32 {{.*}}, 2
; CHECK: v_cmp_ge_u32 {{.*}}, 1
; CHECK-NOT: v_cmp
; CHECK: s_endpgm
define amdgpu_kernel void @tail(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = shl i32 %group, 6
  %i = add i32 %lane, %base
  %row = getelementptr [8 x i32], ptr addrspace(1) %in, i32 %i
  %first = load i32, ptr addrspace(1) %row
  %kind = and i32 %first, 7
  switch i32 %kind, label %end [
    i32 7, label %s7
    i32 6, label %s6
    i32 5, label %s5
    i32 4, label %s4
    i32 3, label %s3
    i32 2, label %s2
    i32 1, label %s1
  ]

s7:
  %a7 = getelementptr i32, ptr addrspace(1) %row, i32 7
  %l7 = load i32, ptr addrspace(1) %a7
  %h7 = shl i32 %l7, 24
  %x7 = xor i32 0, %h7
  br label %s6

s6:
  %p6 = phi i32 [ 0, %entry ], [ %x7, %s7 ]
  %a6 = getelementptr i32, ptr addrspace(1) %row, i32 6
  %l6 = load i32, ptr addrspace(1) %a6
  %h6 = shl i32 %l6, 16
  %x6 = xor i32 %p6, %h6
  br label %s5

s5:
  %p5 = phi i32 [ 0, %entry ], [ %x6, %s6 ]
  %a5 = getelementptr i32, ptr addrspace(1) %row, i32 5
  %l5 = load i32, ptr addrspace(1) %a5
  %h5 = shl i32 %l5, 8
  %x5 = xor i32 %p5, %h5
  br label %s4

s4:
  %p4 = phi i32 [ 0, %entry ], [ %x5, %s5 ]
  %a4 = getelementptr i32, ptr addrspace(1) %row, i32 4
  %l4 = load i32, ptr addrspace(1) %a4
  %h4 = shl i32 %l4, 0
  %x4 = xor i32 %p4, %h4
  %m4 = mul i32 %x4, -1640531535
  br label %s3

s3:
  %p3 = phi i32 [ 0, %entry ], [ %m4, %s4 ]
  %a3 = getelementptr i32, ptr addrspace(1) %row, i32 3
  %l3 = load i32, ptr addrspace(1) %a3
  %h3 = shl i32 %l3, 24
  %x3 = xor i32 %p3, %h3
  br label %s2

s2:
  %p2 = phi i32 [ 0, %entry ], [ %x3, %s3 ]
  %a2 = getelementptr i32, ptr addrspace(1) %row, i32 2
  %l2 = load i32, ptr addrspace(1) %a2
  %h2 = shl i32 %l2, 16
  %x2 = xor i32 %p2, %h2
  br label %s1

s1:
  %p1 = phi i32 [ 0, %entry ], [ %x2, %s2 ]
  %a1 = getelementptr i32, ptr addrspace(1) %row, i32 1
  %l1 = load i32, ptr addrspace(1) %a1
  %h1 = shl i32 %l1, 8
  %x1 = xor i32 %p1, %h1
  %m1 = mul i32 %x1, -1640531535
  br label %end

end:
  %result = phi i32 [ 0, %entry ], [ %m1, %s1 ]
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %result, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: scattered:
define amdgpu_kernel void @scattered(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = shl i32 %group, 6
  %i = add i32 %lane, %base
  %row = getelementptr [8 x i32], ptr addrspace(1) %in, i32 %i
  %first = load i32, ptr addrspace(1) %row
  %at = getelementptr i32, ptr addrspace(1) %row, i32 1
  %value = load i32, ptr addrspace(1) %at
  %kind = urem i32 %first, 12
  switch i32 %kind, label %c [
    i32 9, label %a
    i32 2, label %b
    i32 5, label %d
    i32 3, label %alone
    i32 7, label %other
  ]
a:
  %a5 = mul i32 %value, 5
  br label %b
b:
  %pb = phi i32 [ %value, %entry ], [ %a5, %a ]
  %b5 = mul i32 %pb, 5
  %b6 = add i32 %b5, 1
  br label %c
c:
  %pc = phi i32 [ %value, %entry ], [ %b6, %b ]
  %c5 = mul i32 %pc, 5
  %c6 = add i32 %c5, 2
  br label %d
d:
  %pd = phi i32 [ %value, %entry ], [ %c6, %c ]
  %d5 = mul i32 %pd, 5
  %d6 = add i32 %d5, 3
  br label %end
alone:
  %three = mul i32 %value, 3
  br label %end
other:
  %flipped = xor i32 %value, 1431655765
  br label %end
end:
  %result = phi i32 [ %d6, %d ], [ %three, %alone ], [ %flipped, %other ]
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %result, ptr addrspace(1) %to
  ret void
}
