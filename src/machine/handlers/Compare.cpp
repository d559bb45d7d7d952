// VOPC: comparisons to lane masks.
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
/// The mask goes to the scalar destination; v_cmpx also becomes EXEC.
template <auto F, u32 Sign, bool X> void compare32(Wave &w, const Op &op) {
  LaneArray space[2], changed[2];
  const u32 *a = laneSource(w, op.source[0], space[0]), *b = laneSource(w, op.source[1], space[1]);
  if constexpr (Sign != 0) {
    a = modified(op.source[0], a, changed[0], Sign);
    b = modified(op.source[1], b, changed[1], Sign);
  }
  u64 mask = 0;
  for (unsigned i = 0; i < Lanes; ++i)
    mask |= u64(F(a[i], b[i])) << i;
  mask &= w.exec();
  w.setS64(op.scalarDestination, mask);
  if constexpr (X)
    w.setExec(mask);
}
template <auto F, bool IsFloat, bool X> void compare64(Wave &w, const Op &op) {
  WideArray space[2];
  const u64 *a = wideSource(w, op.source[0], space[0], 64, IsFloat), *b = wideSource(w, op.source[1], space[1], 64, IsFloat);
  u64 mask = 0;
  for (unsigned i = 0; i < Lanes; ++i)
    mask |= u64(F(a[i], b[i])) << i;
  mask &= w.exec();
  w.setS64(op.scalarDestination, mask);
  if constexpr (X)
    w.setExec(mask);
}
} // namespace

void registerCompare(HandlerTable &table) {
#define ONE(kind, relation, T, conv, W, sign, isFloat) \
  if constexpr (W == 64) { \
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
  add(table, "v_cmp_class_f32", compare32<[](u32 x, u32 y) -> bool {
    float a = asF(x);
    bool negative = std::signbit(a);
    int c = std::isnan(a) ? (x & 0x400000 ? 1 : 0) : std::isinf(a) ? (negative ? 2 : 9) : a == 0 ? (negative ? 5 : 6)
            : std::fabs(a) < 0x1p-126f ? (negative ? 4 : 7) : (negative ? 3 : 8);
    return y >> c & 1;
  }, 0, false>);
}

} // namespace inflight::machine::SIMD_LEVEL
