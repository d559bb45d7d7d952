; Quotients of bfloat are right to the last bit, also where a reciprocal would be denormal or infinite.
; RUN: %python %S/Inputs/quotients.py %t
; RUN: for c in gfx90a gfx950; do %inflight compile -mcpu=$c %s -o %t.hsaco && %inflight run %t.hsaco --grid 64 --block 64 --arg %t.a.npy --arg %t.b.npy --arg zeros:4096:u16 --expect 2=%t.out.npy,0,0 || exit 1; done
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %as, ptr addrspace(1) %bs, ptr addrspace(1) %out) {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %base = mul i32 %group, 64
  %at = add i32 %base, %lane
  %a.at = getelementptr bfloat, ptr addrspace(1) %as, i32 %at
  %b.at = getelementptr bfloat, ptr addrspace(1) %bs, i32 %at
  %out.at = getelementptr bfloat, ptr addrspace(1) %out, i32 %at
  %a = load bfloat, ptr addrspace(1) %a.at
  %b = load bfloat, ptr addrspace(1) %b.at
  %quotient = fdiv bfloat %a, %b
  store bfloat %quotient, ptr addrspace(1) %out.at
  ret void
}
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
