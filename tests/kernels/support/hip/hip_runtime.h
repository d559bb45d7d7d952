// The part of HIP's device API that the kernels here use, on clang's builtins and its own HIP headers. Math functions
// are those of the ROCm device libraries. No host side: kernels are compiled with --offload-device-only.
#pragma once

#define __HIPCC_RTC__ 1 // no standard library
#include <__clang_hip_runtime_wrapper.h>

using size_t = __SIZE_TYPE__;
using uint8_t = __UINT8_TYPE__;
using uint16_t = __UINT16_TYPE__;
using uint32_t = __UINT32_TYPE__;
using uint64_t = __UINT64_TYPE__;
using int8_t = __INT8_TYPE__;
using int16_t = __INT16_TYPE__;
using int32_t = __INT32_TYPE__;
using int64_t = __INT64_TYPE__;
using uint = unsigned int;
using uchar = unsigned char;
using ushort = unsigned short;

#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
static constexpr int warpSize = 64;
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_PI 3.14159265358979323846
#define FLT_MAX __FLT_MAX__

#define COORDINATES(name, X, Y, Z)                  \
  struct name##Type {                               \
    __declspec(property(get = getX)) unsigned x;    \
    __declspec(property(get = getY)) unsigned y;    \
    __declspec(property(get = getZ)) unsigned z;    \
    static __device__ unsigned getX() { return X; } \
    static __device__ unsigned getY() { return Y; } \
    static __device__ unsigned getZ() { return Z; } \
  };                                                \
  extern const __device__ __attribute__((weak)) name##Type name
COORDINATES(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
            __builtin_amdgcn_workitem_id_z());
COORDINATES(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
            __builtin_amdgcn_workgroup_id_z());
COORDINATES(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
            __builtin_amdgcn_workgroup_size_z());
COORDINATES(gridDim, (__builtin_amdgcn_grid_size_x() + blockDim.x - 1) / blockDim.x,
            (__builtin_amdgcn_grid_size_y() + blockDim.y - 1) / blockDim.y,
            (__builtin_amdgcn_grid_size_z() + blockDim.z - 1) / blockDim.z);
#undef COORDINATES

#define VECTORS(type, name)                                                                   \
  struct alignas(2 * sizeof(type)) name##2 { type x, y; };                                    \
  struct name##3 { type x, y, z; };                                                           \
  struct alignas(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)) name##4 { type x, y, z, w; }; \
  __device__ inline name##2 make_##name##2(type x, type y) { return {x, y}; }                 \
  __device__ inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }      \
  __device__ inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
VECTORS(float, float)
VECTORS(double, double)
VECTORS(int, int)
VECTORS(unsigned, uint)
VECTORS(unsigned char, uchar)
VECTORS(short, short)
#undef VECTORS

__device__ __forceinline__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__device__ __forceinline__ void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__device__ __forceinline__ void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ __forceinline__ int __lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }

__device__ __forceinline__ uint64_t __ballot(int predicate) { return __builtin_amdgcn_ballot_w64(predicate != 0); }
__device__ __forceinline__ int __any(int predicate) { return __ballot(predicate) != 0; }
__device__ __forceinline__ int __all(int predicate) { return __ballot(!predicate) == 0; }
__device__ __forceinline__ uint64_t __activemask() { return __ballot(1); }
__device__ __forceinline__ unsigned __popc(unsigned x) { return __builtin_popcount(x); }
__device__ __forceinline__ unsigned __popcll(uint64_t x) { return __builtin_popcountll(x); }
__device__ __forceinline__ int __clz(int x) { return x ? __builtin_clz(x) : 32; }
__device__ __forceinline__ int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
__device__ __forceinline__ int __ffs(unsigned x) { return __builtin_ffs(x); }
__device__ __forceinline__ int __ffsll(unsigned long long x) { return __builtin_ffsll(x); }
__device__ __forceinline__ unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__device__ __forceinline__ unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  // HIP selects by nibbles, v_perm_b32 by bytes.
  unsigned selector = (s & 7) | (s >> 4 & 7) << 8 | (s >> 8 & 7) << 16 | (s >> 12 & 7) << 24;
  return __builtin_amdgcn_perm(y, x, selector);
}
__device__ __forceinline__ unsigned __umulhi(unsigned a, unsigned b) { return uint64_t(a) * b >> 32; }
__device__ __forceinline__ uint64_t __umul64hi(uint64_t a, uint64_t b) { return (unsigned __int128)a * b >> 64; }
__device__ __forceinline__ uint32_t __float_as_uint(float x) { return __builtin_bit_cast(uint32_t, x); }
__device__ __forceinline__ int32_t __float_as_int(float x) { return __builtin_bit_cast(int32_t, x); }
__device__ __forceinline__ float __uint_as_float(uint32_t x) { return __builtin_bit_cast(float, x); }
__device__ __forceinline__ float __int_as_float(int32_t x) { return __builtin_bit_cast(float, x); }

__device__ __forceinline__ int __float2int_rn(float x) { return int(__builtin_rintf(x)); }

/// Shuffles move any type of whole dwords; `width` divides a wave into parts.
template <class T> __device__ __forceinline__ T shuffleFrom(T value, int from) {
  static_assert(sizeof(T) % 4 == 0);
  struct Words {
    int word[sizeof(T) / 4];
  } words = __builtin_bit_cast(Words, value);
  for (int &word : words.word)
    word = __builtin_amdgcn_ds_bpermute(from << 2, word);
  return __builtin_bit_cast(T, words);
}
template <class T> __device__ __forceinline__ T __shfl(T value, int lane, int width = warpSize) {
  int self = __lane_id();
  return shuffleFrom(value, (lane & (width - 1)) + (self & ~(width - 1)));
}
template <class T> __device__ __forceinline__ T __shfl_up(T value, unsigned delta, int width = warpSize) {
  int self = __lane_id(), from = self - int(delta);
  return shuffleFrom(value, from < (self & ~(width - 1)) ? self : from);
}
template <class T> __device__ __forceinline__ T __shfl_down(T value, unsigned delta, int width = warpSize) {
  int self = __lane_id();
  return shuffleFrom(value, (self & (width - 1)) + int(delta) >= width ? self : self + int(delta));
}
template <class T> __device__ __forceinline__ T __shfl_xor(T value, int mask, int width = warpSize) {
  int self = __lane_id(), from = self ^ mask;
  return shuffleFrom(value, from >= ((self + width) & ~(width - 1)) ? self : from);
}

#define ATOMIC(name, builtin)                                                                  \
  template <class T> __device__ __forceinline__ T name(T *place, __type_identity_t<T> value) { \
    return builtin(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                  \
  }
template <class T> struct TypeIdentity {
  using Type = T;
};
template <class T> using __type_identity_t = typename TypeIdentity<T>::Type;
ATOMIC(atomicAdd, __hip_atomic_fetch_add)
ATOMIC(atomicAnd, __hip_atomic_fetch_and)
ATOMIC(atomicOr, __hip_atomic_fetch_or)
ATOMIC(atomicXor, __hip_atomic_fetch_xor)
ATOMIC(atomicMin, __hip_atomic_fetch_min)
ATOMIC(atomicMax, __hip_atomic_fetch_max)
ATOMIC(atomicExch, __hip_atomic_exchange)
#undef ATOMIC
template <class T> __device__ __forceinline__ T atomicSub(T *place, __type_identity_t<T> value) {
  return atomicAdd(place, T(-value));
}
template <class T>
__device__ __forceinline__ T atomicCAS(T *place, __type_identity_t<T> compare, __type_identity_t<T> value) {
  __hip_atomic_compare_exchange_strong(place, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return compare;
}
__device__ __forceinline__ unsigned atomicInc(unsigned *place, unsigned limit) {
  return __builtin_amdgcn_atomic_inc32(place, limit, __ATOMIC_RELAXED, "agent");
}
__device__ __forceinline__ unsigned atomicDec(unsigned *place, unsigned limit) {
  return __builtin_amdgcn_atomic_dec32(place, limit, __ATOMIC_RELAXED, "agent");
}
