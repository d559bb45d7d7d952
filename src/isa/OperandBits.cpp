#include "isa/OperandBits.h"

#include "isa/Isa.h"

using namespace llvm;

namespace inflight {

static constexpr uint32_t lowHalf = 0xffff, highHalf = 0xffff0000u;

static uint32_t half(unsigned isHigh) { return isHigh & 1 ? highHalf : lowHalf; }

/// Conversions to halves, pairs of bytes and smaller write the part of the register that OP_SEL names; the rest stays.
static uint32_t writtenByConversion(StringRef m, OpSel select) {
  const uint32_t byte = 0xffu << (8 * (select.low >> 2 & 3));
  const StringRef to = m.rsplit('_').first;
  if (to.ends_with("_fp4"))
    return byte;
  if (to.ends_with("fp8") || to.ends_with("bf8"))
    return m.contains("_sr_") ? byte : half(select.low >> 3);
  const bool isHalfOfOne = m.starts_with("v_cvt_sr_") || m.starts_with("v_cvt_scalef32_f16_");
  return isHalfOfOne ? half(select.low >> 3) : ~0u;
}

/// Conversions from small floats look at one of 8 bits or two of 8 or 4: the lowest ones, or with a scale those that
/// OP_SEL names.
static uint32_t usedByConversion(StringRef m, OpSel select) {
  const StringRef from = m.rsplit('_').second;
  const bool isPair = m.contains("_pk_"), isScaled = m.contains("_scalef32_");
  if (from != "fp8" && from != "bf8" && from != "fp4")
    return ~0u;
  if (isPair && from != "fp4")
    return half(isScaled ? select.low : 0);
  return 0xffu << (isScaled ? 8 * (select.low & 3) : 0);
}

/// Whether a name ends with a type of 16 bits.
static bool endsNarrow(StringRef m) {
  return m.ends_with("_f16") || m.ends_with("_u16") || m.ends_with("_i16") || m.ends_with("_b16");
}

/// Instructions of 16 bits that gfx9 gave OP_SEL: the other half of the result stays whatever it says.
static bool alwaysKeepsHalf(Mnemonic id) {
  using enum Mnemonic;
  switch (id) {
  case v_add_i16:
  case v_sub_i16:
  case v_mad_u16:
  case v_mad_i16:
  case v_min3_i16:
  case v_min3_u16:
  case v_max3_i16:
  case v_max3_u16:
  case v_med3_i16:
  case v_med3_u16:
  case v_fma_f16:
  case v_mad_f16:
  case v_min3_f16:
  case v_max3_f16:
  case v_med3_f16:
  case v_div_fixup_f16: return true;
  default: return false;
  }
}

OperandBits operandBitsOf(const InstrDesc &desc, OpSel select) {
  using enum Mnemonic;
  OperandBits bits;
  const StringRef m = desc.mnemonic;
  if (desc.id == v_sad_u16 || desc.id == v_mad_u32_u16 ||
      desc.id == v_mad_i32_i16) // pairs of halves, and sums of 32 bits
    return bits;
  if (desc.isMix) { // OP_SEL_HI: a half, the one of OP_SEL
    for (unsigned i = 0; i < 3; ++i)
      if (select.high >> i & 1)
        bits.used[i] = half(select.low >> i);
    bits.written = m.contains("mixlo") ? lowHalf : m.contains("mixhi") ? highHalf : ~0u;
    return bits;
  }
  if (desc.isConversion) {
    bits.used[0] = usedByConversion(m, select);
    bits.written = writtenByConversion(m, select);
  }
  if (desc.isPacked || desc.isDot)
    return bits;
  const bool isNarrow = endsNarrow(m);
  if (m.starts_with("v_cvt_f32_ubyte")) {
    bits.used[0] = 0xffu << (8 * (m.back() - '0'));
  } else if (desc.isConversion && !m.starts_with("v_cvt_pk") && !m.contains("_f16_f32") && isNarrow) {
    bits.used[0] = lowHalf;
  } else if (isNarrow && !m.contains("_f32") && !m.contains("_f16_i") && !m.contains("_f16_u")) {
    for (unsigned i = 0; i < 3; ++i)
      bits.used[i] = half(desc.isVop3Encoding ? select.low >> i : 0);
    if (desc.isVop3Encoding && !desc.isCompare)
      bits.written = select.low >> 3 & 1 ? highHalf : select.low || alwaysKeepsHalf(desc.id) ? lowHalf : ~0u;
    bits.isHalf = true;
  } else if (m.contains("24")) {
    bits.used[0] = bits.used[1] = 0xffffff;
  }
  return bits;
}

unsigned sourceModifiersType(const Isa &isa) {
  const InstrDesc *fma = isa.encodings(Mnemonic::v_fma_f32).front();
  return isa.instrInfo().get(fma->opcode).operands()[1].OperandType;
}

// LLVM 22's private SIDefines.h, CPol.
static constexpr int64_t policySc0 = 1, policyNt = 2, policySc1 = 16;
static constexpr unsigned policyScopeAt = 3, policyScopes = 4;

int64_t cachePolicyBits(CachePolicy policy) {
  return (policy.sc0 ? policySc0 : 0) | (policy.nt ? policyNt : 0) | (policy.sc1 ? policySc1 : 0);
}

CachePolicy cachePolicyOf(int64_t bits) {
  return {bool(bits & policySc0), bool(bits & policyNt), bool(bits & policySc1)};
}

unsigned scopeOf(int64_t bits) { return (bits >> policyScopeAt) % policyScopes; }

} // namespace inflight
