// Which function selects an operation, by its class.
#pragma once

#include "compiler/select/Selector.h"

namespace inflight::select {

class Handlers {
public:
  /// The handlers of all operations; made once.
  static const Handlers &get();
  /// Selects one operation. An error has been reported at it.
  mlir::LogicalResult select(Selector &selector, mlir::Operation *op) const;

private:
  Handlers();
  // Each in the file that has the functions: IntegerOps.cpp and so on.
  void addConstants();
  void addIntegers();
  void addCasts();
  void addFloats();
  void addVectors();
  void addMemory();
  void addAtomics();
  void addWaves();
  void addBuffers();
  void addMatrices();
  void addConversions();
  void addControl();
  void addLoops();

  template <typename... Ops> void add() {
    ((byClass[mlir::TypeID::get<Ops>()] = [](Selector &selector,
                                             mlir::Operation *op) { return selector.select(mlir::cast<Ops>(op)); }),
     ...);
  }
  llvm::DenseMap<mlir::TypeID, mlir::LogicalResult (*)(Selector &, mlir::Operation *)> byClass;
};

} // namespace inflight::select
