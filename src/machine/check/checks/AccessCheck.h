// Accesses outside of what there is, and misaligned atomics.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class AccessCheck final : public Check {
public:
  explicit AccessCheck(Context &context LLVM_LIFETIME_BOUND) : Check(context) {}
  static bool isWanted(const Context &context) {
    return context.options.has(Kind::Memory) || context.options.has(Kind::BufferRange);
  }
  void access(Wave &wave, const AccessRecord &record) override;
  void outOfLds(Wave &wave, uint64_t lanes) override;
  void outOfBuffer(Wave &wave, const AccessObserver::OutOfBuffer &dropped) override;
  void memoryFault(const Wave &wave) override;
};

} // namespace inflight::machine::check
