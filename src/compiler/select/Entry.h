// What a kernel starts with: its attributes, initial registers (AMDGPU ABI) and arguments.
#pragma once

#include "compiler/select/Selection.h"

namespace inflight::select {

class Entry : public OpSelector {
public:
  using OpSelector::OpSelector;
  mlir::LogicalResult setUp();
  Elem hiddenArgument(unsigned offset, unsigned bytes);

private:
  void readAttributes();
  void takeInitialRegisters();
  struct ArgumentPlace {
    unsigned offset, bytes;
  };
  mlir::FailureOr<llvm::SmallVector<ArgumentPlace>> placeArguments();
  lir::ArgumentInfo describeArgument(unsigned index);
  Elems loadKernarg(llvm::ArrayRef<ArgumentPlace> places);
};

} // namespace inflight::select
