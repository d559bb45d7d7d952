// Wait states that a wave's path lacks (Hazards.h).
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class HazardCheck final : public Check {
public:
  explicit HazardCheck(Context &context LLVM_LIFETIME_BOUND) : Check(context), hazards(*context.code.hazards) {}
  static bool isWanted(const Context &context) { return context.code.hazards.has_value(); }
  void begin(llvm::MutableArrayRef<Wave> waves) override { hazards.begin(waves.size()); }
  void reach(const Wave &wave, const Op &op, uint32_t index) override {
    if (!hazards.isJudged(wave.number, index, op.slots))
      judge(wave, op, index);
  }

private:
  void judge(const Wave &wave, const Op &op, uint32_t index);
  Hazards hazards;
};

} // namespace inflight::machine::check
