#include "values/flow/ScalarCases.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace inflight::values {

ScalarCases::Case ScalarCases::caseOf(const ScalarTerms::Registers &registers) {
  static_assert(std::has_unique_object_representations_v<ScalarTerms::Registers>);
  const uint64_t hash = xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(&registers), sizeof registers));
  SmallVector<Case, 1> &bucket = byHash[hash >> 1];
  for (Case number : bucket)
    if (cases[number] == registers)
      return number;
  cases.push_back(registers);
  return bucket.emplace_back(cases.size() - 1);
}

ScalarCases::Case ScalarCases::unknown() {
  ScalarTerms::Registers nothing;
  nothing.fill(ScalarTerms::unknown);
  return caseOf(nothing);
}

ScalarCases::OfTwo ScalarCases::common(OfTwo a, OfTwo b) {
  auto packed = [](OfTwo two) { return uint64_t(two.one) << 32 | two.other; };
  const std::pair key(packed(a), packed(b));
  if (auto known = commons.find(key); known != commons.end())
    return known->second;
  const OfTwo both = caseOf(terms.common({cases[a.one], cases[a.other]}, {cases[b.one], cases[b.other]}));
  commons.try_emplace(key, both);
  return both;
}

} // namespace inflight::values
