// Pairs of instructions between which wait states are needed, or are not.
#pragma once

#include "hazards/HazardTable.h"
#include <ostream>
#include <string>
#include <vector>

namespace inflight::hazards::test {

struct Expectation {
  std::string chip;
  unsigned states; ///< 0: nothing is wanted
};

struct Pair {
  const char *rule; ///< its name; a word for what is shown where nothing is wanted
  std::string first, second;
  std::vector<Expectation> expected;
  unsigned statesInFirst = 0; ///< wait states that `first` has after the instruction in question
  size_t index = 0;           ///< in pairs()
};

void PrintTo(const Pair &pair, std::ostream *os);

const std::vector<Pair> &pairs();

/// So many wait states as s_nop instructions, each with its newline.
std::string nops(unsigned states);

/// Straight code of one chip.
class Program {
public:
  explicit Program(const std::string &chip);
  const HazardTable &table() const { return *theTable; }
  /// "rule required found" of the first instruction that comes too early; empty if none does.
  std::string missing(const std::string &text) const;

private:
  const Isa *isa;
  const HazardTable *theTable;
};

} // namespace inflight::hazards::test
