#include "isa/instr/FloatRules.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight {

namespace {
FloatPart partOf(StringRef type) {
  return StringSwitch<FloatPart>(type)
      .Case("f16", FloatPart::Half)
      .Case("f32", FloatPart::Single)
      .Case("f64", FloatPart::Double)
      .Default(FloatPart::None);
}
FloatPart pairOf(FloatPart part) {
  return part == FloatPart::Half ? FloatPart::Halves : part == FloatPart::Single ? FloatPart::Singles : FloatPart::None;
}

bool isTranscendental(StringRef operation) {
  return StringSwitch<bool>(operation)
      .Cases({"exp", "log", "rcp", "rcp_iflag", "rsq", "sqrt", "sin", "cos", "exp_legacy", "log_legacy"}, true)
      .Default(false);
}
unsigned sourcesOf(StringRef operation) {
  if (isTranscendental(operation) || operation.starts_with("frexp"))
    return 1;
  return StringSwitch<unsigned>(operation)
      .Cases({"floor", "ceil", "trunc", "rndne", "fract"}, 1)
      .Cases({"fma", "mad", "fma_legacy", "mad_legacy", "fmaak", "fmamk", "madak", "madmk", "div_scale", "div_fmas",
              "div_fixup", "div_fixup_legacy"},
             3)
      .Cases({"min3", "max3", "med3", "minimum3", "maximum3", "cubeid", "cubema", "cubesc", "cubetc"}, 3)
      .Default(2);
}

/// v_cvt_[pk_…]<to>_<from>.
FloatRules conversion(StringRef name) {
  FloatRules rules;
  auto [to, from] = name.rsplit('_');
  rules.source[0] = partOf(from);
  if (to.starts_with("pk") || to.starts_with("sr")) {
    // Those to smaller floats and to integers round as their names say.
    rules.source[1] = to.starts_with("pk") && !to.ends_with("_u8") ? rules.source[0] : FloatPart::None;
    rules.rounds = to == "pk_f16";
    rules.result = to == "pk_f16" || to == "pkrtz_f16" ? FloatPart::Halves : FloatPart::None;
    rules.flushesResult = to != "sr_f16";
    return rules;
  }
  rules.result = partOf(to);
  rules.fromInteger = rules.source[0] == FloatPart::None;
  return rules;
}
} // namespace

FloatRules floatRules(StringRef mnemonic) {
  FloatRules rules;
  if (!mnemonic.consume_front("v_") || mnemonic.starts_with("mfma") || mnemonic.starts_with("smfmac") ||
      mnemonic.contains("fp8") || mnemonic.contains("bf8") || mnemonic.contains("scalef32") ||
      mnemonic.contains("class") || mnemonic == "pack_b32_f16")
    return rules;
  if (mnemonic.consume_front("cvt_"))
    return conversion(mnemonic);
  if (mnemonic.starts_with("dot2")) {
    // Knows no denormal singles, whatever MODE says.
    rules.result = mnemonic.contains("_f32_") ? FloatPart::Single : FloatPart::None;
    return rules;
  }
  if (mnemonic.starts_with("fma_mix") || mnemonic.starts_with("mad_mix")) {
    rules.mixes = true;
    rules.result = mnemonic.ends_with("f32") ? FloatPart::Single : FloatPart::Half;
    return rules;
  }
  FloatPart part = partOf(mnemonic.rsplit('_').second);
  StringRef operation = mnemonic.rsplit('_').first;
  if (operation.consume_front("pk_"))
    part = pairOf(part);
  if (part == FloatPart::None)
    return rules;
  const unsigned sources = sourcesOf(operation);
  for (unsigned s = 0; s < sources; ++s)
    rules.source[s] = part;
  rules.result = part;
  if (operation.starts_with("cmp") || operation.starts_with("frexp_exp")) {
    rules.result = FloatPart::None;
  } else if (operation.starts_with("ldexp") || operation.starts_with("trig_preop")) {
    rules.source[1] = FloatPart::None;
  } else if (operation.starts_with("min") || operation.starts_with("max") || operation.starts_with("med3")) {
    rules.selects = true;
    rules.flushesResult = false;
  } else if (operation.starts_with("div_fixup")) {
    rules.source[0] = FloatPart::None;
    rules.flushesResult = false;
  } else if (isTranscendental(operation)) {
    rules.rounds = false;
    if (part == FloatPart::Single) // these know no denormals
      rules.source[0] = FloatPart::None;
  } else if (operation == "div_fmas" ||
             StringSwitch<bool>(mnemonic)
                 .Cases({"mad_f32", "mac_f32", "madak_f32", "madmk_f32", "mad_legacy_f32"}, true)
                 .Default(false)) {
    rules.source[0] = rules.source[1] = rules.source[2] = FloatPart::None;
  }
  rules.accumulates = StringSwitch<bool>(operation).Cases({"fmac", "mac"}, true).Default(false);
  return rules;
}

} // namespace inflight
