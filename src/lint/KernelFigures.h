// What of a kernel two builds of it are compared by: its resources as its metadata says them, its instructions, and
// what its loops take on the timed model.
#pragma once

#include "machine/timed/StaticRun.h"
#include <map>
#include <string>
#include <vector>

namespace inflight::lint {

/// A figure of kernels. All are worse when they are larger, except the waves per SIMD.
struct Figure {
  llvm::StringRef key;  ///< as in JSON and budgets: "vgprs"
  llvm::StringRef name; ///< for people: "VGPRs"
  bool isBetterLarge = false;
  unsigned weight = 1; ///< in the order of rows: how much a change by 100 % counts
};

/// All figures, in the order in which they are shown.
llvm::ArrayRef<Figure> figures();

struct KernelFigures {
  std::string name, chip, file;
  std::map<llvm::StringRef, double> values; ///< by Figure::key
  std::vector<double> loops;                ///< cycles of an iteration, in the order of the code
  unsigned vgprsForMoreWaves = 0;           ///< with so many, AGPRs included, one more wave would fit; 0: none would
};

/// The kernels of a code object, a relocatable object or a fat binary. `pricesLoops`: run them on the timed model.
llvm::Expected<std::vector<KernelFigures>> kernelFigures(llvm::StringRef bytes, llvm::StringRef name, bool pricesLoops,
                                                         const machine::timed::StaticOptions &options);

} // namespace inflight::lint
