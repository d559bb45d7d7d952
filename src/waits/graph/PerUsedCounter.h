// Something for each counter that a chip has: most have far fewer than there are names for.
#pragma once

#include "isa/counters/WaitCounts.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::waits {

/// One T for each counter up to the last that was written; what wasn't is as it is made. Room for `Inline` of them is
/// in the object.
template <typename T, unsigned Inline> class PerUsedCounter {
public:
  T &operator[](Counter counter) LLVM_LIFETIME_BOUND {
    if (unsigned(counter) >= values.size())
      values.resize(unsigned(counter) + 1);
    return values[unsigned(counter)];
  }
  const T &operator[](Counter counter) const LLVM_LIFETIME_BOUND {
    static const T none{};
    return unsigned(counter) < values.size() ? values[unsigned(counter)] : none;
  }
  /// Behind the last that was written.
  unsigned size() const { return values.size(); }
  bool operator==(const PerUsedCounter &other) const {
    const unsigned count = std::max(values.size(), other.values.size());
    for (unsigned counter = 0; counter < count; ++counter)
      if (!((*this)[Counter(counter)] == other[Counter(counter)]))
        return false;
    return true;
  }
  /// Calls `visit` for those that were written.
  template <typename Visit> void forEach(Visit visit) const {
    for (const T &value : values)
      visit(value);
  }

private:
  llvm::SmallVector<T, Inline> values;
};

} // namespace inflight::waits
