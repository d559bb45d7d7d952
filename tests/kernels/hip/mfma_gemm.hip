#include <hip/hip_runtime.h>

// C = A B with the matrix instructions every chip has: each wave one tile of C, operands straight from memory.
// A is row-major (M x K), B is given transposed (N x K), so that both have consecutive k.
template <class T, int N> using Vec = T __attribute__((ext_vector_type(N)));

struct F16_32 {
  static constexpr int Size = 32, Depth = 8, Each = 4;
  using In = _Float16; using Packed = Vec<_Float16, 4>; using Acc = Vec<float, 16>; using Out = float;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0); }
};
struct F16_16 {
  static constexpr int Size = 16, Depth = 16, Each = 4;
  using In = _Float16; using Packed = Vec<_Float16, 4>; using Acc = Vec<float, 4>; using Out = float;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0); }
};
struct Bf16_32 {
  static constexpr int Size = 32, Depth = 8, Each = 4;
  using In = short; using Packed = Vec<short, 4>; using Acc = Vec<float, 16>; using Out = float;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0); }
};
struct Bf16_16 {
  static constexpr int Size = 16, Depth = 16, Each = 4;
  using In = short; using Packed = Vec<short, 4>; using Acc = Vec<float, 4>; using Out = float;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0); }
};
struct F32_32 {
  static constexpr int Size = 32, Depth = 2, Each = 1;
  using In = float; using Packed = float; using Acc = Vec<float, 16>; using Out = float;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, c, 0, 0, 0); }
};
struct F32_16 {
  static constexpr int Size = 16, Depth = 4, Each = 1;
  using In = float; using Packed = float; using Acc = Vec<float, 4>; using Out = float;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0); }
};
#if defined(__gfx90a__)
struct I8_32 {
  static constexpr int Size = 32, Depth = 8, Each = 4;
  using In = int8_t; using Packed = int; using Acc = Vec<int, 16>; using Out = int;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_i32_32x32x8i8(a, b, c, 0, 0, 0); }
};
struct I8_16 {
  static constexpr int Size = 16, Depth = 16, Each = 4;
  using In = int8_t; using Packed = int; using Acc = Vec<int, 4>; using Out = int;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_i32_16x16x16i8(a, b, c, 0, 0, 0); }
};
#else
struct I8_32 {
  static constexpr int Size = 32, Depth = 16, Each = 8;
  using In = int8_t; using Packed = long; using Acc = Vec<int, 16>; using Out = int;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_i32_32x32x16_i8(a, b, c, 0, 0, 0); }
};
struct I8_16 {
  static constexpr int Size = 16, Depth = 32, Each = 8;
  using In = int8_t; using Packed = long; using Acc = Vec<int, 4>; using Out = int;
  static __device__ Acc multiply(Packed a, Packed b, Acc c) { return __builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, c, 0, 0, 0); }
};
#endif

template <class Mma> __global__ void gemm(const typename Mma::In *a, const typename Mma::In *b, typename Mma::Out *c, int n, int k) {
  constexpr int S = Mma::Size;
  int lane = threadIdx.x, row = blockIdx.y * S, column = blockIdx.x * S;
  typename Mma::Acc acc = 0;
  for (int t = 0; t < k; t += Mma::Depth) {
    int at = t + lane / S * Mma::Each;
    auto pa = *reinterpret_cast<const typename Mma::Packed *>(a + (row + lane % S) * k + at);
    auto pb = *reinterpret_cast<const typename Mma::Packed *>(b + (column + lane % S) * k + at);
    acc = Mma::multiply(pa, pb, acc);
  }
  for (int r = 0; r < S * S / 64; ++r)
    c[(row + r / 4 * 8 * (S / 32) + lane / S * 4 + r % 4) * n + column + lane % S] = acc[r];
}
#define GEMM(Mma) template __global__ void gemm<Mma>(const Mma::In *, const Mma::In *, Mma::Out *, int, int);
GEMM(F16_32) GEMM(F16_16) GEMM(Bf16_32) GEMM(Bf16_16) GEMM(F32_32) GEMM(F32_16) GEMM(I8_32) GEMM(I8_16)

// Doubles have another layout of the result: rows a register.
__global__ void gemmF64(const double *a, const double *b, double *c, int n, int k) {
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16;
  Vec<double, 4> acc = 0;
  for (int t = 0; t < k; t += 4)
    acc = __builtin_amdgcn_mfma_f64_16x16x4f64(a[(row + lane % 16) * k + t + lane / 16], b[(column + lane % 16) * k + t + lane / 16], acc, 0, 0, 0);
  for (int r = 0; r < 4; ++r)
    c[(row + 4 * r + lane / 16) * n + column + lane % 16] = acc[r];
}
