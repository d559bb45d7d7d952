// Loads of which some lanes get zeros instead: masked ones, those beyond a row's end, those in a branch.
#pragma once

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/Ranges.h"
#include "mlir/IR/OpDefinition.h"
#include <string>

namespace inflight::lanes {

/// What must hold for a lane to load: a flag, or that a number is less than a limit. All of a lane's elements are
/// loaded or none.
struct Guard {
  mlir::Value flag = {};         ///< i1; null: the comparison
  mlir::Value number = {};       ///< of an integer type or index
  mlir::OpFoldResult limit = {}; ///< of the same type
  bool isSigned = true;
  mlir::Value left = {}; ///< if not null, it is that this is more than 0: `limit - number`, where that may wrap
  bool isOfLast = false; ///< holds in all iterations but the last
  /// What it is computed from.
  llvm::SmallVector<mlir::Value, 3> values() const;
};

/// A load from memory, where all guards hold, otherwise zeros.
struct GuardedLoad {
  mlir::Operation *load = nullptr;
  std::optional<Access> access;
  llvm::SmallVector<Guard, 2> guards;
};

/// What a value is made by. None if it isn't such a load, or not of whole vectors; `why` says what isn't known.
std::optional<GuardedLoad> guardedLoad(mlir::Value value, LaneForms &forms, Ranges &ranges, std::string &why);

} // namespace inflight::lanes
