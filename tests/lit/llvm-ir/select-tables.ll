; What a number of 0 to 7 selects is looked up by v_perm_b32, as in conversions of eight-bit floats; a number that all lanes have in common, three
; links, and a table that has a gap are compared link by link.
; RUN: %inflight compile -mcpu=gfx942 --emit=asm %s -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-LABEL: {{^}}subnormal:
; CHECK-NOT:   v_cmp_eq
; CHECK:       v_cmp_lt_u32 {{.*}}, v{{[0-9]+}}, 5
; CHECK:       v_lshl_or_b32 [[SELECTOR:v[0-9]+]], v{{[0-9]+}}, 8, s{{[0-9]+}}
; CHECK:       v_perm_b32 v{{[0-9]+}}, {{.*}}, [[SELECTOR]]
; CHECK:       v_cndmask_b32
; CHECK-NOT:   v_cmp
; CHECK:       s_endpgm
define amdgpu_kernel void @subnormal(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i8, ptr addrspace(1) %in, i32 %lane
  %x = load i8, ptr addrspace(1) %at
  %wide = zext i8 %x to i16
  %is0 = icmp eq i8 %x, 0
  %r0 = select i1 %is0, i16 0, i16 %wide
  %is1 = icmp eq i8 %x, 1
  %r1 = select i1 %is1, i16 6144, i16 %r0
  %is2 = icmp ne i8 %x, 2
  %r2 = select i1 %is2, i16 %r1, i16 7168
  %is3 = icmp eq i8 %x, 3
  %r3 = select i1 %is3, i16 7680, i16 %r2
  %is4 = icmp eq i8 %x, 4
  %r4 = select i1 %is4, i16 8192, i16 %r3
  %to = getelementptr i16, ptr addrspace(1) %out, i32 %lane
  store i16 %r4, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: {{^}}gap:
; CHECK-NOT:   v_perm_b32
; CHECK:       s_endpgm
define amdgpu_kernel void @gap(ptr addrspace(1) %in, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %at
  %is0 = icmp eq i32 %x, 0
  %r0 = select i1 %is0, i32 90, i32 %x
  %is1 = icmp eq i32 %x, 1
  %r1 = select i1 %is1, i32 80, i32 %r0
  %is2 = icmp eq i32 %x, 3
  %r2 = select i1 %is2, i32 70, i32 %r1
  %is4 = icmp eq i32 %x, 4
  %r4 = select i1 %is4, i32 60, i32 %r2
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %r4, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: {{^}}uniform:
; CHECK-NOT:   v_perm_b32
; CHECK:       s_endpgm
define amdgpu_kernel void @uniform(i32 %x, ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %is0 = icmp eq i32 %x, 0
  %r0 = select i1 %is0, i32 90, i32 %x
  %is1 = icmp eq i32 %x, 1
  %r1 = select i1 %is1, i32 80, i32 %r0
  %is2 = icmp eq i32 %x, 2
  %r2 = select i1 %is2, i32 70, i32 %r1
  %is4 = icmp eq i32 %x, 3
  %r4 = select i1 %is4, i32 60, i32 %r2
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %r4, ptr addrspace(1) %to
  ret void
}
