// What random programs are made of. The same source is compiled for the host, where a driver loops over lanes between
// barriers, and for a chip (HIP without its headers). No function here has undefined behaviour for any operands, and
// none shows the bits of a NaN, which two processors choose differently.
#pragma once

// clang-format off: macros that the formatter lays out otherwise each time

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long i64;
typedef unsigned long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef _Float16 f16;
typedef __bf16 bf;
typedef float f32;
typedef double f64;
#define VECTORS(T)                                                                                                             \
  typedef T T##x2 __attribute__((ext_vector_type(2)));                                                                         \
  typedef T T##x3 __attribute__((ext_vector_type(3)));                                                                         \
  typedef T T##x4 __attribute__((ext_vector_type(4)));                                                                         \
  typedef T T##x8 __attribute__((ext_vector_type(8)));                                                                         \
  typedef T T##x16 __attribute__((ext_vector_type(16)));
VECTORS(i8) VECTORS(u8) VECTORS(i16) VECTORS(u16) VECTORS(i32) VECTORS(u32) VECTORS(i64) VECTORS(u64)
VECTORS(f16) VECTORS(bf) VECTORS(f32) VECTORS(f64)

#ifdef __AMDGCN__
#define FN __attribute__((device)) static inline
#define DATA __attribute__((device)) static
#else
#define FN static inline
#define DATA static
#endif
#define NOINLINE __attribute__((noinline))

#ifndef __AMDGCN__
// The conversions that clang calls on x86, which older compiler libraries lack. They return the 16 bits in a float's register.
extern "C" f32 __truncsfbf2(f32 x) {
  u32 b = __builtin_bit_cast(u32, x);
  u32 rounded = (b & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : b + 0x7fff + (b >> 16 & 1);
  return __builtin_bit_cast(f32, rounded >> 16);
}
extern "C" f32 __truncdfbf2(f64 x) {
  f32 y = f32(x);
  u32 b = __builtin_bit_cast(u32, y);
  if (x == x && f64(y) != x) { // rounded to odd, so that the second rounding is as if it were the only one
    b -= __builtin_fabs(f64(y)) > __builtin_fabs(x);
    b |= 1;
  }
  return __truncsfbf2(__builtin_bit_cast(f32, b));
}
#endif

// Integers.

template <class T> constexpr bool isSigned = T(-1) < T(0);
template <class T> constexpr int bitsOf = 8 * sizeof(T);
template <class T> FN T div_(T a, T b) { return b == 0 || (isSigned<T> && b == T(-1)) ? T(a - b) : T(a / b); }
template <class T> FN T rem_(T a, T b) { return b == 0 || (isSigned<T> && b == T(-1)) ? T(a ^ b) : T(a % b); }
template <class T> FN T shl_(T a, u32 n) { return T(a << (n & (bitsOf<T> - 1))); }
template <class T> FN T shr_(T a, u32 n) { return T(a >> (n & (bitsOf<T> - 1))); }
template <class T> FN u32 clz_(T a) { return __builtin_clzg(a, bitsOf<T>); }
template <class T> FN u32 ctz_(T a) { return __builtin_ctzg(a, bitsOf<T>); }
template <class T> FN u32 popcount_(T a) { return __builtin_popcountg(a); }
template <class T> FN T min_(T a, T b) { return a < b ? a : b; }
template <class T> FN T max_(T a, T b) { return a > b ? a : b; }
template <class T> FN T med3_(T a, T b, T c) { return max_(min_(a, b), min_(max_(a, b), c)); }
template <class T> FN T field_(T a, u32 at, u32 width) { return T(shr_(a, at) & T(shl_(T(1), width) - 1)); }
template <class T> FN T rotate_(T a, u32 n) {
  if constexpr (sizeof(T) == 1)
    return __builtin_rotateleft8(a, n);
  else if constexpr (sizeof(T) == 2)
    return __builtin_rotateleft16(a, n);
  else if constexpr (sizeof(T) == 4)
    return __builtin_rotateleft32(a, n);
  else
    return __builtin_rotateleft64(a, n);
}
template <class T> FN T bitreverse_(T a) {
  if constexpr (sizeof(T) == 1)
    return __builtin_bitreverse8(a);
  else if constexpr (sizeof(T) == 2)
    return __builtin_bitreverse16(a);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bitreverse32(a);
  else
    return __builtin_bitreverse64(a);
}
template <class T> FN T bswap_(T a) {
  if constexpr (sizeof(T) == 2)
    return __builtin_bswap16(a);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bswap32(a);
  else
    return __builtin_bswap64(a);
}
template <class T> FN T checkedAdd(T a, T b) { T r; return __builtin_add_overflow(a, b, &r) ? T(~r) : r; }
template <class T> FN T checkedSub(T a, T b) { T r; return __builtin_sub_overflow(a, b, &r) ? T(~r) : r; }
template <class T> FN T checkedMul(T a, T b) { T r; return __builtin_mul_overflow(a, b, &r) ? T(~r) : r; }
FN u64 mulhi_(u64 a, u64 b) { return u64((u128(a) * b) >> 64); }
FN i64 mulhi_(i64 a, i64 b) { return i64((i128(a) * b) >> 64); }
FN u32 mulhi_(u32 a, u32 b) { return u32((u64(a) * b) >> 32); }
FN i32 mulhi_(i32 a, i32 b) { return i32((i64(a) * b) >> 32); }
FN u32 funnel_(u32 high, u32 low, u32 n) { return u32((u64(high) << 32 | low) >> (n & 31)); }

// Floats. Their bits, with one pattern for all NaNs; and floats of such bits.

FN u16 bits(f16 x) { u16 b = __builtin_bit_cast(u16, x); return (b & 0x7fff) > 0x7c00 ? u16(0x7e00) : b; }
FN u16 bits(bf x) { u16 b = __builtin_bit_cast(u16, x); return (b & 0x7fff) > 0x7f80 ? u16(0x7fc0) : b; }
FN u32 bits(f32 x) { u32 b = __builtin_bit_cast(u32, x); return (b & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : b; }
FN u64 bits(f64 x) {
  u64 b = __builtin_bit_cast(u64, x);
  return (b & 0x7fffffffffffffff) > 0x7ff0000000000000 ? 0x7ff8000000000000 : b;
}
template <class T> FN T bits(T x) { return x; }
FN f16 fromBits(u16 b, f16) { return __builtin_bit_cast(f16, (b & 0x7fff) > 0x7c00 ? u16(0x7e00) : b); }
FN bf fromBits(u16 b, bf) { return __builtin_bit_cast(bf, (b & 0x7fff) > 0x7f80 ? u16(0x7fc0) : b); }
FN f32 fromBits(u32 b, f32) { return __builtin_bit_cast(f32, (b & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : b); }
FN f64 fromBits(u64 b, f64) {
  return __builtin_bit_cast(f64, (b & 0x7fffffffffffffff) > 0x7ff0000000000000 ? 0x7ff8000000000000 : b);
}
template <class T> FN T fromBits(T b, T) { return b; }
template <class T> struct BitsOf { typedef decltype(bits(T())) type; };

// Which zero the minimum of +0 and -0 is, is not defined: adding +0 makes it the positive one.
template <class T> FN T fmin_(T a, T b) { return __builtin_elementwise_minnum(a, b) + T(0); }
template <class T> FN T fmax_(T a, T b) { return __builtin_elementwise_maxnum(a, b) + T(0); }
template <class T> FN T abs_(T a) { return __builtin_elementwise_abs(a); }
template <class T> FN T copysign_(T a, T b) { return __builtin_elementwise_copysign(a, fromBits(bits(b), T())); }
template <class T> FN T floor_(T a) { return __builtin_elementwise_floor(a); }
template <class T> FN T ceil_(T a) { return __builtin_elementwise_ceil(a); }
template <class T> FN T trunc_(T a) { return __builtin_elementwise_trunc(a); }
template <class T> FN T rint_(T a) { return __builtin_elementwise_rint(a); }
template <class T> FN T sqrt_(T a) { return __builtin_elementwise_sqrt(a); }
FN f32 fma_(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
FN f64 fma_(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
#ifdef __AMDGCN__
FN f16 fma_(f16 a, f16 b, f16 c) { return __builtin_elementwise_fma(a, b, c); }
#else
FN f16 fma_(f16 a, f16 b, f16 c) { return f16(__float128(a) * b + c); } // 80 bits hold the sum exactly
#endif
FN f32 ldexp_(f32 a, i32 n) { return __builtin_ldexpf(a, n % 300); }
FN f64 ldexp_(f64 a, i32 n) { return __builtin_ldexp(a, n % 2200); }
template <class T> FN bool unordered_(T a, T b) { return a != a || b != b; }

/// An integer of a float, where its type can hold it.
template <class I, class F> FN I toInt(F x) {
  constexpr int power = bitsOf<I> - isSigned<I>;
  if constexpr (sizeof(F) == 8) {
    const f64 high = 2.0 * f64(u128(1) << (power - 1));
    return x < high && x > (isSigned<I> ? -high : -1.0) ? I(x) : I(3);
  } else {
    const f32 high = power == 128 ? __builtin_inff() : 2.0f * f32(u128(1) << (power - 1)), y = f32(x);
    return y < high && y > (isSigned<I> ? -high : -1.0f) ? I(x) : I(3);
  }
}

// Memory, by bytes at any alignment.

template <class T> FN T load(const u8 *p) {
  typename BitsOf<T>::type b;
  __builtin_memcpy(&b, p, sizeof b);
  return fromBits(b, T());
}
template <class T> FN void store(u8 *p, T x) {
  auto b = bits(x);
  __builtin_memcpy(p, &b, sizeof b);
}
/// The same at natural alignment.
template <class T> FN T loadAligned(const u8 *p) { return fromBits(*(const typename BitsOf<T>::type *)p, T()); }
template <class T> FN void storeAligned(u8 *p, T x) { *(typename BitsOf<T>::type *)p = bits(x); }
template <class T> FN T loadVolatile(const u8 *p) { return fromBits(*(const volatile typename BitsOf<T>::type *)p, T()); }
template <class T> FN void storeVolatile(u8 *p, T x) { *(volatile typename BitsOf<T>::type *)p = bits(x); }

// Atomics. Each returns the old value.

#ifdef __AMDGCN__
#define ATOMIC(name, what)                                                                                                     \
  template <class T> FN T name(T *p, T x) { return __hip_atomic_##what(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
ATOMIC(atomicAdd, fetch_add) ATOMIC(atomicSub, fetch_sub) ATOMIC(atomicAnd, fetch_and) ATOMIC(atomicOr, fetch_or)
ATOMIC(atomicXor, fetch_xor) ATOMIC(atomicMin, fetch_min) ATOMIC(atomicMax, fetch_max) ATOMIC(atomicSwap, exchange)
template <class T> FN T atomicCas(T *p, T expected, T x) {
  __hip_atomic_compare_exchange_strong(p, &expected, x, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}
#else
#define ATOMIC(name, expression)                                                                                               \
  template <class T> FN T name(T *p, T x) { T old = *p; *p = expression; return old; }
ATOMIC(atomicAdd, T(old + x)) ATOMIC(atomicSub, T(old - x)) ATOMIC(atomicAnd, T(old & x)) ATOMIC(atomicOr, T(old | x))
ATOMIC(atomicXor, T(old ^ x)) ATOMIC(atomicMin, x < old ? x : old) ATOMIC(atomicMax, x > old ? x : old) ATOMIC(atomicSwap, x)
template <class T> FN T atomicCas(T *p, T expected, T x) {
  T old = *p;
  if (old == expected)
    *p = x;
  return old;
}
#endif

// AMD's operations on integers that have a builtin and a meaning in C++.

#ifdef __AMDGCN__
FN u32 ubfe_(u32 a, u32 at, u32 width) { return __builtin_amdgcn_ubfe(a, at & 31, 1 + width % 31); }
FN i32 sbfe_(i32 a, u32 at, u32 width) { return __builtin_amdgcn_sbfe(a, at % 31, 1 + width % (31 - at % 31)); }
FN u32 perm_(u32 a, u32 b, u32 selector) { return __builtin_amdgcn_perm(a, b, selector); }
FN u32 alignbit_(u32 a, u32 b, u32 n) { return __builtin_amdgcn_alignbit(a, b, n); }
FN u32 alignbyte_(u32 a, u32 b, u32 n) { return __builtin_amdgcn_alignbyte(a, b, n); }
FN u32 sad_(u32 a, u32 b, u32 c) { return __builtin_amdgcn_sad_u8(a, b, c); }
FN u32 sad16_(u32 a, u32 b, u32 c) { return __builtin_amdgcn_sad_u16(a, b, c); }
FN u32 msad_(u32 a, u32 b, u32 c) { return __builtin_amdgcn_msad_u8(a, b, c); }
FN u32 lerp_(u32 a, u32 b, u32 c) { return __builtin_amdgcn_lerp(a, b, c); }
FN u32 udot4_(u32 a, u32 b, u32 c) { return __builtin_amdgcn_udot4(a, b, c, false); }
FN u32 udot4sat_(u32 a, u32 b, u32 c) { return __builtin_amdgcn_udot4(a, b, c, true); }
FN u32 udot8_(u32 a, u32 b, u32 c) { return __builtin_amdgcn_udot8(a, b, c, false); }
FN i32 sdot4_(i32 a, i32 b, i32 c) { return __builtin_amdgcn_sdot4(a, b, c, false); }
FN i32 sdot4sat_(i32 a, i32 b, i32 c) { return __builtin_amdgcn_sdot4(a, b, c, true); }
FN i32 sdot8_(i32 a, i32 b, i32 c) { return __builtin_amdgcn_sdot8(a, b, c, false); }
#else
FN u32 byteOf(u32 a, u32 i) { return a >> 8 * i & 255; }
FN u32 ubfe_(u32 a, u32 at, u32 width) { return a >> (at & 31) & ((1u << (1 + width % 31)) - 1); }
FN i32 sbfe_(i32 a, u32 at, u32 width) {
  u32 w = 1 + width % (31 - at % 31);
  return i32(u32(a) << (32 - w - at % 31)) >> (32 - w);
}
FN u32 perm_(u32 a, u32 b, u32 selector) {
  u64 both = u64(a) << 32 | b;
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    u32 s = byteOf(selector, i);
    u32 byte = s < 8 ? u32(both >> 8 * s & 255) : s < 12 ? (both >> (16 * (s - 8) + 15) & 1) * 255 : s == 12 ? 0 : 255;
    result |= byte << 8 * i;
  }
  return result;
}
FN u32 alignbit_(u32 a, u32 b, u32 n) { return u32((u64(a) << 32 | b) >> (n & 31)); }
FN u32 alignbyte_(u32 a, u32 b, u32 n) { return u32((u64(a) << 32 | b) >> 8 * (n & 3)); }
FN u32 sad_(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i)
    c += max_(byteOf(a, i), byteOf(b, i)) - min_(byteOf(a, i), byteOf(b, i));
  return c;
}
FN u32 sad16_(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i) {
    u32 x = a >> 16 * i & 0xffff, y = b >> 16 * i & 0xffff;
    c += max_(x, y) - min_(x, y);
  }
  return c;
}
FN u32 msad_(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i)
    if (byteOf(b, i))
      c += max_(byteOf(a, i), byteOf(b, i)) - min_(byteOf(a, i), byteOf(b, i));
  return c;
}
FN u32 lerp_(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (int i = 0; i < 4; ++i)
    result |= ((byteOf(a, i) + byteOf(b, i) + (byteOf(c, i) & 1)) >> 1) << 8 * i;
  return result;
}
template <class T> FN T dot_(T a, T b, int width) {
  i64 sum = 0;
  for (int i = 0; i < 32; i += width) {
    T x = T(T(u32(a) << (32 - width - i)) >> (32 - width)), y = T(T(u32(b) << (32 - width - i)) >> (32 - width));
    sum += i64(x) * i64(y);
  }
  return T(sum);
}
FN u32 udot4_(u32 a, u32 b, u32 c) { return dot_(a, b, 8) + c; }
FN u32 udot4sat_(u32 a, u32 b, u32 c) { return u32(min_(u64(dot_(a, b, 8)) + c, u64(0xffffffff))); }
FN u32 udot8_(u32 a, u32 b, u32 c) { return dot_(a, b, 4) + c; }
FN i32 sdot4_(i32 a, i32 b, i32 c) { return dot_(a, b, 8) + c; }
FN i32 sdot4sat_(i32 a, i32 b, i32 c) {
  return i32(med3_(i64(dot_(a, b, 8)) + c, -i64(0x80000000), i64(0x7fffffff)));
}
FN i32 sdot8_(i32 a, i32 b, i32 c) { return dot_(a, b, 4) + c; }
#endif

// A lane's view of memory. LDS and the workgroup's part of global memory have two sides: a phase writes and counts on one
// and reads the other, which the phase before wrote.

constexpr u32 maxLanes = 256, inBytes = 256, memBytes = 256, ownBytes = 48, counters = 10;
struct Shared {
  u32 slot[2][maxLanes][4];
  u32 count32[2][counters];
  u64 count64[2][counters];
  f32 countF[2][2];
  f64 countD[2][2];
  u32 pad[2];
};
struct Lds : Shared {
  alignas(16) u8 own[maxLanes][ownBytes];
};
struct Lane {
  const u8 *in; ///< inBytes
  u8 *mem;      ///< memBytes
  u64 *out;
  Shared *shared; ///< of the workgroup, in global memory
  u32 lane, lanes, group;
  u32 u0, u1; ///< the same in all lanes
  u64 u2;
  f32 u3;
  f64 u4;
};
template <class S> FN void count(S &s, u32 side, u32 which, u32 x) {
  u32 *c = &s.count32[side][which % counters];
  u64 *d = &s.count64[side][which % counters];
  switch (which) {
  case 0: atomicAdd(c, x); break;
  case 1: atomicSub(c, x); break;
  case 2: atomicAnd(c, x); break;
  case 3: atomicOr(c, x); break;
  case 4: atomicXor(c, x); break;
  case 5: atomicMin(c, x); break;
  case 6: atomicMax(c, x); break;
  case 7: atomicMin((i32 *)c, i32(x)); break;
  case 8: atomicMax((i32 *)c, i32(x)); break;
  case 9: atomicAdd(&s.countF[side][0], f32(x & 15)); break; // sums of small integers are exact in any order
  case 10: atomicAdd(d, u64(x) << 7); break;
  case 11: atomicSub(d, u64(x) << 9); break;
  case 12: atomicAnd(d, u64(x) * 0x100000001); break;
  case 13: atomicOr(d, u64(x) << 13); break;
  case 14: atomicXor(d, u64(x) << 15); break;
  case 15: atomicMin(d, u64(x) << 32); break;
  case 16: atomicMax(d, u64(x) << 11); break;
  case 17: atomicMin((i64 *)d, i64(i32(x)) * 77); break;
  case 18: atomicMax((i64 *)d, i64(i32(x)) * 99); break;
  case 19: atomicAdd(&s.countD[side][0], f64(x & 4095)); break;
  }
}

// Operations between the lanes of a wave, all of them active. The host's have the operands of all lanes and give lane i's result.

#ifdef __AMDGCN__
#define WAVE(operation, to, a, b) s.to = operation(s.a, s.b)
#define LANEWISE(name, expression) FN u32 name(u32 a, u32 b) { return expression; }
LANEWISE(bpermute_, __builtin_amdgcn_ds_bpermute(b, a))
LANEWISE(permute_, __builtin_amdgcn_ds_permute((__builtin_amdgcn_workitem_id_x() * 5 + 3) * 4, a))
LANEWISE(readlane_, __builtin_amdgcn_readlane(a, __builtin_amdgcn_readfirstlane(b) & 63))
LANEWISE(readfirstlane_, __builtin_amdgcn_readfirstlane(a) + b)
LANEWISE(ballot_, u32(__builtin_amdgcn_ballot_w64(a > b) >> (b & 32)))
LANEWISE(mbcnt_, __builtin_amdgcn_mbcnt_hi(a, __builtin_amdgcn_mbcnt_lo(~a, b)))
template <int pattern> LANEWISE(swizzle_, __builtin_amdgcn_ds_swizzle(a, pattern) ^ b)
template <int control, int rows, int banks, bool zero>
LANEWISE(dpp_, __builtin_amdgcn_update_dpp(b, a, control, rows, banks, zero))
FN void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
#define WAVE(operation, to, a, b) wave(states, lanes, &State::to, &State::a, &State::b, operation)
template <class S, class F> void wave(S *states, u32 lanes, u32 S::*to, u32 S::*first, u32 S::*second, F &&operation) {
  for (u32 base = 0; base < lanes; base += 64) {
    u32 a[64], b[64];
    for (u32 i = 0; i < 64; ++i)
      a[i] = states[base + i].*first, b[i] = states[base + i].*second;
    for (u32 i = 0; i < 64; ++i)
      states[base + i].*to = operation(a, b, i);
  }
}
#define LANEWISE(name, expression) FN u32 name(const u32 *a, const u32 *b, u32 i) { return expression; }
FN u32 inverse(u32 lane) { return ((lane - 3) * 205) & 63; } // 5 * 205 is 1 modulo 64
FN u64 ballotOf(const u32 *a, const u32 *b) {
  u64 mask = 0;
  for (int i = 0; i < 64; ++i)
    mask |= u64(a[i] > b[i]) << i;
  return mask;
}
LANEWISE(bpermute_, a[b[i] >> 2 & 63])
LANEWISE(permute_, a[inverse(i)])
LANEWISE(readlane_, a[b[0] & 63])
LANEWISE(readfirstlane_, a[0] + b[i])
LANEWISE(ballot_, u32(ballotOf(a, b) >> (b[i] & 32)))
LANEWISE(mbcnt_, b[i] + __builtin_popcountll((u64(a[i]) << 32 | u32(~a[i])) & ((u64(1) << i) - 1)))
FN u32 swizzled(int pattern, u32 i) {
  if (pattern & 0x8000)
    return (i & ~3) | (pattern >> 2 * (i & 3) & 3);
  return (i & 32) | (((i & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31));
}
template <int pattern> LANEWISE(swizzle_, a[swizzled(pattern, i)] ^ b[i])
/// The lane that DPP reads, -1 for none.
FN int dppSource(int control, int i) {
  int row = i & ~15, in = i & 15, n = control & 15;
  if (control < 0x100)
    return (i & ~3) | (control >> 2 * (i & 3) & 3);
  if (control < 0x110) // row_shl
    return in + n < 16 ? i + n : -1;
  if (control < 0x120) // row_shr
    return in >= n ? i - n : -1;
  if (control < 0x130) // row_ror
    return row | ((in - n) & 15);
  switch (control) {
  case 0x130: return i < 63 ? i + 1 : -1; // wave_shl
  case 0x134: return (i + 1) & 63;        // wave_rol
  case 0x138: return i > 0 ? i - 1 : -1;  // wave_shr
  case 0x13c: return (i - 1) & 63;        // wave_ror
  case 0x140: return row | (15 - in);     // row_mirror
  case 0x141: return i ^ 7;               // row_half_mirror
  case 0x142: return i >= 16 ? row - 1 : -1;            // row_bcast:15
  case 0x143: return i >= 32 ? (i & 32) - 1 : -1;       // row_bcast:31
  }
  return row | n; // row_newbcast
}
template <int control, int rows, int banks, bool zero> FN u32 dpp_(const u32 *a, const u32 *b, u32 i) {
  if (!(rows >> i / 16 & 1) || !(banks >> (i / 4 & 3) & 1))
    return b[i];
  int source = dppSource(control, i);
  return source >= 0 ? a[source] : zero ? 0 : b[i];
}
#endif

/// Before the first phase: LDS as global memory has it; then what a lane has left there.
FN void start(Lds &lds, Shared &shared, u32 lane, const u8 *in) {
  for (u32 i = 0; i < ownBytes; ++i)
    lds.own[lane][i] = in[i];
  for (u32 side = 0; side < 2; ++side)
    for (u32 i = 0; i < 4; ++i)
      lds.slot[side][lane][i] = shared.slot[side][lane][i];
  if (lane == 0)
    for (u32 side = 0; side < 2; ++side) {
      for (u32 i = 0; i < counters; ++i) {
        lds.count32[side][i] = shared.count32[side][i];
        lds.count64[side][i] = shared.count64[side][i];
      }
      lds.countF[side][0] = shared.countF[side][0];
      lds.countD[side][0] = shared.countD[side][0];
    }
}
FN void finish(Lds &lds, Shared &shared, u32 lane) {
  for (u32 side = 0; side < 2; ++side)
    for (u32 i = 0; i < 4; ++i)
      shared.slot[side][lane][i] += lds.slot[side][lane][i];
  if (lane == 0)
    for (u32 side = 0; side < 2; ++side)
      for (u32 i = 0; i < counters; ++i) {
        shared.count32[side][i] += lds.count32[side][i];
        shared.count64[side][i] += lds.count64[side][i];
      }
}
