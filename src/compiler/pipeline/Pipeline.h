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
  bool asyncCopies = true;     ///< compiler/async
  unsigned stages = 0;         ///< buffers of each tile that is copied ahead; 0: as many as pay
  bool pingPong = false;       ///< halves of a workgroup's waves alternate in loops that copy tiles ahead
  bool pingPongSpills = false; ///< they were to, but that takes too many registers: for a remark
  bool rotateLoops = true;     ///< RotateLoops
  bool reassociate = false;    ///< attr::reassociate, of all kernels
  bool verifyEach = false;     ///< passes check what they have done, where they can
  bool operator==(const PipelineOptions &) const = default;
};
static_assert(std::is_trivially_copyable_v<PipelineOptions>, "what owns or captures has no place in what is compared");

/// All dialects a kernel may come in, with the interfaces the passes need.
void registerInputDialects(mlir::DialectRegistry &registry);

/// The passes from input to structured LLVM.
void addLoweringPasses(mlir::PassManager &manager, const PipelineOptions &options);

/// LLVM's intrinsics, by name, that lowering leaves for selection.
namespace intrinsic {
inline constexpr llvm::StringLiteral fdot2 = "llvm.amdgcn.fdot2"; ///< of two halves each, added to a single
} // namespace intrinsic

/// Attribute names that lowering leaves for selection.
namespace attr {
inline constexpr llvm::StringLiteral arguments = "inflight.arguments";         ///< array of dictionaries
inline constexpr llvm::StringLiteral argName = "name";                         ///< in each: StringAttr
inline constexpr llvm::StringLiteral argKind = "kind";                         ///< in each: value kind of the metadata
inline constexpr llvm::StringLiteral argType = "type";                         ///< in each: element type
inline constexpr llvm::StringLiteral ldsBytes = "inflight.lds_bytes";          ///< on functions: i64
inline constexpr llvm::StringLiteral blockSize = "inflight.block_size";        ///< array<i32> of 3
inline constexpr llvm::StringLiteral maxBlock = "inflight.max_workgroup_size"; ///< i64
/// On source functions: every dynamic memref spans less than 4 GiB, so descriptors may reach it.
inline constexpr llvm::StringLiteral dynamicBuffers = "inflight.dynamic_buffers";
/// On allocations in workgroup memory: i64, a number that several may share. On an llvm.fence of the workgroup: it
/// orders transfers to those allocations alone; the allocations have become their bytes, array<i64: begin, end>, when
/// selection sees it.
inline constexpr llvm::StringLiteral ldsStage = "inflight.lds_stage";
/// On such a fence and on a rocdl.s.barrier: only accesses to workgroup memory are ordered.
inline constexpr llvm::StringLiteral ldsOnly = "inflight.lds_only";
/// On kernels: nothing that the kernel stores is what its LDS DMA copies.
inline constexpr llvm::StringLiteral constantCopies = "inflight.constant_copies";
/// On an llvm.fence: LDS DMA before it is a group, or belongs to older ones. On another: all groups are done there but
/// so many of the youngest, i64. Nothing else waits for LDS DMA in kernels that have any.
inline constexpr llvm::StringLiteral commitGroup = "inflight.commit_group";
inline constexpr llvm::StringLiteral waitGroup = "inflight.wait_group";
/// On copies to workgroup memory by LDS DMA: only waits for their group wait for them.
inline constexpr llvm::StringLiteral asynchronous = "inflight.async";
/// On kernels: an array of dictionaries, each a remark of a pass before selection: "at", a location; "missed", whether
/// something wasn't done; "name"; "parts", keys and values of its arguments in turn. "pass" is its pass.
inline constexpr llvm::StringLiteral remarks = "inflight.remarks";
/// On amdgpu.fat_raw_buffer_cast: the descriptor ends where the memref does.
inline constexpr llvm::StringLiteral endsWithMemRef = "inflight.ends_with_memref";
/// On kernels, of which RotateLoops has rotated a loop.
inline constexpr llvm::StringLiteral rotated = "inflight.rotated";
/// On source functions or a module around them: sums of floats may be added in another order.
inline constexpr llvm::StringLiteral reassociate = "inflight.reassociate";
} // namespace attr

} // namespace inflight
