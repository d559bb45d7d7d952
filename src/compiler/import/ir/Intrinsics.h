// Which of LLVM's intrinsics aren't compiled, and why. All others are, for the chips that have what they stand for.
#pragma once

#include "mlir/IR/Location.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace inflight::import {

struct Refusal {
  llvm::StringRef pattern; ///< a name without what types add, or its beginning and a star
  llvm::StringRef reason;
  bool covers(llvm::StringRef name) const;
};

/// The first row that covers a name is its.
llvm::ArrayRef<Refusal> refusals();
/// Of an intrinsic's base name, as llvm::Intrinsic::getBaseName gives it.
std::optional<llvm::StringRef> refusalOf(llvm::StringRef name);

/// An instruction's place by its debug location, or `start`.
mlir::Location placeOf(const llvm::Instruction &inst, mlir::Location start);

/// Calls of those are errors. Part of readLlvmIr, after what becomes something else.
mlir::LogicalResult refuseIntrinsics(const llvm::Module &module, mlir::Location start);

} // namespace inflight::import
