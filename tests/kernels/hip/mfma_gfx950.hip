#include <hip/hip_runtime.h>

// What gfx950 added: deeper f16 and bf16 tiles, products of 8-, 6- and 4-bit floats with a scale for each 32 k (the OCP MX formats).
template <class T, int N> using Vec = T __attribute__((ext_vector_type(N)));
__global__ void gemmF16x32(const Vec<_Float16, 8> *a, const Vec<_Float16, 8> *b, float *c, int n, int k) {
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16;
  Vec<float, 4> acc = 0;
  for (int t = 0; t < k / 8; t += 4)
    acc = __builtin_amdgcn_mfma_f32_16x16x32_f16(a[(row + lane % 16) * (k / 8) + t + lane / 16], b[(column + lane % 16) * (k / 8) + t + lane / 16], acc, 0, 0, 0);
  for (int r = 0; r < 4; ++r)
    c[(row + lane / 16 * 4 + r) * n + column + lane % 16] = acc[r];
}
// MXFP4: two elements a byte, low half first; scales are biased exponents, one for each row and 32 k.
__global__ void gemmMxfp4(const Vec<int, 4> *a, const uint8_t *scaleA, const Vec<int, 4> *b, const uint8_t *scaleB, float *c, int n, int k) {
  int lane = threadIdx.x, row = blockIdx.y * 16 + lane % 16, column = blockIdx.x * 16 + lane % 16, blocks = k / 32;
  Vec<float, 4> acc = 0;
  for (int t = 0; t < blocks; t += 4) {
    int block = t + lane / 16;
    Vec<int, 4> pa = a[row * blocks + block], pb = b[column * blocks + block];
    Vec<int, 8> wideA = {pa.x, pa.y, pa.z, pa.w, 0, 0, 0, 0}, wideB = {pb.x, pb.y, pb.z, pb.w, 0, 0, 0, 0};
    acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(wideA, wideB, acc, 4, 4, 0, scaleA[row * blocks + block], 0, scaleB[column * blocks + block]);
  }
  for (int r = 0; r < 4; ++r)
    c[(blockIdx.y * 16 + lane / 16 * 4 + r) * n + column] = acc[r];
}
