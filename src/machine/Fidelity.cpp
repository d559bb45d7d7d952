#include "machine/Fidelity.h"

#include "isa/instr/FloatRules.h"

using namespace llvm;

namespace inflight::machine {

const char *approximation(const InstrDesc &desc) {
  if (desc.readsClock)
    return "there is no clock";
  if (!desc.isValu())
    return nullptr;
  if (desc.isMfma)
    return desc.isIntegerMatrix ? nullptr : "order and rounding of the sums";
  if (desc.isStochastic)
    return "stochastic rounding of denormal results";
  const FloatPart result = floatRules(desc.mnemonic).result;
  if (desc.isDot)
    return result == FloatPart::Single ? "rounding between the sums" : nullptr;
  if (!desc.isTrans)
    return nullptr;
  switch (result) {
  case FloatPart::Half: return "correctly rounded; 0.51 ulp on hardware";
  case FloatPart::Single: return "within 1 ulp, as hardware is";
  case FloatPart::Double: return "correctly rounded; far coarser on hardware";
  default: return nullptr;
  }
}

void Fidelity::add(const InstrDesc &desc, uint64_t count) {
  const char *reason = approximation(desc);
  if (!reason) {
    exact += count;
    return;
  }
  Approximate &known = approximate[desc.mnemonic];
  known.count += count;
  known.reason = reason;
}

std::string Fidelity::line(bool failed) const {
  // Mnemonics with one reason stand together.
  uint64_t sum = 0;
  std::map<std::string, std::string> byReason;
  for (const auto &[mnemonic, executed] : approximate) {
    sum += executed.count;
    std::string &names = byReason[executed.reason];
    names += (names.empty() ? "" : ", ") + mnemonic;
  }
  std::string text = "fidelity: " + std::to_string(exact) + " instructions executed exactly, " + std::to_string(sum) +
                     " approximately";
  const char *separator = " (";
  for (const auto &[reason, names] : byReason) {
    ((text += separator) += names) += ": ";
    text += reason;
    separator = "; ";
  }
  return text + (byReason.empty() ? "" : ")") + ", " + (failed ? "1" : "0") + " not at all";
}

} // namespace inflight::machine
