// Integers and pointers as sums of multiples of values; nothing is emitted.
#pragma once

#include "compiler/select/Bounds.h"
#include "compiler/select/Divergence.h"
#include <map>

namespace inflight::select {

/// sum of coefficient * value + constant, exact modulo 2^32 (or 2^64 with `wide`).
struct LinearForm {
  std::map<std::pair<unsigned, void *>, std::pair<mlir::Value, int64_t>> terms; ///< by first-seen number
  int64_t constant = 0;
};

class LinearForms {
public:
  LinearForms(const Isa &chip LLVM_LIFETIME_BOUND, const SelectedValues &values LLVM_LIFETIME_BOUND,
              const Divergence &divergence LLVM_LIFETIME_BOUND, Bounds &bounds LLVM_LIFETIME_BOUND)
      : chip(chip), values(values), divergence(divergence), bounds(bounds) {}
  /// Adds `value` times `scale` to `form`.
  void add(mlir::Value value, int64_t scale, LinearForm &form, bool wide);
  /// Follows a pointer to where it came from; what was added on the way goes to `form`.
  mlir::Value addPointer(mlir::Value pointer, LinearForm &form, bool narrow);
  /// Adds a GEP's offset to `form`; false if its type can't be indexed so.
  bool addIndices(mlir::LLVM::GEPOp gep, LinearForm &form, bool wide);
  /// Whether all terms, and what the constant has beyond the offset field, are a sum of unsigned 32 bits.
  bool fitsLaneOffset(const LinearForm &form);
  /// Where start + form lies if all terms are bounded; the end is the last address, without its size.
  lir::ByteRange rangeOf(const LinearForm &form, int64_t start);
  /// The part of a global address' constant that the offset field can't hold.
  static int64_t beyondOffsetField(int64_t constant);

private:
  void addTerm(mlir::Value value, int64_t scale, LinearForm &form);
  bool addsInOneStep(mlir::Value index, unsigned bytes);
  /// x / c * (c * s) + x mod c * s is x * s.
  void joinQuotients(LinearForm &form, bool wide);
  const Isa &chip;
  const SelectedValues &values;
  const Divergence &divergence;
  Bounds &bounds;
  llvm::DenseMap<mlir::Value, unsigned> numbering;
};

} // namespace inflight::select
