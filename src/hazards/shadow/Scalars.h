// SGPRs that the VALU has read, and that were written since: what is in flight to them isn't waited for by who reads
// them next.
#pragma once

#include "hazards/shadow/Rules.h"
#include <bitset>

namespace inflight::hazards::shadow {

class Scalars {
public:
  /// Which of the two rules the chip has; null: none of them.
  static const Rule *ruleOf(const Table &table);

  /// Of all that may come before: SGPRs that count as read.
  void readAll() {
    read.set();
    surelyRead.set();
    readWherePending.set();
  }
  /// Adds what another path brings. Whether that is more.
  bool merge(const Scalars &other);
  bool operator==(const Scalars &) const = default;

  /// What the instruction must be preceded by; `registers` gets what it reads too early.
  AluWaits missing(const Rule &rule, const Program &program, uint32_t i, const Use &use,
                   llvm::SmallVectorImpl<RegRange> *registers = nullptr) const;
  /// What `waits` leaves.
  void wait(AluWaits waits);
  /// What is so after the instruction.
  void step(const Rule &rule, const Program &program, uint32_t i, const Use &use);
  /// What would have to be waited for before anything reads the SGPRs that were written.
  AluWaits pending() const;

private:
  static constexpr unsigned count = 128;
  using Registers = std::bitset<count>;
  void stepRead(const Rule &rule, const Program &program, uint32_t i, const Use &use);
  void stepMask(const Program &program, uint32_t i, const Use &use);
  Registers read;               ///< by the VALU: of mask_write as a mask, of read_sgpr both of a pair
  Registers surelyRead;         ///< ... on every path
  Registers readWherePending;   ///< ... on every path that has something in fromValu
  Registers fromSalu, fromValu; ///< written since and not waited for
  uint8_t dsNops = 0;           ///< in a row
};

} // namespace inflight::hazards::shadow
