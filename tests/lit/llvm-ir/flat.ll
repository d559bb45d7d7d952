; Generic pointers of several address spaces: FLAT instructions, and branches by the address for what is ordered. Each lane's even elements
; are in LDS, its odd ones in private memory; then through pointers that were stored.
; RUN: %inflight compile -mcpu=gfx90a %s -o %t.90a.hsaco && %inflight compile -mcpu=gfx942 %s -o %t.942.hsaco && %inflight compile -mcpu=gfx950 %s -o %t.950.hsaco
; RUN: %python -c "import numpy as n; l = n.arange(64); n.save('%t.npy', n.concatenate([l * 3 + 5, l * 7 + 1, l + 1000, l + 11, l % 2 + 4 * (l % 4 // 2)]).astype(n.uint32))"
; RUN: %inflight run --kernel mixed --check=all %t.90a.hsaco --block 64 --arg zeros:320:u32 --expect 0=%t.npy
; RUN: %inflight run --kernel mixed --check=all %t.942.hsaco --block 64 --arg zeros:320:u32 --expect 0=%t.npy
; RUN: %inflight run --kernel mixed --check=all %t.950.hsaco --block 64 --arg zeros:320:u32 --expect 0=%t.npy
; RUN: %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; CHECK-LABEL: mixed:
; CHECK: s_mov_b64 s[{{.*}}], src_shared_base
; CHECK: s_mov_b64 s[{{.*}}], src_private_base
; CHECK: flat_store_dword v
; CHECK: flat_load_dword v
; CHECK: ds_add_rtn_u32
; Sizes of a load and a store, and null pointers.
; RUN: %python -c "import numpy as n; n.save('%t.sizes.npy', n.array([0x11, 0x2222, 0x33333333, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1, 1, 0, 0xffffffff], n.uint32))"
; RUN: %inflight run --kernel sizes --check=all %t.90a.hsaco --block 1 --arg zeros:17:u32 --arg i32:1 --expect 0=%t.sizes.npy
; RUN: %inflight run --kernel sizes --check=all %t.942.hsaco --block 1 --arg zeros:17:u32 --arg i32:0 --expect 0=%t.sizes.npy
; What is only of global memory stays so, beside generic pointers that aren't.
; CHECK-LABEL: beside:
; CHECK: global_load_dword
; CHECK: global_store_dword
; CHECK: flat_load_dword
; Private memory that only its variables' places are known of is no memory.
; CHECK-LABEL: inlined:
; CHECK-NOT: scratch_
; CHECK-NOT: flat_load
; CHECK: s_endpgm
target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [64 x i32] poison
@pointers = internal addrspace(3) global [64 x ptr] poison
@bytes = internal addrspace(3) global [64 x i8] poison, align 16
declare i32 @llvm.amdgcn.workitem.id.x()
declare i1 @llvm.amdgcn.is.shared(ptr)
declare i1 @llvm.amdgcn.is.private(ptr)

define amdgpu_kernel void @mixed(ptr addrspace(1) %out) "amdgpu-flat-work-group-size"="64,64" {
  %own = alloca [2 x i32], addrspace(5)
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %second = getelementptr i32, ptr addrspace(5) %own, i32 1
  %there = getelementptr i32, ptr addrspace(3) @lds, i32 %lane
  %a = addrspacecast ptr addrspace(5) %second to ptr
  %b = addrspacecast ptr addrspace(3) %there to ptr
  %bit = and i32 %lane, 1
  %odd = icmp ne i32 %bit, 0
  %p = select i1 %odd, ptr %a, ptr %b
  %three = mul i32 %lane, 3
  %value = add i32 %three, 5
  store i32 %value, ptr %p
  %loaded = load i32, ptr %p
  %out0 = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %loaded, ptr addrspace(1) %out0
  ; Through memory.
  %where = getelementptr ptr, ptr addrspace(3) @pointers, i32 %lane
  store ptr %p, ptr addrspace(3) %where
  %seven = mul i32 %lane, 7
  %value1 = add i32 %seven, 1
  %q = load ptr, ptr addrspace(3) %where
  store i32 %value1, ptr %q
  %specific = load i32, ptr addrspace(3) %there
  %specific5 = load i32, ptr addrspace(5) %second
  %either = select i1 %odd, i32 %specific5, i32 %specific
  %out1 = getelementptr i32, ptr addrspace(1) %out0, i32 64
  store i32 %either, ptr addrspace(1) %out1
  ; An atomic, of which there is none for private memory, and global memory by the same kind of pointer.
  %third = urem i32 %lane, 3
  %isThird = icmp eq i32 %third, 0
  %out2 = getelementptr i32, ptr addrspace(1) %out0, i32 128
  %generic = addrspacecast ptr addrspace(1) %out2 to ptr
  %any = select i1 %isThird, ptr %generic, ptr %q
  %start = add i32 %lane, 990
  store volatile i32 %start, ptr %any
  %before = atomicrmw add ptr %any, i32 10 monotonic
  %now = load atomic i32, ptr %any monotonic, align 4
  store i32 %now, ptr addrspace(1) %out2
  %sum = sub i32 %before, 979
  %out3 = getelementptr i32, ptr addrspace(1) %out0, i32 192
  store i32 %sum, ptr addrspace(1) %out3
  ; Questions: an odd lane's is private; every second pair of lanes asks of a global one.
  %half = and i32 %lane, 2
  %asksGlobal = icmp ne i32 %half, 0
  %asked = select i1 %asksGlobal, ptr %generic, ptr %q
  %shared = call i1 @llvm.amdgcn.is.shared(ptr %asked)
  %private = call i1 @llvm.amdgcn.is.private(ptr %asked)
  %neither = or i1 %shared, %private
  %isGlobal = xor i1 %neither, true
  %privateBit = zext i1 %private to i32
  %globalBit = select i1 %isGlobal, i32 4, i32 0
  %oddBit = select i1 %isGlobal, i32 %bit, i32 %privateBit
  %answer = or i32 %oddBit, %globalBit
  %out4 = getelementptr i32, ptr addrspace(1) %out0, i32 256
  store i32 %answer, ptr addrspace(1) %out4
  ret void
}

define amdgpu_kernel void @sizes(ptr addrspace(1) %out, i32 %isPrivate) {
  %own = alloca [64 x i8], align 16, addrspace(5)
  %a = addrspacecast ptr addrspace(5) %own to ptr
  %b = addrspacecast ptr addrspace(3) @bytes to ptr
  %c = icmp ne i32 %isPrivate, 0
  %p = select i1 %c, ptr %a, ptr %b
  store i8 17, ptr %p
  %p2 = getelementptr i8, ptr %p, i32 2
  store i16 8738, ptr %p2
  %p4 = getelementptr i8, ptr %p, i32 4
  store float f0x33333333, ptr %p4
  %p8 = getelementptr i8, ptr %p, i32 8
  store i64 21474836484, ptr %p8
  %p16 = getelementptr i8, ptr %p, i32 16
  store <3 x i32> <i32 6, i32 7, i32 8>, ptr %p16
  %p32 = getelementptr i8, ptr %p, i32 32
  store <4 x i32> <i32 9, i32 10, i32 11, i32 12>, ptr %p32
  %p48 = getelementptr i8, ptr %p, i32 48
  store ptr inttoptr (i64 13 to ptr), ptr %p48
  %v0 = load i8, ptr %p
  %v2 = load i16, ptr %p2
  %v4 = load float, ptr %p4
  %v8 = load <2 x i32>, ptr %p8
  %v16 = load <3 x i32>, ptr %p16
  %v32 = load <4 x i32>, ptr %p32
  %v48 = load ptr, ptr %p48
  %w0 = zext i8 %v0 to i32
  %w2 = zext i16 %v2 to i32
  %w48 = ptrtoint ptr %v48 to i32
  store i32 %w0, ptr addrspace(1) %out
  %o1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %w2, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store float %v4, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store <2 x i32> %v8, ptr addrspace(1) %o3, align 4
  %o5 = getelementptr i32, ptr addrspace(1) %out, i32 5
  store <3 x i32> %v16, ptr addrspace(1) %o5, align 4
  %o8 = getelementptr i32, ptr addrspace(1) %out, i32 8
  store <4 x i32> %v32, ptr addrspace(1) %o8, align 4
  %o12 = getelementptr i32, ptr addrspace(1) %out, i32 12
  store i32 %w48, ptr addrspace(1) %o12
  ; Back to the space; null pointers both ways.
  %back3 = addrspacecast ptr %p to ptr addrspace(3)
  %back5 = addrspacecast ptr %p to ptr addrspace(5)
  %same3 = icmp eq ptr addrspace(3) %back3, @bytes
  %same5 = icmp eq ptr addrspace(5) %back5, %own
  %same = select i1 %c, i1 %same5, i1 %same3
  %sameWord = zext i1 %same to i32
  %o13 = getelementptr i32, ptr addrspace(1) %out, i32 13
  store i32 %sameWord, ptr addrspace(1) %o13
  %number = sub i32 %isPrivate, 1
  %minus = or i32 %number, -1
  %null3 = inttoptr i32 %minus to ptr addrspace(3)
  %null = addrspacecast ptr addrspace(3) %null3 to ptr
  %isNull = icmp eq ptr %null, null
  %isNullWord = zext i1 %isNull to i32
  %o14 = getelementptr i32, ptr addrspace(1) %out, i32 14
  store i32 %isNullWord, ptr addrspace(1) %o14
  %shared = call i1 @llvm.amdgcn.is.shared(ptr %null)
  %sharedWord = zext i1 %shared to i32
  %o15 = getelementptr i32, ptr addrspace(1) %out, i32 15
  store i32 %sharedWord, ptr addrspace(1) %o15
  %nullBack = addrspacecast ptr %null to ptr addrspace(5)
  %nullWord = ptrtoint ptr addrspace(5) %nullBack to i32
  %o16 = getelementptr i32, ptr addrspace(1) %out, i32 16
  store i32 %nullWord, ptr addrspace(1) %o16
  ret void
}

define amdgpu_kernel void @beside(ptr %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr %in, i32 %lane
  %value = load i32, ptr %at
  %own = alloca [4 x i32], addrspace(5)
  %place = and i32 %value, 3
  %slot = getelementptr i32, ptr addrspace(5) %own, i32 %place
  store i32 %value, ptr addrspace(5) %slot
  %a = addrspacecast ptr addrspace(5) %slot to ptr
  %b = addrspacecast ptr addrspace(3) @lds to ptr
  %odd = trunc i32 %value to i1
  %out0 = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %value, ptr addrspace(1) %out0
  %p = select i1 %odd, ptr %a, ptr %b
  %other = load i32, ptr %p
  %out1 = getelementptr i32, ptr addrspace(1) %out0, i32 1
  store i32 %other, ptr addrspace(1) %out1
  ret void
}

; A variable whose place is stored in another one.
define internal void @callee(ptr %variable, ptr %holder) noinline {
  store ptr %variable, ptr %holder
  ret void
}
define amdgpu_kernel void @inlined(ptr addrspace(1) %out, i32 %n) {
  %x = alloca i32, addrspace(5)
  %holder = alloca { i32, ptr }, addrspace(5)
  %generic = addrspacecast ptr addrspace(5) %x to ptr
  %genericHolder = addrspacecast ptr addrspace(5) %holder to ptr
  %member = getelementptr { i32, ptr }, ptr %genericHolder, i32 0, i32 1
  call void @callee(ptr %generic, ptr %member)
  store i32 %n, ptr %generic
  %found = load ptr, ptr %member
  %value = load i32, ptr %found
  store i32 %value, ptr addrspace(1) %out
  ret void
}
