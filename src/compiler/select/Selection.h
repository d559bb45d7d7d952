// A kernel while its operations are selected: what was selected for its values and what is known of them, and what all
// operations' selection needs of that.
#pragma once

#include "compiler/select/AddressPlan.h"
#include "compiler/select/Displaced.h"
#include "compiler/select/Select.h"
#include "compiler/select/emit/Division.h"

namespace inflight::select {

struct Selection {
  Selection(const Isa &isa, mlir::LLVM::LLVMFuncOp source, lir::Function &function, LoopCopies copies,
            Elements elements)
      : emission(isa, source, function),
        divergence(source),
        loopCopies(copies),
        elements(elements),
        bounds(isa, values),
        forms(isa, values, divergence, bounds) {}

  Emission emission;
  Divergence divergence;
  const LoopCopies loopCopies;
  const Elements elements;
  SelectedValues values;
  Bounds bounds;
  LinearForms forms;
  AddressPlan plan;
  Displaced displaced;
  llvm::DenseMap<mlir::Block *, bool> matrixBlocks; ///< whether its matrix instructions go first
  /// By the result of a loop or branch: what a branch around it gives, whose other side is the loop's initial value or
  /// the inner branch's own other side. The registers hold it already.
  struct Guarded {
    Elems registers;
    mlir::Value initial;
  };
  llvm::DenseMap<mlir::Value, Guarded> guarded;
  // Of the kernel's entry.
  Reg kernargPointer, packedIds;
  Reg workgroupIds[3];
  std::optional<unsigned> hiddenOffset;
  Elems preloadedArguments;                 ///< their first words
  LoopCopies copiesMade = LoopCopies::None; ///< so far
};

/// What selects operations derives from it. Without a state of its own.
class OpSelector : public Division {
public:
  explicit OpSelector(Selection &selection LLVM_LIFETIME_BOUND)
      : Division(selection.emission),
        selection(selection),
        divergence(selection.divergence),
        values(selection.values),
        bounds(selection.bounds) {}

  Elems get(mlir::Value value);
  void set(mlir::Value value, Elems elems) { values.elems[value] = std::move(elems); }
  /// `scalar` on each element of the operands, or of `operands`.
  mlir::LogicalResult elementwise(mlir::Operation *op, llvm::function_ref<Elems(llvm::ArrayRef<Elems>)> scalar) {
    return elementwise(op, op->getOperands(), scalar);
  }
  mlir::LogicalResult elementwise(mlir::Operation *op, mlir::ValueRange operands,
                                  llvm::function_ref<Elems(llvm::ArrayRef<Elems>)> scalar);
  /// Compares on the scalar unit, which sets SCC, if the condition is such a comparison. Where in the block.
  std::optional<size_t> compareIntoScc(mlir::Value condition);
  size_t compareIntoScc(Predicate predicate, Elem a, Elem b);
  /// The upper word of generic addresses of LDS or of private memory.
  Elem apertureOf(unsigned space);
  /// `condition`: whose mask it is, if known.
  Elems chooseScalars(mlir::Value condition, llvm::ArrayRef<Elem> mask, llvm::ArrayRef<Elem> yes,
                      llvm::ArrayRef<Elem> no);

  Selection &selection;
  const Divergence &divergence;
  SelectedValues &values;
  Bounds &bounds;
};

} // namespace inflight::select
