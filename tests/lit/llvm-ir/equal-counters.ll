; Counters of a loop that are equal in every iteration are one; those that start or step otherwise stay.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: equal:
; CHECK-COUNT-1: {{s_add_i32 s[0-9]+, s[0-9]+, 7$}}
; CHECK-NOT: {{s_add_i32 s[0-9]+, s[0-9]+, 7$}}
; CHECK: s_endpgm
define amdgpu_kernel void @equal(ptr addrspace(1) inreg %out, i32 inreg %first, i32 inreg %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ %first, %entry ], [ %a.next, %loop ]
  %b = phi i32 [ %first, %entry ], [ %b.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a.at = getelementptr i32, ptr addrspace(1) %out, i32 %a
  store i32 1, ptr addrspace(1) %a.at
  %b.at = getelementptr i8, ptr addrspace(1) %out, i32 %b
  store i8 2, ptr addrspace(1) %b.at
  %a.next = add i32 %a, 7
  %b.next = add i32 %b, 7
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: different:
; CHECK-COUNT-2: {{s_add_i32 s[0-9]+, s[0-9]+, 7$}}
; CHECK: s_endpgm
define amdgpu_kernel void @different(ptr addrspace(1) inreg %out, i32 inreg %first, i32 inreg %second, i32 inreg %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ %first, %entry ], [ %a.next, %loop ]
  %b = phi i32 [ %second, %entry ], [ %b.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a.at = getelementptr i32, ptr addrspace(1) %out, i32 %a
  store i32 1, ptr addrspace(1) %a.at
  %b.at = getelementptr i8, ptr addrspace(1) %out, i32 %b
  store i8 2, ptr addrspace(1) %b.at
  %a.next = add i32 %a, 7
  %b.next = add i32 %b, 7
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A branch may lead into the loop or past it.
; CHECK-LABEL: entered:
; CHECK-COUNT-1: {{s_add_i32 s[0-9]+, s[0-9]+, 7$}}
; CHECK-NOT: {{s_add_i32 s[0-9]+, s[0-9]+, 7$}}
; CHECK: s_endpgm
define amdgpu_kernel void @entered(ptr addrspace(1) inreg %out, i32 inreg %first, i32 inreg %n, i1 inreg %any) {
entry:
  br i1 %any, label %loop, label %end
loop:
  %a = phi i32 [ %first, %entry ], [ %a.next, %loop ]
  %b = phi i32 [ %first, %entry ], [ %b.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a.at = getelementptr i32, ptr addrspace(1) %out, i32 %a
  store i32 1, ptr addrspace(1) %a.at
  %b.at = getelementptr i8, ptr addrspace(1) %out, i32 %b
  store i8 2, ptr addrspace(1) %b.at
  %a.next = add i32 %a, 7
  %b.next = add i32 %b, 7
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
