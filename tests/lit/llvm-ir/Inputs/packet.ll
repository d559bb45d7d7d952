target triple = "amdgcn-amd-amdhsa"
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %at = getelementptr i8, ptr addrspace(4) %packet, i64 40
  %kernarg = load i64, ptr addrspace(4) %at
  store i64 %kernarg, ptr addrspace(1) %out
  ret void
}
