#include <hip/hip_runtime.h>

// Instructions that multiply several small matrices at once, with broadcasts of blocks of A (CBSZ, ABID) and B's permutations (BLGP).
template <class T, int N> using Vec = T __attribute__((ext_vector_type(N)));
using Half4 = Vec<_Float16, 4>;

// Sixteen products of 4x4 matrices; lane / 4 is the block.
__global__ void batch4x4(const Half4 *a, const Half4 *b, Vec<float, 4> *c) {
  c[threadIdx.x] = __builtin_amdgcn_mfma_f32_4x4x4f16(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x], 0, 0, 0);
}
__global__ void batch4x4F32(const float *a, const float *b, Vec<float, 4> *c) {
  c[threadIdx.x] = __builtin_amdgcn_mfma_f32_4x4x1f32(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x], 0, 0, 0);
}
__global__ void batch4x4I8(const int *a, const int *b, Vec<int, 4> *c) {
  c[threadIdx.x] = __builtin_amdgcn_mfma_i32_4x4x4i8(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x], 0, 0, 0);
}
__global__ void batch4x4Bf16(const Vec<short, 4> *a, const Vec<short, 4> *b, Vec<float, 4> *c) {
  c[threadIdx.x] = __builtin_amdgcn_mfma_f32_4x4x4bf16_1k(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x], 0, 0, 0);
}
// Four products of 4x4 matrices of doubles: block lane / 4 % 4, k lane / 16.
__global__ void batch4x4F64(const double *a, const double *b, double *c) {
  c[threadIdx.x] = __builtin_amdgcn_mfma_f64_4x4x4f64(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x], 0, 0, 0);
}
// Two 32x32 and four 16x16 products.
__global__ void batch32(const float *a, const float *b, float *c) {
  Vec<float, 32> acc = 1.0f;
  acc = __builtin_amdgcn_mfma_f32_32x32x1f32(a[threadIdx.x], b[threadIdx.x], acc, 0, 0, 0);
  for (int r = 0; r < 32; ++r)
    c[(r / 16 * 32 + r % 16 / 4 * 8 + threadIdx.x / 32 * 4 + r % 4) * 32 + threadIdx.x % 32] = acc[r];
}
__global__ void batch16(const Half4 *a, const Half4 *b, float *c) {
  Vec<float, 16> acc = 0;
  acc = __builtin_amdgcn_mfma_f32_16x16x4f16(a[threadIdx.x], b[threadIdx.x], acc, 0, 0, 0);
  for (int r = 0; r < 16; ++r)
    c[(r / 4 * 16 + threadIdx.x / 16 * 4 + r % 4) * 16 + threadIdx.x % 16] = acc[r];
}
// Every group of four blocks takes the A of its second one.
__global__ void broadcastA(const Half4 *a, const Half4 *b, Vec<float, 4> *c) {
  c[threadIdx.x] = __builtin_amdgcn_mfma_f32_4x4x4f16(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x], 2, 1, 0);
}
