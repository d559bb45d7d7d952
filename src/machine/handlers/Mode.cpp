// Float instructions under a MODE that isn't the plain one: sources and results of the handler are flushed around it,
// and the host rounds as MODE says meanwhile.
#include "isa/instr/FloatRules.h"
#include "machine/handlers/Valu.h"
#ifdef __x86_64__
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace inflight::machine::SIMD_LEVEL {

namespace {
/// The host's rounding mode for as long as this lives; MODE's numbers: nearest, up, down, towards zero.
class HostRounding {
#ifdef __x86_64__
public:
  explicit HostRounding(u32 field) : saved(_mm_getcsr()) {
    static constexpr u32 control[] = {0, 2, 1, 3};
    if (field)
      _mm_setcsr((saved & ~0x6000u) | control[field] << 13);
  }
  ~HostRounding() { _mm_setcsr(saved); }

private:
  u32 saved;
#else
public:
  explicit HostRounding(u32 field) : saved(std::fegetround()) {
    static constexpr int control[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (field)
      std::fesetround(control[field]);
  }
  ~HostRounding() { std::fesetround(saved); }

private:
  int saved;
#endif
};

bool is32(FloatPart part) { return part == FloatPart::Single || part == FloatPart::Singles; }
bool isHalf(FloatPart part) { return part == FloatPart::Half || part == FloatPart::Halves; }
unsigned registersOf(FloatPart part) { return part == FloatPart::Double || part == FloatPart::Singles ? 2 : 1; }

/// Denormals become zeros of their sign.
u32 flushed32(u32 x) { return magnitude<32>(x) < 0x800000 ? x & 0x80000000u : x; }
u32 flushedHalves(u32 x) {
  const u32 low = (x & 0x7c00) ? 0xffff : 0x8000, high = (x & 0x7c000000) ? 0xffff0000u : 0x80000000u;
  return x & (low | high);
}
/// Signalling NaNs become quiet.
u32 quieted32(u32 x) { return isNan<32>(x) ? x | Format<32>::quiet : x; }
u32 quietedHalves(u32 x) {
  return x | (isNan<16>(x & 0xffff) ? Format<16>::quiet : 0) | (isNan<16>(x >> 16) ? Format<16>::quiet << 16 : 0);
}

/// Applies `one` to registers of words, or `wide` to pairs that are doubles. Whether anything changed.
template <typename One, typename Wide>
bool change(FloatPart part, const u32 *low, const u32 *high, u32 *toLow, u32 *toHigh, One one, Wide wide) {
  u32 changed = 0;
  if (part == FloatPart::Double) {
    for (unsigned i = 0; i < Lanes; ++i) {
      const u64 x = low[i] | u64(high[i]) << 32, r = wide(x);
      changed |= r != x;
      toLow[i] = u32(r);
      toHigh[i] = u32(r >> 32);
    }
    return changed;
  }
  for (unsigned i = 0; i < Lanes; ++i)
    changed |= (toLow[i] = one(low[i])) ^ low[i];
  if (registersOf(part) == 2)
    for (unsigned i = 0; i < Lanes; ++i)
      changed |= (toHigh[i] = one(high[i])) ^ high[i];
  return changed;
}

struct Settings {
  u32 bits;
  bool flushesIn(FloatPart p) const { return !(bits & (is32(p) ? mode::In32 : mode::In16And64)); }
  bool flushesOut(FloatPart p) const { return !(bits & (is32(p) ? mode::Out32 : mode::Out16And64)); }
  u32 rounding(FloatPart p) const { return is32(p) ? bits & 3 : bits >> 2 & 3; }
  bool ieee() const { return bits & mode::Ieee; }
  /// OMOD counts only where nothing asks for IEEE results.
  bool obeysOutputModifier(FloatPart p) const { return !ieee() && flushesOut(p); }
};

/// The sources' lanes as they were, for what the result needs to know of them.
struct Kept {
  LaneArray low[4], high[4];
  FloatPart part[4];
  unsigned count = 0;
};
void keep(Wave &w, const Source &source, FloatPart part, Kept &kept) {
  LaneArray space;
  const unsigned k = kept.count++;
  kept.part[k] = part;
  std::memcpy(kept.low[k].lane, laneSource(w, source, space), sizeof space);
  if (registersOf(part) == 2)
    std::memcpy(kept.high[k].lane, laneSource(w, source, space, 1), sizeof space);
}
/// Calls `see` with each float of the sources that result element `h` of a lane comes from: its encoding as one of W
/// bits.
template <typename See> void eachSource(const Kept &kept, const Op &op, unsigned lane, unsigned h, See see) {
  for (unsigned k = 0; k < kept.count; ++k) {
    const u32 low = kept.low[k].lane[lane], high = kept.high[k].lane[lane];
    const bool upper = k == 3 ? h : (h ? op.opSelHigh : op.opSel) >> k & 1; // the fourth is the destination
    switch (kept.part[k]) {
    case FloatPart::None: break;
    case FloatPart::Half:
    case FloatPart::Halves: see(std::integral_constant<unsigned, 16>(), upper ? low >> 16 : low & 0xffff); break;
    case FloatPart::Single: see(std::integral_constant<unsigned, 32>(), low); break;
    case FloatPart::Singles: see(std::integral_constant<unsigned, 32>(), upper ? high : low); break;
    case FloatPart::Double: see(std::integral_constant<unsigned, 64>(), low | u64(high) << 32); break;
    }
  }
}

/// What becomes of one element of the result: `h` counts the halves or singles of a pair.
template <unsigned W>
BitsOf<W> settle(BitsOf<W> x, const Op &op, const FloatRules &rules, FloatPart part, Settings settings,
                 const Kept &kept, unsigned lane, unsigned h) {
  using F = Format<W>;
  if (W == 16 && settings.bits & mode::Fp16Overflow && magnitude<W>(x) == F::infinity) {
    bool finite = true;
    eachSource(kept, op, lane, h, [&](auto width, auto y) { finite &= magnitude<width>(y) < Format<width>::infinity; });
    if (finite)
      --x;
  }
  if (!settings.ieee() && isNan<W>(x) && !rules.selects) {
    // A signalling NaN stays one.
    int first = -1;
    eachSource(kept, op, lane, h, [&](auto width, auto y) {
      if (first < 0 && isNan<width>(y))
        first = isSignalling<width>(y);
    });
    if (first == 1 && (x & (F::quiet - 1)))
      x &= ~F::quiet;
  }
  if (rules.fromInteger && magnitude<W>(x) == 0)
    x = 0; // the host's conversions may end with a difference, which rounding downwards makes -0
  if (rules.flushesResult && settings.flushesOut(part) && isDenormal<W>(x))
    x &= F::sign;
  if (op.outputModifier && settings.obeysOutputModifier(part) && magnitude<W>(x) < F::infinity) {
    static constexpr float factors[] = {1.0f, 2.0f, 4.0f, 0.5f};
    const float factor = factors[op.outputModifier & 3];
    if (magnitude<W>(x) < (F::quiet << 1)) {
      x = 0;
    } else {
      if constexpr (W == 16)
        x = asU(toHalf(float(asH(x)) * factor));
      else if constexpr (W == 32)
        x = asU(asF(x) * factor);
      else
        x = asU(asD(x) * factor);
      if (isDenormal<W>(x))
        x &= F::sign;
    }
  }
  if (op.clamp) {
    if (isNan<W>(x))
      x = settings.bits & mode::Dx10Clamp ? 0 : x;
    else
      x = x & F::sign ? 0 : x > F::one ? F::one : x;
  }
  return x;
}

bool someDenormal(const u32 *lanes) {
  u32 some = 0;
  for (unsigned i = 0; i < Lanes; ++i)
    some |= (lanes[i] & 0x7fffffff) - 1 < 0x7fffff;
  return some;
}
/// The usual case of a mode that isn't plain: single denormals are flushed, and the sources have none. Whether it was
/// one.
bool ranWithoutDenormals(Wave &w, const Op &op, const ModeOp &modeOp, Settings settings) {
  const FloatRules &rules = modeOp.rules;
  constexpr u32 flushes = mode::In32 | mode::Out32;
  if ((settings.bits & mode::Floats & ~flushes) != (mode::Plain & ~flushes) || rules.result != FloatPart::Single ||
      rules.mixes)
    return false;
  if (settings.flushesIn(FloatPart::Single)) {
    for (unsigned s = 0; s < 3; ++s) {
      const Source &source = op.source[s];
      if (rules.source[s] == FloatPart::None || (s == 2 && rules.accumulates))
        continue;
      if (rules.source[s] != FloatPart::Single ||
          (source.kind == Source::Vector ? someDenormal(w.vgpr(source.index))
                                         : isDenormal<32>(scalarSource(w, source))))
        return false;
    }
    if (rules.accumulates && someDenormal(w.vgpr(op.destination)))
      return false;
  }
  modeOp.handler(w, op); // clamp makes no denormals
  u32 *to = w.vgpr(op.destination);
  if (rules.flushesResult && settings.flushesOut(FloatPart::Single) && someDenormal(to)) {
    LaneArray result;
    for (unsigned i = 0; i < Lanes; ++i)
      result.lane[i] = flushed32(to[i]);
    writeLanes(w, to, result.lane);
  }
  return true;
}

/// The sources as the mode has them, where they differ in hidden registers that `plain` reads instead. What is settled
/// by looking back is kept.
void takeSources(Wave &w, Op &plain, const FloatRules &rules, Settings settings, bool looksBack, Kept &kept) {
  for (unsigned s = 0; s < 3; ++s) {
    Source &source = plain.source[s];
    const FloatPart part = rules.mixes ? (plain.opSelHigh >> s & 1 ? FloatPart::Halves : FloatPart::Single)
                           : rules.accumulates && s == 2 ? FloatPart::None
                                                         : rules.source[s];
    if (looksBack)
      keep(w, source, part, kept);
    const bool flushes = settings.flushesIn(part), quiets = rules.selects && !settings.ieee();
    if (part == FloatPart::None || !(flushes || quiets))
      continue;
    auto one = [&](u32 x) {
      if (flushes)
        x = isHalf(part) ? flushedHalves(x) : flushed32(x);
      return quiets ? (isHalf(part) ? quietedHalves(x) : quieted32(x)) : x;
    };
    auto wide = [&](u64 x) {
      if (flushes && isDenormal<64>(x))
        x &= Format<64>::sign;
      return quiets && isNan<64>(x) ? x | Format<64>::quiet : x;
    };
    LaneArray space[2];
    const bool two = registersOf(part) == 2;
    const u32 *low = laneSource(w, source, space[0]), *high = two ? laneSource(w, source, space[1], 1) : low;
    const unsigned hidden = hiddenRegister + hiddenOfMode + 2 * s;
    const bool changed = change(part, low, high, w.vgpr(hidden), w.vgpr(hidden + 1), one, wide);
    if (changed) {
      if (part == FloatPart::Singles && source.kind == Source::Constant)
        std::memcpy(w.vgpr(hidden + 1), w.vgpr(hidden), Lanes * sizeof(u32));
      source.kind = Source::Vector;
      source.index = u16(hidden);
    }
  }
}

/// The destination as a source.
void takeAccumulator(Wave &w, const Op &op, const FloatRules &rules, Settings settings, bool looksBack, Kept &kept) {
  Source destination;
  destination.kind = Source::Vector;
  destination.index = op.destination;
  if (looksBack)
    keep(w, destination, rules.result, kept);
  if (!settings.flushesIn(rules.result))
    return;
  u32 *low = w.vgpr(op.destination), *high = w.vgpr(op.destination + 1);
  LaneArray newLow, newHigh;
  change(
      rules.result, low, high, newLow.lane, newHigh.lane,
      [&](u32 x) { return isHalf(rules.result) ? flushedHalves(x) : flushed32(x); },
      [](u64 x) { return isDenormal<64>(x) ? x & Format<64>::sign : x; });
  writeLanes(low, newLow.lane, w.exec()); // active lanes are written anyway
  if (registersOf(rules.result) == 2)
    writeLanes(high, newHigh.lane, w.exec());
}

/// The result of a lane, `shift` bits up for a half.
void settleLane(Wave &w, const Op &op, const FloatRules &rules, Settings settings, const Kept &kept, unsigned lane,
                unsigned shift) {
  u32 &low = w.vgpr(op.destination)[lane], &high = w.vgpr(op.destination + 1)[lane];
  auto settled = [&](auto width, auto x, unsigned h) {
    return settle<width>(x, op, rules, rules.result, settings, kept, lane, h);
  };
  switch (rules.result) {
  case FloatPart::None: break;
  case FloatPart::Half:
    low = (low & ~(0xffffu << shift)) | settled(std::integral_constant<unsigned, 16>(), low >> shift & 0xffff, 0)
                                            << shift;
    break;
  case FloatPart::Halves:
    low = settled(std::integral_constant<unsigned, 16>(), low & 0xffff, 0) |
          settled(std::integral_constant<unsigned, 16>(), low >> 16, 1) << 16;
    break;
  case FloatPart::Singles: high = settled(std::integral_constant<unsigned, 32>(), high, 1); [[fallthrough]];
  case FloatPart::Single: low = settled(std::integral_constant<unsigned, 32>(), low, 0); break;
  case FloatPart::Double: {
    const u64 x = settled(std::integral_constant<unsigned, 64>(), low | u64(high) << 32, 0);
    low = u32(x);
    high = u32(x >> 32);
    break;
  }
  }
}

void inMode(Wave &w, const Op &op) {
  const ModeOp &modeOp = *static_cast<const ModeOp *>(op.extra);
  if ((w.mode & mode::Floats) == mode::Plain)
    return modeOp.handler(w, op);
  const FloatRules &rules = modeOp.rules;
  const Settings settings{w.mode};
  if (ranWithoutDenormals(w, op, modeOp, settings))
    return;
  Op plain = op;
  const bool looksBack = !settings.ieee() || settings.bits & mode::Fp16Overflow;
  Kept kept;
  takeSources(w, plain, rules, settings, looksBack, kept);
  if (rules.accumulates)
    takeAccumulator(w, op, rules, settings, looksBack, kept);
  if (rules.result != FloatPart::None)
    plain.clamp = 0;
  const HostRounding rounding(rules.rounds && rules.result != FloatPart::None ? settings.rounding(rules.result) : 0);
  modeOp.handler(w, plain);
  if (rules.result == FloatPart::None)
    return;
  const unsigned shift = rules.result == FloatPart::Half && (rules.mixes ? modeOp.high : op.opSel >> 3 & 1) ? 16 : 0;
  const bool lightly = settings.ieee() && !(settings.bits & mode::Fp16Overflow) && !op.clamp && !rules.fromInteger;
  if (lightly && (!rules.flushesResult || !settings.flushesOut(rules.result)))
    return;
  const u64 exec = w.exec();
  if (lightly && is32(rules.result)) { // the usual case
    for (unsigned r = 0; r < registersOf(rules.result); ++r) {
      u32 *lanes = w.vgpr(op.destination + r);
      LaneArray result;
      for (unsigned i = 0; i < Lanes; ++i)
        result.lane[i] = flushed32(lanes[i]);
      writeLanes(lanes, result.lane, exec);
    }
    return;
  }
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (exec >> lane & 1)
      settleLane(w, op, rules, settings, kept, lane, shift);
}
} // namespace

void registerMode(HandlerTable &table) { add(table, modeHandler, inMode); }

} // namespace inflight::machine::SIMD_LEVEL
