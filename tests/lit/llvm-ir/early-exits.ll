; What waves that end at once don't need comes behind the branch that tells them, if that waits for no load itself and all lanes take it together.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()

; CHECK-LABEL: early:
; CHECK: s_cmp_lt_u32
; CHECK-NOT: s_load_dword s{{[0-9]+}}, {{.*}}, 0x7c
; CHECK: s_cbranch
; CHECK: s_load_dword s{{[0-9]+}}, {{.*}}, 0x7c
define amdgpu_kernel void @early(ptr addrspace(1) inreg %in, ptr addrspace(1) inreg %out) {
  %at = getelementptr i8, ptr addrspace(1) %in, i64 124
  %number = load i32, ptr addrspace(1) %at, !invariant.load !0
  %twice = mul i32 %number, 2
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %works = icmp ult i32 %group, 8
  br i1 %works, label %work, label %end
work:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %group
  store i32 %twice, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; The branch waits for a load.
; CHECK-LABEL: late:
; CHECK-DAG: s_load_dword s{{[0-9]+}}, {{.*}}, 0x7c
; CHECK-DAG: s_load_dword s{{[0-9]+}}, {{.*}}, 0
; CHECK: s_cbranch
define amdgpu_kernel void @late(ptr addrspace(1) inreg %in, ptr addrspace(1) inreg %out) {
  %at = getelementptr i8, ptr addrspace(1) %in, i64 124
  %number = load i32, ptr addrspace(1) %at, !invariant.load !0
  %most = load i32, ptr addrspace(1) %in, !invariant.load !0
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %works = icmp ult i32 %group, %most
  br i1 %works, label %work, label %end
work:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %group
  store i32 %number, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; Lanes end by themselves.
; CHECK-LABEL: lanes:
; CHECK: s_load_dword s{{[0-9]+}}, {{.*}}, 0x7c
; CHECK: exec
define amdgpu_kernel void @lanes(ptr addrspace(1) inreg %in, ptr addrspace(1) inreg %out) {
  %at = getelementptr i8, ptr addrspace(1) %in, i64 124
  %number = load i32, ptr addrspace(1) %at, !invariant.load !0
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %works = icmp ult i32 %lane, 8
  br i1 %works, label %work, label %end
work:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %number, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; What is loaded isn't what is there after the store, which waits for that.
; CHECK-LABEL: overwritten:
; CHECK: s_load_dword s{{[0-9]+}}, {{.*}}, 0x7c
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK: global_store_dword {{.*}} offset:124
; CHECK: s_cbranch
define amdgpu_kernel void @overwritten(ptr addrspace(1) inreg %in, ptr addrspace(1) inreg %out) {
  %at = getelementptr i8, ptr addrspace(1) %in, i64 124
  %number = load i32, ptr addrspace(1) %at
  store i32 7, ptr addrspace(1) %at
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %works = icmp ult i32 %group, 8
  br i1 %works, label %work, label %end
work:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %group
  store i32 %number, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
!0 = !{}
