; Intrinsics that are made of others: classes of floats, saturating shifts, conversions, places of elements in vectors, lanes.
; RUN: %python %S/Inputs/expanded.py %t
; RUN: %inflight compile -mcpu=gfx90a %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --block 256 --arg %t.a.npy --arg %t.b.npy --arg zeros:3840:u32 --expect 2=%t.out.npy,0,0
; RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --block 256 --arg %t.a.npy --arg %t.b.npy --arg zeros:3840:u32 --expect 2=%t.out.npy,0,0
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %as, ptr addrspace(1) %bs, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a.at = getelementptr i32, ptr addrspace(1) %as, i32 %lane
  %b.at = getelementptr i32, ptr addrspace(1) %bs, i32 %lane
  %a = load i32, ptr addrspace(1) %a.at
  %b = load i32, ptr addrspace(1) %b.at
  %x = bitcast i32 %a to float
  %class = call i1 @llvm.amdgcn.class.f32(float %x, i32 %b)
  %class.word = zext i1 %class to i32
  %at0.lane = add i32 %lane, 0
  %at0 = getelementptr i32, ptr addrspace(1) %out, i32 %at0.lane
  store i32 %class.word, ptr addrspace(1) %at0
  %some = call i1 @llvm.amdgcn.class.f32(float %x, i32 519)
  %some.word = zext i1 %some to i32
  %at1.lane = add i32 %lane, 256
  %at1 = getelementptr i32, ptr addrspace(1) %out, i32 %at1.lane
  store i32 %some.word, ptr addrspace(1) %at1
  %first = call i32 @llvm.amdgcn.sffbh.i32(i32 %a)
  %at2.lane = add i32 %lane, 512
  %at2 = getelementptr i32, ptr addrspace(1) %out, i32 %at2.lane
  store i32 %first, ptr addrspace(1) %at2
  %signed = call <2 x i16> @llvm.amdgcn.cvt.pk.i16(i32 %a, i32 %b)
  %signed.word = bitcast <2 x i16> %signed to i32
  %at3.lane = add i32 %lane, 768
  %at3 = getelementptr i32, ptr addrspace(1) %out, i32 %at3.lane
  store i32 %signed.word, ptr addrspace(1) %at3
  %unsigned = call <2 x i16> @llvm.amdgcn.cvt.pk.u16(i32 %a, i32 %b)
  %unsigned.word = bitcast <2 x i16> %unsigned to i32
  %at4.lane = add i32 %lane, 1024
  %at4 = getelementptr i32, ptr addrspace(1) %out, i32 %at4.lane
  store i32 %unsigned.word, ptr addrspace(1) %at4
  %amount = and i32 %b, 31
  %sshl = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %amount)
  %at5.lane = add i32 %lane, 1280
  %at5 = getelementptr i32, ptr addrspace(1) %out, i32 %at5.lane
  store i32 %sshl, ptr addrspace(1) %at5
  %ushl = call i32 @llvm.ushl.sat.i32(i32 %a, i32 %amount)
  %at6.lane = add i32 %lane, 1536
  %at6 = getelementptr i32, ptr addrspace(1) %out, i32 %at6.lane
  store i32 %ushl, ptr addrspace(1) %at6
  %modf = call { float, float } @llvm.modf.f32(float %x)
  %fraction = extractvalue { float, float } %modf, 0
  %fraction.nan = fcmp uno float %fraction, %fraction
  %fraction.one = select i1 %fraction.nan, float 0x7FF8000000000000, float %fraction
  %fraction.word = bitcast float %fraction.one to i32
  %at7.lane = add i32 %lane, 1792
  %at7 = getelementptr i32, ptr addrspace(1) %out, i32 %at7.lane
  store i32 %fraction.word, ptr addrspace(1) %at7
  %integer = extractvalue { float, float } %modf, 1
  %integer.nan = fcmp uno float %integer, %integer
  %integer.one = select i1 %integer.nan, float 0x7FF8000000000000, float %integer
  %integer.word = bitcast float %integer.one to i32
  %at8.lane = add i32 %lane, 2048
  %at8 = getelementptr i32, ptr addrspace(1) %out, i32 %at8.lane
  store i32 %integer.word, ptr addrspace(1) %at8
  %pair = insertelement <2 x i32> poison, i32 %a, i32 0
  %both = insertelement <2 x i32> %pair, i32 %b, i32 1
  %halves = bitcast <2 x i32> %both to <4 x i16>
  %reverse = call <4 x i16> @llvm.vector.reverse.v4i16(<4 x i16> %halves)
  %reversed = call <2 x i16> @llvm.vector.extract.v2i16.v4i16(<4 x i16> %reverse, i64 0)
  %reversed.word = bitcast <2 x i16> %reversed to i32
  %at9.lane = add i32 %lane, 2304
  %at9 = getelementptr i32, ptr addrspace(1) %out, i32 %at9.lane
  store i32 %reversed.word, ptr addrspace(1) %at9
  %apart = call { <2 x i16>, <2 x i16> } @llvm.vector.deinterleave2.v4i16(<4 x i16> %halves)
  %even = extractvalue { <2 x i16>, <2 x i16> } %apart, 0
  %even.word = bitcast <2 x i16> %even to i32
  %at10.lane = add i32 %lane, 2560
  %at10 = getelementptr i32, ptr addrspace(1) %out, i32 %at10.lane
  store i32 %even.word, ptr addrspace(1) %at10
  %odd = extractvalue { <2 x i16>, <2 x i16> } %apart, 1
  %odd.word = bitcast <2 x i16> %odd to i32
  %at11.lane = add i32 %lane, 2816
  %at11 = getelementptr i32, ptr addrspace(1) %out, i32 %at11.lane
  store i32 %odd.word, ptr addrspace(1) %at11
  %together = call <4 x i16> @llvm.vector.interleave2.v4i16(<2 x i16> %odd, <2 x i16> %even)
  %inside = call <8 x i16> @llvm.vector.insert.v8i16.v4i16(<8 x i16> poison, <4 x i16> %together, i64 4)
  %inner = shufflevector <8 x i16> %inside, <8 x i16> poison, <2 x i32> <i32 4, i32 7>
  %inner.word = bitcast <2 x i16> %inner to i32
  %at12.lane = add i32 %lane, 3072
  %at12 = getelementptr i32, ptr addrspace(1) %out, i32 %at12.lane
  store i32 %inner.word, ptr addrspace(1) %at12
  %last = shufflevector <8 x i16> %inside, <8 x i16> poison, <2 x i32> <i32 6, i32 5>
  %last.word = bitcast <2 x i16> %last to i32
  %at13.lane = add i32 %lane, 3328
  %at13 = getelementptr i32, ptr addrspace(1) %out, i32 %at13.lane
  store i32 %last.word, ptr addrspace(1) %at13
  %moved = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %a, i32 177, i32 15, i32 15, i1 true)
  %at14.lane = add i32 %lane, 3584
  %at14 = getelementptr i32, ptr addrspace(1) %out, i32 %at14.lane
  store i32 %moved, ptr addrspace(1) %at14
  ret void
}
