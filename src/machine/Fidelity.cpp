#include "machine/Fidelity.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::machine {

const char *approximation(StringRef mnemonic) {
  if (mnemonic == "s_memtime" || mnemonic == "s_memrealtime")
    return "there is no clock";
  if (!mnemonic.consume_front("v_"))
    return nullptr;
  if (mnemonic.starts_with("mfma") || mnemonic.starts_with("smfmac"))
    return mnemonic.contains("_i32_") ? nullptr : "order and rounding of the sums";
  if (mnemonic.starts_with("dot2"))
    return mnemonic.contains("_f32_") ? "rounding between the sums" : nullptr;
  if (mnemonic.starts_with("cvt_") && mnemonic.contains("sr_"))
    return "stochastic rounding of denormal results";
  auto [operation, type] = mnemonic.rsplit('_');
  const bool isTranscendental = StringSwitch<bool>(operation).Cases({"exp", "log", "rcp", "rcp_iflag", "rsq", "sqrt", "sin", "cos", "exp_legacy", "log_legacy"}, true).Default(false);
  if (!isTranscendental)
    return nullptr;
  return StringSwitch<const char *>(type)
      .Case("f16", "correctly rounded; 0.51 ulp on hardware")
      .Case("f32", "within 1 ulp, as hardware is")
      .Case("f64", "correctly rounded; far coarser on hardware")
      .Default(nullptr);
}

std::string Fidelity::line(bool failed) const {
  // Mnemonics with one reason stand together.
  uint64_t sum = 0;
  std::map<std::string, std::string> byReason;
  for (const auto &[mnemonic, count] : approximate) {
    sum += count;
    std::string &names = byReason[approximation(mnemonic)];
    names += (names.empty() ? "" : ", ") + mnemonic;
  }
  std::string text = "fidelity: " + std::to_string(exact) + " instructions executed exactly, " + std::to_string(sum) + " approximately";
  const char *separator = " (";
  for (const auto &[reason, names] : byReason) {
    text += separator + names + ": " + reason;
    separator = "; ";
  }
  return text + (byReason.empty() ? "" : ")") + ", " + (failed ? "1" : "0") + " not at all";
}

} // namespace inflight::machine
