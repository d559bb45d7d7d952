#include <hip/hip_runtime.h>

// 8-bit floats: conversion with scaling, and products of all four combinations of formats. gfx942 has the FNUZ formats, gfx950 OCP's.
template <class T, int N> using Vec = T __attribute__((ext_vector_type(N)));
__global__ void toFp8(const float4 *in, unsigned *fp8, unsigned *bf8, float4 *back) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[i];
  int word = __builtin_amdgcn_cvt_pk_fp8_f32(v.x, v.y, 0, false);
  word = __builtin_amdgcn_cvt_pk_fp8_f32(v.z, v.w, word, true);
  fp8[i] = word;
  back[i] = {__builtin_amdgcn_cvt_f32_fp8(word, 0), __builtin_amdgcn_cvt_f32_fp8(word, 1), __builtin_amdgcn_cvt_f32_fp8(word, 2),
             __builtin_amdgcn_cvt_f32_fp8(word, 3)};
  int other = __builtin_amdgcn_cvt_pk_bf8_f32(v.x, v.y, 0, false);
  bf8[i] = __builtin_amdgcn_cvt_pk_bf8_f32(v.z, v.w, other, true);
}
template <bool BfA, bool BfB> __global__ void gemmFp8(const long *a, const long *b, float *c, int n, int k) {
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16;
  Vec<float, 4> acc = 0;
  for (int t = 0; t < k / 8; t += 4) {
    long pa = a[(row + lane % 16) * (k / 8) + t + lane / 16], pb = b[(column + lane % 16) * (k / 8) + t + lane / 16];
    if constexpr (BfA && BfB)
      acc = __builtin_amdgcn_mfma_f32_16x16x32_bf8_bf8(pa, pb, acc, 0, 0, 0);
    else if constexpr (BfA)
      acc = __builtin_amdgcn_mfma_f32_16x16x32_bf8_fp8(pa, pb, acc, 0, 0, 0);
    else if constexpr (BfB)
      acc = __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(pa, pb, acc, 0, 0, 0);
    else
      acc = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(pa, pb, acc, 0, 0, 0);
  }
  for (int r = 0; r < 4; ++r)
    c[(row + lane / 16 * 4 + r) * n + column + lane % 16] = acc[r];
}
template __global__ void gemmFp8<false, false>(const long *, const long *, float *, int, int);
template __global__ void gemmFp8<false, true>(const long *, const long *, float *, int, int);
template __global__ void gemmFp8<true, false>(const long *, const long *, float *, int, int);
template __global__ void gemmFp8<true, true>(const long *, const long *, float *, int, int);
#if defined(__gfx942__)
__global__ void gemmXf32(const Vec<float, 2> *a, const Vec<float, 2> *b, float *c, int n, int k) {
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16;
  Vec<float, 4> acc = 0;
  for (int t = 0; t < k / 2; t += 4)
    acc = __builtin_amdgcn_mfma_f32_16x16x8_xf32(a[(row + lane % 16) * (k / 2) + t + lane / 16], b[(column + lane % 16) * (k / 2) + t + lane / 16], acc, 0, 0, 0);
  for (int r = 0; r < 4; ++r)
    c[(row + lane / 16 * 4 + r) * n + column + lane % 16] = acc[r];
}
#endif
