// Which function selects an operation, by its class.
#pragma once

#include "compiler/select/Selection.h"

namespace inflight::select {

class Handlers {
public:
  /// The handlers of all operations; made once.
  static const Handlers &get();
  /// Selects one operation. An error has been reported at it.
  mlir::LogicalResult select(Selection &selection, mlir::Operation *op) const;

private:
  Handlers();
  // Each in the file that has the functions: IntegerOps.cpp and so on.
  void addConstants();
  void addIntegers();
  void addCasts();
  void addFloats();
  void addNamedIntrinsics();
  void addInlineAssembly();
  void addVectors();
  void addMemory();
  void addAtomics();
  void addWaves();
  void addBuffers();
  void addMatrices();
  void addConversions();
  void addControl();
  void addLoops();

  template <typename OpClass, typename... Ops> void add() {
    ((byClass[mlir::TypeID::get<Ops>()] =
          [](Selection &selection, mlir::Operation *op) { return OpClass(selection).select(mlir::cast<Ops>(op)); }),
     ...);
  }
  llvm::DenseMap<mlir::TypeID, mlir::LogicalResult (*)(Selection &, mlir::Operation *)> byClass;
};

/// An atomic of a buffer, whose operands are the intrinsic's; `kind` as that has it: fadd, umax.
mlir::LogicalResult selectBufferAtomic(Selection &selection, mlir::Operation *op, llvm::StringRef kind);
/// The same, for compare and exchange.
mlir::LogicalResult selectBufferExchange(Selection &selection, mlir::Operation *op);
/// From a buffer to LDS, by the intrinsic's operands.
mlir::LogicalResult selectBufferLoadToLds(Selection &selection, mlir::Operation *op);
/// What the outermost select of a chain by one number chooses, if looking it up takes fewer instructions.
std::optional<Elem> selectByTable(Selection &selection, mlir::LLVM::SelectOp op);
/// Matrix instructions have a class for each shape and type.
mlir::LogicalResult selectMatrix(Selection &selection, mlir::Operation *op);

} // namespace inflight::select
