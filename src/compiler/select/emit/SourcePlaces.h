// What MLIR's locations say of an operation's place in the source.
#pragma once

#include "compiler/lir/Lir.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace inflight::select {

class SourcePlaces {
public:
  explicit SourcePlaces(lir::Function &function) : function(function) {}
  /// The place that a location stands for: a name's own location, the first known part of a fused location, the
  /// callee's place with its call for a call site. The first file that is asked for becomes the kernel's own.
  lir::Place of(mlir::Location location);

private:
  unsigned numberOf(mlir::StringAttr file);
  lir::Place inside(lir::Place place, lir::Place call);

  lir::Function &function;
  llvm::DenseMap<mlir::StringAttr, unsigned> numbers;              ///< of files in Function::sourceFiles
  std::map<std::pair<lir::Place, unsigned>, unsigned> callNumbers; ///< of places and the calls that they are in
};

} // namespace inflight::select
