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

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include <type_traits>

namespace inflight {

class Isa;

/// All that decides which passes there are and what they do. Passes are made of nothing else, and outlive the
/// compilation that made them: where options are equal, they serve another one (Session.h).
struct PipelineOptions {
  const Isa *isa = nullptr;    ///< the chip's, which lives as long as the process
  bool asyncCopies = true;     ///< createAsyncCopiesPass
  unsigned stages = 0;         ///< buffers of each tile that is copied ahead; 0: as many as pay
  bool pingPong = false;       ///< halves of a workgroup's waves alternate in loops that copy tiles ahead
  bool pingPongSpills = false; ///< they were to, but that takes too many registers: for a remark
  bool rotateLoops = true;     ///< RotateLoops
  bool reassociate = false;    ///< attr::reassociate, of all kernels
  bool verifyEach = false;     ///< passes check what they have done, where they can
  bool operator==(const PipelineOptions &) const = default;
};
static_assert(std::is_trivially_copyable_v<PipelineOptions>, "what owns or captures has no place in what is compared");

/// The passes from input to structured LLVM.
void addLoweringPasses(mlir::PassManager &manager, const PipelineOptions &options);

/// Of all of them, as --print-after and inflight-opt have it; those too that other chips and options alone ask for.
llvm::SmallVector<llvm::StringRef> loweringPassNames(const Isa &isa);

/// That pass alone, as it is where it first stands. False if there is none of the name.
bool addLoweringPass(mlir::PassManager &manager, llvm::StringRef name, const PipelineOptions &options);

} // namespace inflight
