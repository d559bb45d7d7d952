// What scalar registers of waves hold, by number: most waves hold the same as some other one.
#pragma once

#include "values/flow/ScalarTerms.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace inflight::values {

class ScalarCases {
public:
  explicit ScalarCases(ScalarTerms &terms LLVM_LIFETIME_BOUND) : terms(terms) {}

  using Case = uint32_t;
  /// Of two waves, over the same values.
  struct OfTwo {
    Case one, other;
    bool operator==(const OfTwo &) const = default;
  };

  Case caseOf(const ScalarTerms::Registers &registers);
  OfTwo caseOf(const ScalarTerms::OfTwo &registers) { return {caseOf(registers.one), caseOf(registers.other)}; }
  /// In which nothing is known.
  Case unknown();
  const ScalarTerms::Registers &operator[](Case number) const LLVM_LIFETIME_BOUND { return cases[number]; }
  /// ScalarTerms::common, each asked for once.
  OfTwo common(OfTwo a, OfTwo b);

private:
  ScalarTerms &terms;
  std::deque<ScalarTerms::Registers> cases;
  llvm::DenseMap<uint64_t, llvm::SmallVector<Case, 1>> byHash;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, OfTwo> commons;
};

} // namespace inflight::values
