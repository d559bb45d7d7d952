; Who reads LDS by inline assembly and counts the copies into it waits for them himself, as in HipKittens: nothing is added but for registers.
; Without waits of its own, such code is waited for as any other.
; RUN: %inflight compile -mcpu=gfx950 %s -o %t.hsaco && %inflight compile -mcpu=gfx950 %s --emit=asm -o - | FileCheck %s
; RUN: %python -c "import numpy as n; x = n.arange(256).astype(n.int32) * 3 + 1; n.save('%t.in.npy', x); n.save('%t.out.npy', x[:64])"
; RUN: %inflight run --check=all %t.hsaco --kernel counted --block 64 --arg %t.in.npy --arg zeros:64:i32 --expect 1=%t.out.npy,0,0
; RUN: %inflight run --check=all %t.hsaco --kernel uncounted --block 64 --arg %t.in.npy --arg zeros:64:i32 --expect 1=%t.out.npy,0,0
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32>, ptr addrspace(3), i32, i32, i32, i32, i32)
@tile = internal addrspace(3) global [512 x i8] poison, align 16

; CHECK-LABEL: counted:
; CHECK-COUNT-2: buffer_load_dword {{.*}} lds
; CHECK: s_waitcnt vmcnt(1)
; CHECK-NOT: s_waitcnt
; CHECK: ds_read_b32
; CHECK-NOT: s_waitcnt
; CHECK: buffer_load_dword {{.*}} lds
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NEXT: global_store_dword
define amdgpu_kernel void @counted(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %address = ptrtoint ptr addrspace(1) %in to i64
  %words = bitcast i64 %address to <2 x i32>
  %descriptor = shufflevector <2 x i32> %words, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %offset = shl i32 %lane, 2
  %tile = ptrtoint ptr addrspace(3) @tile to i32
  %place = add i32 %offset, %tile
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %descriptor, ptr addrspace(3) @tile, i32 4, i32 %offset, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %descriptor, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 256), i32 4, i32 %offset, i32 0, i32 0, i32 0)
  call void asm sideeffect "s_waitcnt vmcnt(1)", "~{memory}"()
  %x = call i32 asm sideeffect "ds_read_b32 $0, $1", "=v,v,~{memory}"(i32 %place)
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %descriptor, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 256), i32 4, i32 %offset, i32 0, i32 0, i32 0)
  %out.at = getelementptr i8, ptr addrspace(1) %out, i32 %offset
  store i32 %x, ptr addrspace(1) %out.at
  ret void
}

; CHECK-LABEL: uncounted:
; CHECK: buffer_load_dword {{.*}} lds
; CHECK: s_waitcnt vmcnt(0)
; CHECK-NEXT: ds_read_b32
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK: buffer_load_dword {{.*}} lds
define amdgpu_kernel void @uncounted(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %address = ptrtoint ptr addrspace(1) %in to i64
  %words = bitcast i64 %address to <2 x i32>
  %descriptor = shufflevector <2 x i32> %words, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %offset = shl i32 %lane, 2
  %tile = ptrtoint ptr addrspace(3) @tile to i32
  %place = add i32 %offset, %tile
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %descriptor, ptr addrspace(3) @tile, i32 4, i32 %offset, i32 0, i32 0, i32 0)
  %x = call i32 asm sideeffect "ds_read_b32 $0, $1", "=v,v,~{memory}"(i32 %place)
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %descriptor, ptr addrspace(3) @tile, i32 4, i32 %offset, i32 0, i32 0, i32 0)
  %out.at = getelementptr i8, ptr addrspace(1) %out, i32 %offset
  store i32 %x, ptr addrspace(1) %out.at
  ret void
}
