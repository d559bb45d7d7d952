; Arguments lie where the target's data layout has them: a vector takes what the next power of two does, and begins at a multiple of that.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %python -c "import numpy as n; n.save('%t.npy', n.arange(1, 23, dtype=n.int32))"
; RUN: %inflight run --check=all %t.hsaco --block 1 --buffer zeros:22:i32 --expect b0=%t.npy,0,0 --kernarg struct:ptr:b0,pad:8,i32:1,i32:2,i32:3,pad:4,i32:4,pad:28,f64:5,f64:6,f64:7,f64:8,f64:9,pad:24,i16:10,pad:2,u8:11,u8:12,u8:13,pad:25,i32:14,i32:15,i32:16,i32:17,i32:18,i32:19,i32:20,i32:21,i32:22
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %out, <3 x i32> %a, i32 %b, <5 x double> %c, i16 %d, <3 x i8> %e, <8 x i32> %f, i32 %g) {
  %a0 = extractelement <3 x i32> %a, i32 0
  %at0 = getelementptr i32, ptr addrspace(1) %out, i32 0
  store i32 %a0, ptr addrspace(1) %at0
  %a1 = extractelement <3 x i32> %a, i32 1
  %at1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %a1, ptr addrspace(1) %at1
  %a2 = extractelement <3 x i32> %a, i32 2
  %at2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %a2, ptr addrspace(1) %at2
  %at3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %b, ptr addrspace(1) %at3
  %c0 = extractelement <5 x double> %c, i32 0
  %c0.word = fptosi double %c0 to i32
  %at4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %c0.word, ptr addrspace(1) %at4
  %c1 = extractelement <5 x double> %c, i32 1
  %c1.word = fptosi double %c1 to i32
  %at5 = getelementptr i32, ptr addrspace(1) %out, i32 5
  store i32 %c1.word, ptr addrspace(1) %at5
  %c2 = extractelement <5 x double> %c, i32 2
  %c2.word = fptosi double %c2 to i32
  %at6 = getelementptr i32, ptr addrspace(1) %out, i32 6
  store i32 %c2.word, ptr addrspace(1) %at6
  %c3 = extractelement <5 x double> %c, i32 3
  %c3.word = fptosi double %c3 to i32
  %at7 = getelementptr i32, ptr addrspace(1) %out, i32 7
  store i32 %c3.word, ptr addrspace(1) %at7
  %c4 = extractelement <5 x double> %c, i32 4
  %c4.word = fptosi double %c4 to i32
  %at8 = getelementptr i32, ptr addrspace(1) %out, i32 8
  store i32 %c4.word, ptr addrspace(1) %at8
  %d.word = zext i16 %d to i32
  %at9 = getelementptr i32, ptr addrspace(1) %out, i32 9
  store i32 %d.word, ptr addrspace(1) %at9
  %e0 = extractelement <3 x i8> %e, i32 0
  %e0.word = zext i8 %e0 to i32
  %at10 = getelementptr i32, ptr addrspace(1) %out, i32 10
  store i32 %e0.word, ptr addrspace(1) %at10
  %e1 = extractelement <3 x i8> %e, i32 1
  %e1.word = zext i8 %e1 to i32
  %at11 = getelementptr i32, ptr addrspace(1) %out, i32 11
  store i32 %e1.word, ptr addrspace(1) %at11
  %e2 = extractelement <3 x i8> %e, i32 2
  %e2.word = zext i8 %e2 to i32
  %at12 = getelementptr i32, ptr addrspace(1) %out, i32 12
  store i32 %e2.word, ptr addrspace(1) %at12
  %f0 = extractelement <8 x i32> %f, i32 0
  %at13 = getelementptr i32, ptr addrspace(1) %out, i32 13
  store i32 %f0, ptr addrspace(1) %at13
  %f1 = extractelement <8 x i32> %f, i32 1
  %at14 = getelementptr i32, ptr addrspace(1) %out, i32 14
  store i32 %f1, ptr addrspace(1) %at14
  %f2 = extractelement <8 x i32> %f, i32 2
  %at15 = getelementptr i32, ptr addrspace(1) %out, i32 15
  store i32 %f2, ptr addrspace(1) %at15
  %f3 = extractelement <8 x i32> %f, i32 3
  %at16 = getelementptr i32, ptr addrspace(1) %out, i32 16
  store i32 %f3, ptr addrspace(1) %at16
  %f4 = extractelement <8 x i32> %f, i32 4
  %at17 = getelementptr i32, ptr addrspace(1) %out, i32 17
  store i32 %f4, ptr addrspace(1) %at17
  %f5 = extractelement <8 x i32> %f, i32 5
  %at18 = getelementptr i32, ptr addrspace(1) %out, i32 18
  store i32 %f5, ptr addrspace(1) %at18
  %f6 = extractelement <8 x i32> %f, i32 6
  %at19 = getelementptr i32, ptr addrspace(1) %out, i32 19
  store i32 %f6, ptr addrspace(1) %at19
  %f7 = extractelement <8 x i32> %f, i32 7
  %at20 = getelementptr i32, ptr addrspace(1) %out, i32 20
  store i32 %f7, ptr addrspace(1) %at20
  %at21 = getelementptr i32, ptr addrspace(1) %out, i32 21
  store i32 %g, ptr addrspace(1) %at21
  ret void
}
