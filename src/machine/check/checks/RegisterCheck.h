// Registers that are read or overwritten while a load may still write them.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class RegisterCheck final : public Check {
public:
  explicit RegisterCheck(Context &context LLVM_LIFETIME_BOUND) : Check(context) {}
  static bool isWanted(const Context &context) { return context.options.has(Kind::InFlight); }
  void registers(Wave &wave, const Op &op, const OpFacts &f, llvm::ArrayRef<RegRange> reads,
                 llvm::ArrayRef<RegRange> writes) override;

private:
  void check(const Wave &wave, const Op &op, const OpFacts &f, RegRange range, bool isWrite);
  void report(const Wave &wave, const Op &op, const Pending &p, RegRange range, bool isWrite);
};

} // namespace inflight::machine::check
