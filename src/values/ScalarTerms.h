// What scalar registers hold behind a stretch of code, as terms over what they held before it: the same number for what is computed the
// same way, wherever in the code.
#pragma once

#include "program/Program.h"
#include <array>
#include <bitset>
#include <map>
#include <vector>

namespace inflight::values {

class ScalarTerms {
public:
  explicit ScalarTerms(const Program &program);

  static constexpr unsigned unitCount = regunit::Mode + 1;
  using Units = std::bitset<unitCount>;
  using Term = uint32_t;
  static constexpr Term unknown = 0;
  using Registers = std::array<Term, unitCount>;

  /// Each register holds its own value from before.
  static Registers start();
  void run(uint32_t index, Registers &registers);
  /// The instructions of a block that write scalar registers.
  llvm::ArrayRef<uint32_t> instructions(uint32_t block) const { return scalars[block]; }
  /// Which of them they write; all when the block calls.
  const Units &written(uint32_t block) const { return writes[block]; }
  /// What decides the last instruction's branch; `isTakenWhenSet`: it is taken when that isn't 0.
  Term condition(uint32_t index, const Registers &registers, bool &isTakenWhenSet);
  /// The same for two waves whose registers `equal` held the same before.
  bool isSame(Term term, const Units &equal) const { return term != unknown && (leaves[term] & ~equal).none(); }

private:
  Term make(std::vector<uint64_t> key, const Units &from);

  const Program &program;
  bool isUnknown = false;
  std::vector<std::vector<uint32_t>> scalars;
  std::vector<Units> writes;
  std::vector<Units> leaves; ///< by term
  std::map<std::vector<uint64_t>, Term> terms;
};

} // namespace inflight::values
