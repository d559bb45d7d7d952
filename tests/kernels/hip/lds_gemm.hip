#include <hip/hip_runtime.h>

// A matrix product as libraries write it: 64x64 tiles staged in LDS with padding and two buffers, four waves of MFMA, bias and ReLU.
typedef _Float16 Half4 __attribute__((ext_vector_type(4)));
typedef _Float16 Half8 __attribute__((ext_vector_type(8)));
typedef float Float4 __attribute__((ext_vector_type(4)));
constexpr int M = 64, N = 64, K = 32, Pad = 8;

__global__ void __launch_bounds__(256) gemmBiasRelu(const _Float16 *a, const _Float16 *b, const float *bias, _Float16 *c, int n, int k) {
  __shared__ _Float16 tileA[2][M][K + Pad], tileB[2][N][K + Pad];
  int t = threadIdx.x, wave = t / 64, lane = t % 64;
  const _Float16 *rowA = a + (blockIdx.y * M + t / 4) * k + t % 4 * 8, *rowB = b + (blockIdx.x * N + t / 4) * k + t % 4 * 8;
  Half8 nextA = *reinterpret_cast<const Half8 *>(rowA), nextB = *reinterpret_cast<const Half8 *>(rowB);
  Float4 acc[2][2] = {};
  int place = 0;
  for (int at = 0; at < k; at += K, place ^= 1) {
    *reinterpret_cast<Half8 *>(&tileA[place][t / 4][t % 4 * 8]) = nextA;
    *reinterpret_cast<Half8 *>(&tileB[place][t / 4][t % 4 * 8]) = nextB;
    __syncthreads();
    if (at + K < k) {
      nextA = *reinterpret_cast<const Half8 *>(rowA + at + K);
      nextB = *reinterpret_cast<const Half8 *>(rowB + at + K);
    }
#pragma unroll
    for (int kk = 0; kk < K; kk += 16) {
      Half4 fa[2], fb[2];
      for (int i = 0; i < 2; ++i) {
        fa[i] = *reinterpret_cast<const Half4 *>(&tileA[place][wave / 2 * 32 + i * 16 + lane % 16][kk + lane / 16 * 4]);
        fb[i] = *reinterpret_cast<const Half4 *>(&tileB[place][wave % 2 * 32 + i * 16 + lane % 16][kk + lane / 16 * 4]);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(fa[i], fb[j], acc[i][j], 0, 0, 0);
    }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int r = 0; r < 4; ++r) {
        int row = blockIdx.y * M + wave / 2 * 32 + i * 16 + lane / 16 * 4 + r, column = blockIdx.x * N + wave % 2 * 32 + j * 16 + lane % 16;
        c[row * n + column] = _Float16(fmaxf(acc[i][j][r] + bias[column], 0.0f));
      }
}
