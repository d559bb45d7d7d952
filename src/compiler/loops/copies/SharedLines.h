// Which loads of an iteration ask for lines of memory that the next iterations ask for again: weights of 8 or 4 bits,
// of which an iteration takes a part of each line, and their scales, a few bytes of each. Loaded for several iterations
// side by side, a line is asked for once: between two iterations L1 doesn't keep it, as lines of rows that are a power
// of two apart are all in one of its few sets.
//
// Nothing is proved by it: what is loaded ahead may be loaded in any order (Staging.h), and so may what several
// iterations load.
#pragma once

#include "compiler/lanes/LaneForms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace inflight::loops {

struct SharedLines {
  llvm::SmallVector<mlir::Operation *> loads; ///< those that share lines
  unsigned apart = 0;                         ///< lines that they ask for in those iterations, one after the other
  unsigned together = 0;                      ///< at once
};

/// Of these loads, in so many iterations. What the launch decides is taken for a multiple of a line, and rows for no
/// shorter than one.
SharedLines findSharedLines(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> loads, unsigned iterations,
                            unsigned lineBytes, lanes::LaneForms &forms);

} // namespace inflight::loops
