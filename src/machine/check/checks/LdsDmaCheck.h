// LDS DMA and a wave's own accesses to LDS: neither waits for the other.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

class LdsDmaCheck final : public Check {
public:
  explicit LdsDmaCheck(Context &context LLVM_LIFETIME_BOUND) : Check(context) {}
  static bool isWanted(const Context &context) {
    return context.options.has(Kind::InFlight) || context.options.has(Kind::WriteAfterRead);
  }
  void begin(llvm::MutableArrayRef<Wave> waves) override;
  void executed(Wave &wave, const Op &op, const OpFacts &f) override;
  void retired(Wave &wave, Pending &p) override;

private:
  void checkOverwritten(const Wave &wave, const Op &op, const AccessRecord &write);
  void checkPending(const Wave &wave, const Op &op, const AccessRecord &record);
  /// Calls `see` with the words of `pending` that an access touches, and which bits.
  template <typename F> void forEachPiece(unsigned wave, const AccessRecord &record, F &&see) {
    for (const AccessShape::Piece &piece : record.shape->pieces)
      see(pending[wave][record.firstBlock + piece.block], piece.bytes);
  }
  void addPending(unsigned wave, const AccessRecord &record) {
    forEachPiece(wave, record, [](uint64_t &bits, uint64_t bytes) { bits |= bytes; });
  }
  /// By wave: a bit for each byte of LDS that its DMA will write.
  std::vector<std::vector<uint64_t>> pending;
};

} // namespace inflight::machine::check
