; What vectorizers leave: accesses under a vector's mask, vectors of pointers, the first element of a mask.
; RUN: %python %S/Inputs/vectors.py %t
; RUN: %inflight compile -mcpu=gfx90a %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --kernel k --block 64 --arg %t.a.npy --arg zeros:1088:u32 --expect 1=%t.out.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel pointers --block 64 --arg %t.a.npy --arg zeros:512:u32 --arg zeros:512:u32 --expect 1=%t.sums.npy,0,0
; RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --kernel k --block 64 --arg %t.a.npy --arg zeros:1088:u32 --expect 1=%t.out.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel pointers --block 64 --arg %t.a.npy --arg zeros:512:u32 --arg zeros:512:u32 --expect 1=%t.sums.npy,0,0
target triple = "amdgcn-amd-amdhsa"

; Of four words of a lane: where the first odd one is; the odd ones, the others as -1; those whose place the next lane's
; words choose; the odd ones packed, the rest not written; the negative ones, of all lanes' first words first.
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %first = shl i32 %lane, 2
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %first
  %words = load <4 x i32>, ptr addrspace(1) %at
  %bits = and <4 x i32> %words, splat (i32 1)
  %odd = icmp ne <4 x i32> %bits, zeroinitializer

  %place = call i32 @llvm.experimental.cttz.elts.i32.v4i1(<4 x i1> %odd, i1 false)
  %place.at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %place, ptr addrspace(1) %place.at

  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) %at, i32 4, <4 x i1> %odd, <4 x i32> splat (i32 -1))
  %loaded.first = add i32 %first, 64
  %loaded.at = getelementptr i32, ptr addrspace(1) %out, i32 %loaded.first
  store <4 x i32> %loaded, ptr addrspace(1) %loaded.at, align 4

  %chosen = and <4 x i32> %words, splat (i32 255)
  %ats = getelementptr i32, ptr addrspace(1) %in, <4 x i32> %chosen
  %gathered = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> %ats, i32 4, <4 x i1> %odd, <4 x i32> splat (i32 7))
  %gathered.first = add i32 %first, 320
  %gathered.at = getelementptr i32, ptr addrspace(1) %out, i32 %gathered.first
  store <4 x i32> %gathered, ptr addrspace(1) %gathered.at, align 4

  %packed.first = add i32 %first, 576
  %packed.at = getelementptr i32, ptr addrspace(1) %out, i32 %packed.first
  %packed.generic = addrspacecast ptr addrspace(1) %packed.at to ptr
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %words, ptr align 4 %packed.generic, <4 x i1> %odd)

  %sign = icmp slt <4 x i32> %words, zeroinitializer
  %steps = call <4 x i32> @llvm.stepvector.v4i32()
  %rows = shl <4 x i32> %steps, splat (i32 6)
  %lanes.0 = insertelement <4 x i32> poison, i32 %lane, i32 0
  %lanes = shufflevector <4 x i32> %lanes.0, <4 x i32> poison, <4 x i32> zeroinitializer
  %places = add <4 x i32> %rows, %lanes
  %transposed = getelementptr i32, ptr addrspace(1) %out, i32 832
  %transposed.at = getelementptr i32, ptr addrspace(1) %transposed, <4 x i32> %places
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> %words, <4 x ptr addrspace(1)> align 4 %transposed.at, <4 x i1> %sign)
  ret void
}

; Two pointers that go through memory, a loop and a choice.
define amdgpu_kernel void @pointers(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %kept) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %next = xor i32 %lane, 1
  %one = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %two = getelementptr i32, ptr addrspace(1) %in, i32 %next
  %low = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %one, i32 0
  %both = insertelement <2 x ptr addrspace(1)> %low, ptr addrspace(1) %two, i32 1
  %kept.at = getelementptr <2 x ptr addrspace(1)>, ptr addrspace(1) %kept, i32 %lane
  store <2 x ptr addrspace(1)> %both, ptr addrspace(1) %kept.at, align 8
  %again = load <2 x ptr addrspace(1)>, ptr addrspace(1) %kept.at, align 8
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %ats = phi <2 x ptr addrspace(1)> [ %again, %entry ], [ %ats.next, %loop ]
  %sums = phi <2 x i32> [ zeroinitializer, %entry ], [ %sums.next, %loop ]
  %at.0 = extractelement <2 x ptr addrspace(1)> %ats, i32 0
  %at.1 = extractelement <2 x ptr addrspace(1)> %ats, i32 1
  %word.0 = load i32, ptr addrspace(1) %at.0
  %word.1 = load i32, ptr addrspace(1) %at.1
  %words.0 = insertelement <2 x i32> poison, i32 %word.0, i32 0
  %words = insertelement <2 x i32> %words.0, i32 %word.1, i32 1
  %sums.next = add <2 x i32> %sums, %words
  %far = getelementptr i32, <2 x ptr addrspace(1)> %ats, <2 x i32> <i32 64, i32 64>
  %swapped = shufflevector <2 x ptr addrspace(1)> %far, <2 x ptr addrspace(1)> poison, <2 x i32> <i32 1, i32 0>
  %odd = icmp ugt <2 x i32> %words, splat (i32 -2147483648)
  %ats.next = select <2 x i1> %odd, <2 x ptr addrspace(1)> %far, <2 x ptr addrspace(1)> %swapped
  %i.next = add i32 %i, 1
  %goes = icmp ult i32 %i.next, 4
  br i1 %goes, label %loop, label %end

end:
  %out.at = getelementptr <2 x i32>, ptr addrspace(1) %out, i32 %lane
  store <2 x i32> %sums.next, ptr addrspace(1) %out.at
  ret void
}
