// Stores that other workgroups don't see until their wave has waited for them (LateStores.h), and who reads too early.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class LateStoreCheck final : public Check {
public:
  explicit LateStoreCheck(Context &context LLVM_LIFETIME_BOUND) : Check(context), late(*context.late) {}
  static bool isWanted(const Context &context) { return context.late; }
  void begin(llvm::MutableArrayRef<Wave> waves) override;
  void step(Wave &wave, const Op &op) override;
  void prepare(Wave &, const Op &, const OpFacts &) override { storedOver.clear(); }
  void access(Wave &wave, const AccessRecord &record) override;
  void issued(Wave &wave, Pending &p) override;
  void retired(Wave &wave, Pending &p) override;

private:
  uint64_t ownerOf(const Wave &wave) const { return owner + (context.tgSplit ? wave.number : 0); }
  void reportEarlyRead(const Wave &wave, unsigned lane, uint64_t at, const LateStores::Store &store);
  LateStores &late;
  uint64_t owner = 0;              ///< of the workgroup's stores
  std::vector<uint8_t> storedOver; ///< what the current instruction overwrote, in order of accesses and lanes
};

} // namespace inflight::machine::check
