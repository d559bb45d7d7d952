// Takes away what a load has brought until a wait makes sure of it: who reads too early gets the old values.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class DelayedResults final : public Check {
public:
  explicit DelayedResults(Context &context LLVM_LIFETIME_BOUND) : Check(context) {}
  static bool isWanted(const Context &context) { return context.options.has(Kind::InFlight); }
  void begin(llvm::MutableArrayRef<Wave> waves) override;
  void step(Wave &wave, const Op &op) override;
  void prepare(Wave &wave, const Op &op, const OpFacts &f) override;
  void access(Wave &wave, const AccessRecord &record) override;
  void issued(Wave &wave, Pending &p) override;
  void retired(Wave &wave, Pending &p) override;

private:
  void delayDma(Pending &p);
  void deliver(Wave &wave, Pending &p);
  // Of the current instruction.
  std::vector<uint32_t> kept; ///< registers a load wrote, before it did
  llvm::SmallVector<RegRange, 2> keptRanges;
  std::vector<uint8_t> ldsBefore; ///< what LDS DMA overwrote, in order of lanes
};

} // namespace inflight::machine::check
