// What a kernel does in the memory that a program has asked about (machine/Noted.h): it finds nothing by itself.
#pragma once

#include "machine/check/context/Check.h"
#include "machine/memory/Unwritten.h"

namespace inflight::machine::check {

class NotedAccesses final : public Check {
public:
  explicit NotedAccesses(Context &context LLVM_LIFETIME_BOUND)
      : Check(context), noted(context.memory.unwritten().noted) {}
  /// Without bits for scopes nobody knows whether the host may look while a kernel runs.
  static bool isWanted(const Context &context) {
    return context.target.hasScopeBits && !context.memory.unwritten().noted.empty();
  }
  void prepare(Wave &wave, const Op &op, const OpFacts &f) override;
  void access(Wave &wave, const AccessRecord &record) override;
  void scalarLoad(Wave &, uint64_t address, unsigned bytes) override { note(address, bytes, /*isWrite=*/false); }
  void scalarStore(Wave &, uint64_t address, unsigned bytes) override { note(address, bytes, /*isWrite=*/true); }

private:
  void note(uint64_t address, unsigned bytes, bool isWrite) {
    if (bytes)
      noted.note(address, bytes, isWrite);
  }
  Noted &noted;
};

} // namespace inflight::machine::check
