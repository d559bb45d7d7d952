// Upstream MLIR to the form that instruction selection reads.
//
// The result is one `llvm.func` a kernel whose body is *structured*: a region of one block that holds
// LLVM-dialect, ROCDL and scf.for/if/while operations. Casts between a memref (or index, or a
// multi-dimensional vector) and its LLVM form may remain where scf carries such a value: both have
// the same pieces in the same order, and selection treats the cast as the identity.
//
// Kernel ABI, in the order of the source arguments:
//   memref, all static     one 64-bit pointer to element [offset 0]
//   memref, dynamic parts  the pointer, then i64: dynamic offset, sizes, strides, in elements
//   memref in workgroup memory   a 32-bit LDS address
//   index                  i64;  scalars: themselves
//   function results       a pointer each, to which every lane stores the result
#pragma once

#include "compiler/driver/PipelineOptions.h"
#include "mlir/Pass/PassManager.h"

namespace inflight {

/// The passes from input to structured LLVM.
void addLoweringPasses(mlir::PassManager &manager, const PipelineOptions &options);

/// Names of all lowering passes for --print-after and inflight-opt, with those that only other chips or options need.
llvm::SmallVector<llvm::StringRef> loweringPassNames(const Isa &isa);

/// That pass alone, as it is where it first stands. False if there is none of the name.
bool addLoweringPass(mlir::PassManager &manager, llvm::StringRef name, const PipelineOptions &options);

} // namespace inflight
