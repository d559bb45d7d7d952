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
  /// Of names what they name, of fused locations the first that is known, of calls the place in what is called, with
  /// the call. The first file that is asked for becomes the kernel's own.
  lir::Place of(mlir::Location location);

private:
  unsigned numberOf(mlir::StringAttr file);
  lir::Place inside(lir::Place place, lir::Place call);

  lir::Function &function;
  llvm::DenseMap<mlir::StringAttr, unsigned> numbers;              ///< of files in Function::sourceFiles
  std::map<std::pair<lir::Place, unsigned>, unsigned> callNumbers; ///< of places and the calls that they are in
};

} // namespace inflight::select
