// What clang compiles has its wait states: matrix instructions, lane reads, DPP, divisions, transcendentals.
// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -O3 %s -o %t.gfx90a.hsaco
// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O3 %s -o %t.gfx942.hsaco
// RUN: %clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx950 -nogpulib -O3 %s -o %t.gfx950.hsaco
// RUN: %inflight run %t.gfx90a.hsaco --check=hazard --kernel matrix --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32
// RUN: %inflight run %t.gfx942.hsaco --check=hazard --kernel matrix --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32
// RUN: %inflight run %t.gfx950.hsaco --check=hazard --kernel matrix --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32
// RUN: %inflight run %t.gfx90a.hsaco --check=hazard --kernel lanes --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32
// RUN: %inflight run %t.gfx942.hsaco --check=hazard --kernel lanes --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32
// RUN: %inflight run %t.gfx950.hsaco --check=hazard --kernel lanes --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32
//
// A finding names both instructions and how far they should be apart.
// RUN: not %inflight run %t.gfx942.hsaco --check=hazard --kernel early --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32 2>&1 | FileCheck %s
// CHECK: issues too early: 1 of 4 wait states (VALU writes SGPR, V_READLANE or V_WRITELANE selects its lane with it)
// CHECK-NEXT: | v_readlane_b32 s21, v{{[0-9]+}}, s20
// CHECK-NEXT: hsaco:0x{{.*}}: note: must follow this
// CHECK-NEXT: | v_readfirstlane_b32 s20

// What shipping kernels do without is a check of its own.
// RUN: %inflight run %t.gfx942.hsaco --check=all --kernel advised --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32
// RUN: not %inflight run %t.gfx942.hsaco --check=hazard-advice --kernel advised --block 64 --arg random:1024:f32:1 --arg zeros:4096:f32 2>&1 | FileCheck %s --check-prefix=ADVICE
// ADVICE: issues too early: 0 of 2 wait states (VALU writes SGPR, VALU reads it as a mask) [hazard-advice]

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef float float16v __attribute__((ext_vector_type(16)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef half half4v __attribute__((ext_vector_type(4)));
typedef double double4v __attribute__((ext_vector_type(4)));

kernel void matrix(global const float *in, global float *out) {
  uint lane = __builtin_amdgcn_workitem_id_x();
  float x = in[lane];
  half4v h = {(half)x, (half)in[lane + 64], (half)in[lane + 128], (half)in[lane + 192]};
  float16v wide = 0;
  float4v small = 0;
  for (int i = 0; i < 4; ++i) {
    wide = __builtin_amdgcn_mfma_f32_32x32x8f16(h, h, wide, 0, 0, 0);
    small = __builtin_amdgcn_mfma_f32_16x16x4f32(small.x + x, wide[i], small, 0, 0, 0);
    h.x = (half)(small.y * wide[3]);
  }
  double4v d = {small.x, small.y, small.z, small.w};
  d = __builtin_amdgcn_mfma_f64_16x16x4f64(small.x, wide[7], d, 0, 0, 0);
  float4v tiny = __builtin_amdgcn_mfma_f32_4x4x1f32((float)d.x, (float)d.y, small, 0, 0, 0);
  tiny = __builtin_amdgcn_mfma_f32_4x4x1f32((float)(d.z + d.w), tiny.x, tiny, 0, 0, 0);
  for (int i = 0; i < 16; ++i)
    out[lane + 64 * i] = wide[i];
  *(global float4v *)&out[1024 + 4 * lane] = tiny + small;
}

kernel void lanes(global const float *in, global float *out) {
  uint lane = __builtin_amdgcn_workitem_id_x();
  int x = (int)(in[lane] * (float)lane);
  int sum = x;
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x111, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x112, 0xf, 0xf, false);
  int from = __builtin_amdgcn_readlane(sum, __builtin_amdgcn_readfirstlane(x + 5) & 63);
  float quotient = in[lane] / (float)(from + 1);
  double precise = (double)quotient / (double)(lane + 1);
  float root = __builtin_amdgcn_rsqf(quotient) + __builtin_amdgcn_exp2f(quotient) * __builtin_amdgcn_logf(quotient + 2.0f);
  global float *place = out + __builtin_amdgcn_readfirstlane(from & 255);
  place[lane] = root + (float)precise + (x > from ? 1.0f : quotient);
}

kernel void early(global const float *in, global float *out) {
  uint lane = __builtin_amdgcn_workitem_id_x();
  int result;
  __asm__ volatile("v_readfirstlane_b32 s20, %1\n s_nop 0\n v_readlane_b32 s21, %1, s20\n v_mov_b32 %0, s21" : "=v"(result) : "v"(lane) : "s20", "s21");
  out[lane] = (float)result;
}

kernel void advised(global const float *in, global float *out) {
  uint lane = __builtin_amdgcn_workitem_id_x();
  int result;
  __asm__ volatile("v_cmp_eq_u32 vcc, %1, %1\n v_cndmask_b32 %0, 0, 1, vcc" : "=v"(result) : "v"(lane) : "vcc");
  out[lane] = (float)result;
}
