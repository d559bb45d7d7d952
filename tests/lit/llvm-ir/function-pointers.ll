; A function that is called by a pointer in a variable, as unoptimised code does, is inlined once the variable is a value.
; RUN: %python -c "import numpy as n; n.save('%t.out.npy', n.array([3 * i + 1 if i < 40 else 0 for i in range(64)], n.uint32))"
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %inflight run %t.hsaco --check=all --block 64 --arg zeros:64:u32 --expect 0=%t.out.npy,0,0
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

define internal void @body(ptr %out, i32 %i) {
  %at = getelementptr i32, ptr %out, i32 %i
  %triple = mul i32 %i, 3
  %value = add i32 %triple, 1
  store i32 %value, ptr %at
  ret void
}

define internal void @for_each(ptr %out, i32 %count, ptr %function) {
  %variable = alloca ptr, addrspace(5)
  %generic = addrspacecast ptr addrspace(5) %variable to ptr
  store ptr %function, ptr %generic
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %inside = icmp ult i32 %i, %count
  br i1 %inside, label %do, label %done
do:
  %called = load ptr, ptr %generic
  call void %called(ptr %out, i32 %i)
  br label %done
done:
  ret void
}

define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %generic = addrspacecast ptr addrspace(1) %out to ptr
  call void @for_each(ptr %generic, i32 40, ptr @body)
  ret void
}
