; Structs and arrays in memory are read and written part by part; what lies between the parts stays. A struct that is an
; argument has its layout, and a descriptor of a buffer comes as one integer.
; RUN: %python %S/Inputs/aggregates.py %t
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --kernel copies --block 64 --arg %t.in.npy --arg %t.old.npy --expect 1=%t.out.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel buffer --block 64 --arg %t.in.npy --arg zeros:64:u32 --expect 1=%t.words.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel doubled --block 64 --arg %t.in.npy --arg zeros:64:u32 --expect 1=%t.halves.npy,0,0
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)

%row = type { i8, { i32, {} }, [2 x i16], i64 }

define amdgpu_kernel void @copies(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr %row, ptr addrspace(1) %in, i32 %lane
  %to = getelementptr %row, ptr addrspace(1) %out, i32 %lane
  %row = load %row, ptr addrspace(1) %from
  %half = extractvalue %row %row, 2, 1
  %changed = insertvalue %row %row, i16 %half, 2, 0
  store %row %changed, ptr addrspace(1) %to
  ret void
}

; Bytes behind the 128th aren't the buffer's.
define amdgpu_kernel void @buffer(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %address = ptrtoint ptr addrspace(1) %in to i64
  %both = insertelement <2 x i64> <i64 poison, i64 686095255732352>, i64 %address, i32 0
  %wide = bitcast <2 x i64> %both to i128
  %resource = inttoptr i128 %wide to ptr addrspace(8)
  %offset = shl i32 %lane, 2
  %word = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %resource, i32 %offset, i32 0, i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %word, ptr addrspace(1) %to
  ret void
}

; A function that calls itself last is a loop: doubles a number until it is large.
define internal i32 @grow(i32 %x) {
  %enough = icmp ugt i32 %x, 1000000
  br i1 %enough, label %end, label %more
more:
  %twice = shl i32 %x, 1
  %odd = or i32 %twice, 1
  %grown = tail call i32 @grow(i32 %odd)
  ret i32 %grown
end:
  ret i32 %x
}
define amdgpu_kernel void @doubled(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %word = load i32, ptr addrspace(1) %from
  %small = lshr i32 %word, 16
  %grown = call i32 @grow(i32 %small)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %grown, ptr addrspace(1) %to
  ret void
}
