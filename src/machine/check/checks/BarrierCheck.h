// Whether all waves come to the same barrier.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class BarrierCheck final : public Check {
public:
  explicit BarrierCheck(Context &context LLVM_LIFETIME_BOUND) : Check(context) {}
  static bool isWanted(const Context &context) {
    return context.options.has(Kind::Barrier) || context.options.has(Kind::BarrierPlaces);
  }
  void barrier(llvm::ArrayRef<Wave> waves) override;
};

} // namespace inflight::machine::check
