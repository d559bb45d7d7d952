; Buffer accesses and inline assembly with integers of 128 bits, as HipKittens has them; immediates within modifiers and waits; registers of the hardware by name.
; RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco && %inflight compile -mcpu=gfx942 %s --emit=asm -o - | FileCheck %s
; RUN: %python %S/Inputs/wide-assembly.py %t && %inflight run --check=all %t.hsaco --block 64 --arg %t.in.npy --arg zeros:256:u32 --expect 1=%t.out.npy,0,0
; CHECK: ds_write_b128 {{.*}} offset:16
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK: ds_read_b128 {{.*}} offset:16
; CHECK: s_getreg_b32 s{{[0-9]+}}, {{0xf804|hwreg\(HW_REG_HW_ID\)}}
; CHECK: s_getreg_b32 s{{[0-9]+}}, {{0x1814|hwreg\(HW_REG_XCC_ID, 0, 4\)}}
target triple = "amdgcn-amd-amdhsa"
declare i128 @llvm.amdgcn.raw.buffer.load.i128(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.i128(i128, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.workitem.id.x()
@lds = internal addrspace(3) global [4096 x i8] poison, align 16
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a = ptrtoint ptr addrspace(1) %p to i64
  %b = ptrtoint ptr addrspace(1) %q to i64
  %av = bitcast i64 %a to <2 x i32>
  %bv = bitcast i64 %b to <2 x i32>
  %r0 = shufflevector <2 x i32> %av, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %r1 = shufflevector <2 x i32> %bv, <2 x i32> <i32 -1, i32 159744>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %o = shl i32 %lane, 4
  %v = call i128 @llvm.amdgcn.raw.buffer.load.i128(<4 x i32> %r0, i32 %o, i32 0, i32 0)
  %l = ptrtoint ptr addrspace(3) @lds to i32
  %at = add i32 %l, %o
  call void asm sideeffect "ds_write_b128 $0, $1 offset:$2", "v,v,i,~{memory}"(i32 %at, i128 %v, i32 16)
  call void asm sideeffect "s_waitcnt lgkmcnt($0)", "i,~{memory}"(i32 0)
  %w = call i128 asm sideeffect "ds_read_b128 $0, $1 offset:$2", "=v,v,i,~{memory}"(i32 %at, i32 16)
  %id = call i32 asm sideeffect "s_getreg_b32 $0, hwreg(HW_REG_HW_ID)", "=s"()
  %id2 = call i32 asm sideeffect "s_getreg_b32 $0, hwreg(HW_REG_XCC_ID, 0, 4)", "=s"()
  %pair = insertelement <2 x i128> poison, i128 %w, i64 0
  %pair2 = insertelement <2 x i128> %pair, i128 %v, i64 1
  %low = lshr <2 x i128> %pair2, <i128 32, i128 64>
  %low32 = trunc <2 x i128> %low to <2 x i32>
  %l0 = extractelement <2 x i32> %low32, i32 0
  %l1 = extractelement <2 x i32> %low32, i32 1
  %z = zext i32 %l0 to i128
  %x = add i128 %z, %w
  %m = zext i32 %l1 to i128
  %xx = xor i128 %x, %m
  call void @llvm.amdgcn.raw.buffer.store.i128(i128 %xx, <4 x i32> %r1, i32 %o, i32 0, i32 0)
  ret void
}
