// What has been selected so far for the values of the IR.
#pragma once

#include "compiler/select/emit/Builder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace inflight::select {

struct SelectedValues {
  llvm::DenseMap<mlir::Value, Elems> elems;
  /// Constants of the IR, and what turned out to be constant in an unrolled loop.
  std::optional<llvm::APInt> constantInt(mlir::Value value) const;
  std::optional<uint64_t> tripCount(mlir::scf::ForOp op) const;
};

} // namespace inflight::select
