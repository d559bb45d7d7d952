// Scalar loads and a wave's own writes to memory: neither waits for the other, and what the vector unit writes may be
// there before the scalar unit has read.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class ScalarLoadCheck final : public Check {
public:
  explicit ScalarLoadCheck(Context &context LLVM_LIFETIME_BOUND) : Check(context) {}
  static bool isWanted(const Context &context) { return context.options.has(Kind::WriteAfterRead); }
  void begin(llvm::MutableArrayRef<Wave> waves) override;
  void prepare(Wave &wave, const Op &op, const OpFacts &f) override { read = {}; }
  void scalarLoad(Wave &wave, uint64_t address, unsigned bytes) override;
  void executed(Wave &wave, const Op &op, const OpFacts &f) override;
  void issued(Wave &wave, Pending &p) override;
  void retired(Wave &wave, Pending &p) override;

private:
  /// Host addresses [low, high).
  struct Read {
    uint64_t low = 0, high = 0;
    const Pending *pending = nullptr;
  };
  Read read;                                        ///< of the present instruction
  std::vector<llvm::SmallVector<Read, 8>> inFlight; ///< by wave
};

} // namespace inflight::machine::check
