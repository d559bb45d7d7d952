// A vector whose elements are numbered by a type of their own, so that no other number can index it.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compiler.h"
#include <cstddef>
#include <utility>

namespace inflight {

/// `Id` is an enum class over an unsigned type.
template <class Id, class T> class IdVector {
public:
  T &operator[](Id id) LLVM_LIFETIME_BOUND { return elements[size_t(id)]; }
  const T &operator[](Id id) const LLVM_LIFETIME_BOUND { return elements[size_t(id)]; }
  /// Appends; the new element's number.
  Id push(T element) {
    elements.push_back(std::move(element));
    return Id(elements.size() - 1);
  }
  T &back() LLVM_LIFETIME_BOUND { return elements.back(); }
  size_t size() const { return elements.size(); }
  /// Forgets the last ones; what there was room for stays.
  void truncate(size_t size) { elements.truncate(size); }

private:
  /// Of plain data it grows by realloc, which moves no bytes of what is large.
  llvm::SmallVector<T, 0> elements;
};

} // namespace inflight
