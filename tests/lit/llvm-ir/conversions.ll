; Conversions that saturate, rounding to integers, and intrinsics that are nothing.
; RUN: %python %S/Inputs/conversions.py %t && %inflight compile -mcpu=gfx942 %s -o %t.hsaco
; RUN: %inflight run --check=all %t.hsaco --block 64 --arg %t.singles.npy --arg %t.doubles.npy --arg zeros:1280:u64 --expect 2=%t.out.npy,0,0
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %singles, ptr addrspace(1) %doubles, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  call void @llvm.donothing()
  %single.at = getelementptr float, ptr addrspace(1) %singles, i32 %lane
  %raw = load float, ptr addrspace(1) %single.at
  %float = call float @llvm.arithmetic.fence.f32(float %raw)
  %double.at = getelementptr double, ptr addrspace(1) %doubles, i32 %lane
  %double = load double, ptr addrspace(1) %double.at
  %s0 = call i8 @llvm.fptosi.sat.i8.f32(float %float)
  %w0 = zext i8 %s0 to i64
  %lane0 = add i32 %lane, 0
  %at0 = getelementptr i64, ptr addrspace(1) %out, i32 %lane0
  store i64 %w0, ptr addrspace(1) %at0
  %s1 = call i16 @llvm.fptosi.sat.i16.f32(float %float)
  %w1 = zext i16 %s1 to i64
  %lane1 = add i32 %lane, 64
  %at1 = getelementptr i64, ptr addrspace(1) %out, i32 %lane1
  store i64 %w1, ptr addrspace(1) %at1
  %s2 = call i32 @llvm.fptosi.sat.i32.f32(float %float)
  %w2 = zext i32 %s2 to i64
  %lane2 = add i32 %lane, 128
  %at2 = getelementptr i64, ptr addrspace(1) %out, i32 %lane2
  store i64 %w2, ptr addrspace(1) %at2
  %s3 = call i64 @llvm.fptosi.sat.i64.f32(float %float)
  %lane3 = add i32 %lane, 192
  %at3 = getelementptr i64, ptr addrspace(1) %out, i32 %lane3
  store i64 %s3, ptr addrspace(1) %at3
  %s4 = call i8 @llvm.fptoui.sat.i8.f32(float %float)
  %w4 = zext i8 %s4 to i64
  %lane4 = add i32 %lane, 256
  %at4 = getelementptr i64, ptr addrspace(1) %out, i32 %lane4
  store i64 %w4, ptr addrspace(1) %at4
  %s5 = call i16 @llvm.fptoui.sat.i16.f32(float %float)
  %w5 = zext i16 %s5 to i64
  %lane5 = add i32 %lane, 320
  %at5 = getelementptr i64, ptr addrspace(1) %out, i32 %lane5
  store i64 %w5, ptr addrspace(1) %at5
  %s6 = call i32 @llvm.fptoui.sat.i32.f32(float %float)
  %w6 = zext i32 %s6 to i64
  %lane6 = add i32 %lane, 384
  %at6 = getelementptr i64, ptr addrspace(1) %out, i32 %lane6
  store i64 %w6, ptr addrspace(1) %at6
  %s7 = call i64 @llvm.fptoui.sat.i64.f32(float %float)
  %lane7 = add i32 %lane, 448
  %at7 = getelementptr i64, ptr addrspace(1) %out, i32 %lane7
  store i64 %s7, ptr addrspace(1) %at7
  %s8 = call i8 @llvm.fptosi.sat.i8.f64(double %double)
  %w8 = zext i8 %s8 to i64
  %lane8 = add i32 %lane, 512
  %at8 = getelementptr i64, ptr addrspace(1) %out, i32 %lane8
  store i64 %w8, ptr addrspace(1) %at8
  %s9 = call i16 @llvm.fptosi.sat.i16.f64(double %double)
  %w9 = zext i16 %s9 to i64
  %lane9 = add i32 %lane, 576
  %at9 = getelementptr i64, ptr addrspace(1) %out, i32 %lane9
  store i64 %w9, ptr addrspace(1) %at9
  %s10 = call i32 @llvm.fptosi.sat.i32.f64(double %double)
  %w10 = zext i32 %s10 to i64
  %lane10 = add i32 %lane, 640
  %at10 = getelementptr i64, ptr addrspace(1) %out, i32 %lane10
  store i64 %w10, ptr addrspace(1) %at10
  %s11 = call i64 @llvm.fptosi.sat.i64.f64(double %double)
  %lane11 = add i32 %lane, 704
  %at11 = getelementptr i64, ptr addrspace(1) %out, i32 %lane11
  store i64 %s11, ptr addrspace(1) %at11
  %s12 = call i8 @llvm.fptoui.sat.i8.f64(double %double)
  %w12 = zext i8 %s12 to i64
  %lane12 = add i32 %lane, 768
  %at12 = getelementptr i64, ptr addrspace(1) %out, i32 %lane12
  store i64 %w12, ptr addrspace(1) %at12
  %s13 = call i16 @llvm.fptoui.sat.i16.f64(double %double)
  %w13 = zext i16 %s13 to i64
  %lane13 = add i32 %lane, 832
  %at13 = getelementptr i64, ptr addrspace(1) %out, i32 %lane13
  store i64 %w13, ptr addrspace(1) %at13
  %s14 = call i32 @llvm.fptoui.sat.i32.f64(double %double)
  %w14 = zext i32 %s14 to i64
  %lane14 = add i32 %lane, 896
  %at14 = getelementptr i64, ptr addrspace(1) %out, i32 %lane14
  store i64 %w14, ptr addrspace(1) %at14
  %s15 = call i64 @llvm.fptoui.sat.i64.f64(double %double)
  %lane15 = add i32 %lane, 960
  %at15 = getelementptr i64, ptr addrspace(1) %out, i32 %lane15
  store i64 %s15, ptr addrspace(1) %at15
  %small16 = call float @llvm.minnum.f32(float %float, float 1000.0)
  %less16 = call float @llvm.maxnum.f32(float %small16, float -1000.0)
  %s16 = call i32 @llvm.lrint.i32.f32(float %less16)
  %w16 = zext i32 %s16 to i64
  %lane16 = add i32 %lane, 1024
  %at16 = getelementptr i64, ptr addrspace(1) %out, i32 %lane16
  store i64 %w16, ptr addrspace(1) %at16
  %small17 = call float @llvm.minnum.f32(float %float, float 1000.0)
  %less17 = call float @llvm.maxnum.f32(float %small17, float -1000.0)
  %s17 = call i32 @llvm.lround.i32.f32(float %less17)
  %w17 = zext i32 %s17 to i64
  %lane17 = add i32 %lane, 1088
  %at17 = getelementptr i64, ptr addrspace(1) %out, i32 %lane17
  store i64 %w17, ptr addrspace(1) %at17
  %small18 = call double @llvm.minnum.f64(double %double, double 1000.0)
  %less18 = call double @llvm.maxnum.f64(double %small18, double -1000.0)
  %s18 = call i64 @llvm.llrint.i64.f64(double %less18)
  %lane18 = add i32 %lane, 1152
  %at18 = getelementptr i64, ptr addrspace(1) %out, i32 %lane18
  store i64 %s18, ptr addrspace(1) %at18
  %small19 = call double @llvm.minnum.f64(double %double, double 1000.0)
  %less19 = call double @llvm.maxnum.f64(double %small19, double -1000.0)
  %s19 = call i64 @llvm.llround.i64.f64(double %less19)
  %lane19 = add i32 %lane, 1216
  %at19 = getelementptr i64, ptr addrspace(1) %out, i32 %lane19
  store i64 %s19, ptr addrspace(1) %at19
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.donothing()
declare float @llvm.arithmetic.fence.f32(float)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minnum.f64(double, double)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare i16 @llvm.fptosi.sat.i16.f32(float)
declare i16 @llvm.fptosi.sat.i16.f64(double)
declare i16 @llvm.fptoui.sat.i16.f32(float)
declare i16 @llvm.fptoui.sat.i16.f64(double)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare i32 @llvm.fptoui.sat.i32.f64(double)
declare i32 @llvm.lrint.i32.f32(float)
declare i32 @llvm.lround.i32.f32(float)
declare i64 @llvm.fptosi.sat.i64.f32(float)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare i64 @llvm.llrint.i64.f64(double)
declare i64 @llvm.llround.i64.f64(double)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i8 @llvm.fptosi.sat.i8.f64(double)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i8 @llvm.fptoui.sat.i8.f64(double)
