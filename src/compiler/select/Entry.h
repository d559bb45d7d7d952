// What a kernel starts with: its attributes, initial registers (AMDGPU ABI) and arguments.
#pragma once

#include "compiler/select/Selection.h"
#include "llvm/ADT/BitVector.h"

namespace inflight::select {

/// Bytes in the hidden arguments.
struct HiddenField {
  unsigned offset, bytes;
};

/// Where the number of workgroups or of a workgroup's lanes is that the operation asks for (AMDGPUUsage, "Code Object
/// V5 Kernel Argument Metadata"); none for other operations.
std::optional<HiddenField> launchSizeOf(mlir::Operation *op);

class Entry : public OpSelector {
public:
  using OpSelector::OpSelector;
  mlir::LogicalResult setUp();
  /// One of the launch's sizes.
  Elem hiddenArgument(HiddenField field);
  /// What `pointer` to hidden arguments is.
  Elems hiddenArguments(mlir::Value pointer);

private:
  void readAttributes();
  struct ArgumentPlace {
    unsigned offset, bytes;
    bool isInPlace;
  };
  unsigned preloadedWords(llvm::ArrayRef<ArgumentPlace> places, unsigned taken);
  Elems takeInitialRegisters(llvm::ArrayRef<ArgumentPlace> places);
  mlir::FailureOr<llvm::SmallVector<ArgumentPlace>> placeArguments();
  mlir::Type passedInPlace(unsigned index) const;
  Elems behindKernarg(unsigned offset);
  void declareHidden(const llvm::BitVector &isRead);
  lir::ArgumentInfo describeArgument(unsigned index);
  Elems loadKernarg(llvm::ArrayRef<ArgumentPlace> places, Elems kernarg);
};

} // namespace inflight::select
