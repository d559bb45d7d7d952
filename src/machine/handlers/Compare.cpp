// VOPC: comparisons to lane masks.
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
/// Whether a float is of one of the ten classes in `classes`: signalling and quiet NaN, then from minus infinity
/// to plus infinity.
template <int Exponent, int Mantissa> bool isOfClass(u64 x, u32 classes) {
  const u64 mantissa = x & ((u64(1) << Mantissa) - 1), largest = (u64(1) << Exponent) - 1,
            exponent = x >> Mantissa & largest;
  if (exponent == largest && mantissa)
    return classes >> (mantissa >> (Mantissa - 1)) & 1;
  const unsigned magnitude = exponent == largest ? 3
                             : exponent          ? 2
                             : mantissa          ? 1
                                                 : 0; // infinity, normal, denormal, zero
  return classes >> (x >> (Exponent + Mantissa) & 1 ? 5 - magnitude : 6 + magnitude) & 1;
}
/// In `Sign`: the second source is a mask of classes, without neg and abs.
constexpr u32 classSource = 1;

/// The mask goes to the scalar destination; v_cmpx also becomes EXEC.
template <bool X> void setMask(Wave &w, const Op &op, u64 mask) {
  mask &= w.exec();
  w.setS64(op.scalarDestination, mask);
  if constexpr (X)
    w.setExec(mask);
}

template <auto F, u32 Sign, bool X> void compare32(Wave &w, const Op &op) {
  LaneArray space[2], changed[2];
  const u32 *a = laneSource(w, op.source[0], space[0]), *b = laneSource(w, op.source[1], space[1]);
  if constexpr (Sign != 0) {
    a = modified(op.source[0], a, changed[0], Sign & ~classSource);
    if constexpr (!(Sign & classSource))
      b = modified(op.source[1], b, changed[1], Sign);
  }
  setMask<X>(w, op, laneMask([&](unsigned i) { return F(a[i], b[i]); }));
}
template <auto F, bool IsFloat, bool X> void compare64(Wave &w, const Op &op) {
  WideArray space[2];
  const u64 *a = wideSource(w, op.source[0], space[0], 64, IsFloat),
            *b = wideSource(w, op.source[1], space[1], 64, IsFloat);
  setMask<X>(w, op, laneMask([&](unsigned i) { return F(a[i], b[i]); }));
}
template <bool X> void compareClass64(Wave &w, const Op &op) {
  WideArray wide;
  LaneArray space;
  const u64 *a = wideSource(w, op.source[0], wide, 64, true);
  const u32 *classes = laneSource(w, op.source[1], space);
  setMask<X>(w, op, laneMask([&](unsigned i) { return isOfClass<11, 52>(a[i], classes[i]); }));
}
} // namespace

// NOLINTNEXTLINE(readability-function-size): a table
void registerCompare(HandlerTable &table) {
  // clang-format off: a table of macros, which the formatter takes for calls and lays out otherwise each time
#define ONE(kind, relation, T, conv, W, sign, isFloat) \
  if constexpr ((W) == 64) { \
    add(table, "v_cmp_" relation "_" kind, compare64<[](u64 x, u64 y) -> bool { T a = conv(x), b = conv(y); (void)a; (void)b; return RESULT; }, isFloat, false>, {64, 64, 64}); \
    add(table, "v_cmpx_" relation "_" kind, compare64<[](u64 x, u64 y) -> bool { T a = conv(x), b = conv(y); (void)a; (void)b; return RESULT; }, isFloat, true>, {64, 64, 64}); \
  } else { \
    add(table, "v_cmp_" relation "_" kind, compare32<[](u32 x, u32 y) -> bool { T a = conv(x), b = conv(y); (void)a; (void)b; return RESULT; }, sign, false>, {W, W, W}); \
    add(table, "v_cmpx_" relation "_" kind, compare32<[](u32 x, u32 y) -> bool { T a = conv(x), b = conv(y); (void)a; (void)b; return RESULT; }, sign, true>, {W, W, W}); \
  }
#define EACH(relation) \
  ONE("i32", relation, i32, i32, 32, 0, false) ONE("u32", relation, u32, u32, 32, 0, false) \
  ONE("i64", relation, i64, i64, 64, 0, false) ONE("u64", relation, u64, u64, 64, 0, false) \
  ONE("i16", relation, int16_t, int16_t, 16, 0, false) ONE("u16", relation, u16, u16, 16, 0, false)
#define HALF(v) float(asH(v))
#define EACHF(relation) \
  ONE("f32", relation, float, asF, 32, 0x80000000u, true) ONE("f16", relation, float, HALF, 16, 0x8000u, true) \
  ONE("f64", relation, double, asD, 64, 0, true)

#define RESULT a < b
  EACH("lt") EACHF("lt")
#undef RESULT
#define RESULT a == b
  EACH("eq") EACHF("eq")
#undef RESULT
#define RESULT a <= b
  EACH("le") EACHF("le")
#undef RESULT
#define RESULT a > b
  EACH("gt") EACHF("gt")
#undef RESULT
#define RESULT a != b
  EACH("ne") EACHF("neq")
#undef RESULT
#define RESULT a >= b
  EACH("ge") EACHF("ge")
#undef RESULT
#define RESULT false
  EACH("f") EACHF("f")
#undef RESULT
#define RESULT true
  EACH("t") EACHF("tru")
#undef RESULT
#define RESULT (a < b || a > b)
  EACHF("lg")
#undef RESULT
#define RESULT (a == a && b == b)
  EACHF("o")
#undef RESULT
#define RESULT (a != a || b != b)
  EACHF("u")
#undef RESULT
#define RESULT !(a >= b)
  EACHF("nge")
#undef RESULT
#define RESULT !(a < b || a > b)
  EACHF("nlg")
#undef RESULT
#define RESULT !(a > b)
  EACHF("ngt")
#undef RESULT
#define RESULT !(a <= b)
  EACHF("nle")
#undef RESULT
#define RESULT !(a < b)
  EACHF("nlt")
#undef RESULT
#define CLASS(prefix, x) \
  add(table, prefix "_f32", compare32<[](u32 a, u32 b) -> bool { return isOfClass<8, 23>(a, b); }, classSource | 0x80000000u, x>); \
  add(table, prefix "_f16", compare32<[](u32 a, u32 b) -> bool { return isOfClass<5, 10>(a & 0xffff, b); }, classSource | 0x8000u, x>, {16, 32, 32}); \
  add(table, prefix "_f64", compareClass64<x>, {64, 32, 32});
  CLASS("v_cmp_class", false)
  CLASS("v_cmpx_class", true)
#undef CLASS
  // clang-format on
}

} // namespace inflight::machine::SIMD_LEVEL
