; Generic pointers to a place in LDS that is constant, and one that comes to a phi or a select from both sides: accesses are of LDS.
; RUN: %inflight compile -mcpu=gfx90a %s -o %t.hsaco && %inflight compile -mcpu=gfx90a %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.array([7, 7, 9, 7], n.int32))"
; RUN: %inflight run --check=all %t.hsaco --block 1 --arg zeros:4:i32 --arg i32:5 --expect 0=%t.npy,0,0
; CHECK-NOT: flat_{{load|store}}
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [8 x i32] poison

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) {
entry:
  %generic = addrspacecast ptr addrspace(3) @lds to ptr
  %second = getelementptr [8 x i32], ptr %generic, i64 0, i64 1
  %third = getelementptr i32, ptr %second, i64 1
  store i32 7, ptr %second
  store i32 9, ptr %third
  %large = icmp sgt i32 %n, 3
  br i1 %large, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  %either = phi ptr [ %second, %yes ], [ %second, %no ]
  %a = load i32, ptr %either
  %chosen = select i1 %large, ptr %second, ptr %second
  %b = load i32, ptr %chosen
  %c = load i32, ptr %third
  %d = load i32, ptr %second
  store i32 %a, ptr addrspace(1) %out
  %out1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %b, ptr addrspace(1) %out1
  %out2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %c, ptr addrspace(1) %out2
  %out3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %d, ptr addrspace(1) %out3
  ret void
}
