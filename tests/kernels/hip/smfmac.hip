#include <hip/hip_runtime.h>

// Products with 4:2 sparse A: the kernel prunes each four elements to the two largest and makes the index words itself.
template <class T, int N> using Vec = T __attribute__((ext_vector_type(N)));

template <class T, int Kept> struct Pruned {
  T values[Kept];
  unsigned index;
};
template <class T, int Kept> __device__ Pruned<T, Kept> prune(const T *dense) {
  Pruned<T, Kept> p{};
  for (int group = 0; group < Kept / 2; ++group) {
    const T *four = dense + 4 * group;
    int first = 0, second = 1;
    auto size = [&](int i) { return four[i] < T(0) ? -float(four[i]) : float(four[i]); };
    for (int i = 1; i < 4; ++i)
      if (size(i) > size(first))
        first = i;
    second = first == 0 ? 1 : 0;
    for (int i = 0; i < 4; ++i)
      if (i != first && size(i) > size(second))
        second = i;
    int low = first < second ? first : second, high = first < second ? second : first;
    p.values[2 * group] = four[low];
    p.values[2 * group + 1] = four[high];
    p.index |= (low | high << 2) << 4 * group;
  }
  return p;
}
// One tile: lane l has row l % 16 of A with eight dense k from 8 * (l / 16), and as many of column l % 16 of B.
__global__ void sparseF16(const _Float16 *a, const Vec<_Float16, 8> *b, Vec<float, 4> *c) {
  int lane = threadIdx.x;
  auto p = prune<_Float16, 4>(a + lane % 16 * 32 + lane / 16 * 8);
  Vec<_Float16, 4> packed = {p.values[0], p.values[1], p.values[2], p.values[3]};
  c[lane] = __builtin_amdgcn_smfmac_f32_16x16x32_f16(packed, b[lane % 16 * 4 + lane / 16], c[lane], p.index, 0, 0);
}
__global__ void sparseI8(const int8_t *a, const Vec<int, 4> *b, Vec<int, 4> *c) {
  int lane = threadIdx.x;
  auto p = prune<int8_t, 8>(a + lane % 16 * 64 + lane / 16 * 16);
  Vec<int, 2> packed = *reinterpret_cast<Vec<int, 2> *>(p.values);
  // The indices lie in the upper half of the register: set 1.
  c[lane] = __builtin_amdgcn_smfmac_i32_16x16x64_i8(packed, b[lane % 16 * 4 + lane / 16], c[lane], p.index << 16, 0, 1);
}
