// SGPRs that the VALU has read, and that were written since: what is in flight to them isn't waited for by who reads
// them next.
#pragma once

#include "hazards/shadow/Rules.h"
#include <array>
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

  /// What the instruction must be preceded by: waits that all sources of the rule want, and those that one of them has
  /// no need of.
  struct Missing {
    AluWaits agreed = 0, disputed = 0;
  };
  Missing missing(const Rule &rule, const Program &program, uint32_t i, const Use &use) const;
  /// What `waits` leaves.
  void wait(AluWaits waits);
  /// What is so after the instruction.
  void step(const Rule &rule, const Program &program, uint32_t i, const Use &use);
  /// What would have to be waited for before anything reads the SGPRs that were written.
  AluWaits pending() const;

private:
  static constexpr unsigned count = 128;
  using Registers = std::bitset<count>;
  bool isAgreed(const Rule &rule, unsigned number, AluWaits wait, bool byValu) const;
  void countSalu();
  static void endValu(Registers &registers, AluWaits waits);
  void stepRead(const Rule &rule, const Program &program, uint32_t i, const Use &use);
  void stepMask(const Program &program, uint32_t i, const Use &use);
  Registers read;               ///< by the VALU: of mask_write as a mask, of read_sgpr both of a pair
  Registers surelyRead;         ///< ... on every path
  Registers readWherePending;   ///< ... on every path that has something in fromValu
  Registers fromSalu, fromValu; ///< written since and not waited for
  Registers fromValuAgreed;     ///< ... where a read by the SALU ends it of what was read by whichever path
  /// By how many instructions of the SALU came since it wrote them: on one path or another.
  std::array<Registers, Rule::mostSalu> fromSaluSince;
  uint8_t dsNops = 0; ///< in a row
};

} // namespace inflight::hazards::shadow
