#include <hip/hip_runtime.h>

// 64- and 128-bit arithmetic: products, divisions, shifts, Montgomery and modular powers, big-number addition over a wave.
using u64 = unsigned long long;
using u128 = unsigned __int128;
__global__ void arithmetic64(const u64 *a, const u64 *b, u64 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u64 x = a[i], y = b[i], *o = out + 12 * i;
  long long sx = x, sy = y;
  o[0] = x * y;
  o[1] = __umul64hi(x, y);
  o[2] = (__int128(sx) * sy) >> 64;
  o[3] = x / y;
  o[4] = x % y;
  o[5] = sx / sy;
  o[6] = sx % sy;
  o[7] = x << (y & 63);
  o[8] = x >> (y & 63);
  o[9] = sx >> (y & 63);
  o[10] = (x << (y & 63)) | (x >> (-y & 63));
  o[11] = __builtin_popcountll(x) | __clzll(x) << 8 | __ffsll(x) << 16 | (sx < sy) << 24 | (x < y) << 25;
}
__device__ u64 multiplyMod(u64 a, u64 b, u64 m) { return u128(a) * b % m; }
__global__ void powers(const u64 *base, const u64 *exponent, u64 modulus, u64 *out) {
  int i = threadIdx.x;
  u64 r = 1, b = base[i] % modulus;
  for (u64 e = exponent[i]; e; e >>= 1) {
    if (e & 1)
      r = multiplyMod(r, b, modulus);
    b = multiplyMod(b, b, modulus);
  }
  out[i] = r;
}
__global__ void arithmetic128(const u128 *a, const u128 *b, u128 *out) {
  int i = threadIdx.x;
  u128 x = a[i], y = b[i], *o = out + 8 * i;
  unsigned n = unsigned(y) & 127;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = x / (y >> 60);
  o[4] = x % (y >> 60);
  o[5] = x << n;
  o[6] = x >> n;
  o[7] = u128(__int128(x) >> n) ^ u128(x < y);
}
// 2048-bit sums, a word a lane; carries ripple by ballots and one 64-bit addition.
__global__ void bigAdd(const unsigned *a, const unsigned *b, unsigned *out, unsigned *carry) {
  int lane = threadIdx.x;
  unsigned sum = a[lane] + b[lane];
  u64 generate = __ballot(sum < a[lane]), propagate = __ballot(sum == ~0u);
  u128 all = u128(generate << 1 | 0) + propagate;
  u64 carries = (u64(all) ^ propagate);
  out[lane] = sum + (carries >> lane & 1);
  if (lane == 0)
    *carry = (generate >> 63) | unsigned(all >> 64);
}
