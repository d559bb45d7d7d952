// Values that nothing was written to, where they decide something (Undefined.h).
#pragma once

#include "machine/check/context/Check.h"
#include "machine/check/undefined/Undefined.h"

namespace inflight::machine::check {

class UndefinedCheck final : public Check {
public:
  explicit UndefinedCheck(Context &context LLVM_LIFETIME_BOUND);
  static bool isWanted(const Context &context) { return context.options.has(Kind::Uninitialised); }
  void begin(llvm::MutableArrayRef<Wave> waves) override;
  bool isSettled(const Wave &wave, uint32_t index) override {
    return values[wave.number].passes(wave.exec(), flows.plainAt(index));
  }
  void flow(Wave &wave, const Op &op, const Op &executed, const Flow &flow) override;
  void prepare(Wave &, const Op &, const OpFacts &) override { memory.scalarWords.clear(); }
  void access(Wave &wave, const AccessRecord &record) override;
  void scalarLoad(Wave &wave, uint64_t address, unsigned bytes) override;
  void scalarStore(Wave &wave, uint64_t address, unsigned bytes) override;
  void executed(Wave &wave, const Op &op, const OpFacts &f) override;

private:
  void report(const Wave &wave, const Op &op, const UndefinedUse &use);
  const Flows &flows;
  std::vector<Undefined> values; ///< by wave
  UndefinedMemory memory;
};

} // namespace inflight::machine::check
