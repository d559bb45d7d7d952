// What is done to loops, and to what lanes copy and load between them.
#pragma once

#include "mlir/Pass/Pass.h"

namespace inflight {

class Isa;
struct TargetInfo;

/// Loops by scf.while that count become scf.for.
std::unique_ptr<mlir::Pass> createCountedLoopsPass();

/// Results of a branch of which one is poison where the other isn't, and else the same, become one.
std::unique_ptr<mlir::Pass> createEqualResultsPass();

/// Private memory whose elements are accessed at known places becomes values, which loops carry: no more words a kernel
/// than a wave may have registers. Loops with few iterations that count those places are unrolled. What stays in memory
/// is a remark of the kernel.
std::unique_ptr<mlir::Pass> createPromotePrivatePass(const TargetInfo &target);

struct CopyOptions {
  const Isa *isa = nullptr;
  unsigned stages = 0;   ///< buffers of each tile; 0: as many as pay
  bool pingPong = false; ///< halves of a workgroup's waves alternate
  bool check = false;    ///< by executing both loops
};

/// Copies of tiles to workgroup memory become LDS DMA, ahead of what is computed. On kernels before their workgroup
/// memory gets its place. What it did, and what was in the way, are remarks (attr::remarks) of the kernel.
std::unique_ptr<mlir::Pass> createAsyncCopiesPass(const CopyOptions &options);

/// Fragments that lanes read from LDS by columns, element by element, are read by transposing reads where the chip has
/// them; elsewhere the tile is stored as its transpose. On kernels before their copies are made ahead.
std::unique_ptr<mlir::Pass> createColumnReadsPass(const Isa &isa);

/// Tiles outside of loops whose accesses have bank conflicts, and depend on the lane alone, get their bytes in an order
/// with fewer. On kernels before their workgroup memory gets its place; a remark of the kernel says so.
std::unique_ptr<mlir::Pass> createSwizzleTilesPass(llvm::StringRef chip);

/// Stores to global memory of results that rows of lanes hold side by side become wider ones, of exchanged rows. The
/// chip has permlane swaps.
std::unique_ptr<mlir::Pass> createWidenStoresPass();

/// Asynchronous copies of lanes, in groups (nvgpu.device_async_*), become LDS DMA, and their groups fences that are
/// counted when waits are placed (attr::commitGroup, attr::waitGroup).
std::unique_ptr<mlir::Pass> createAsyncGroupsPass(const Isa &isa);
std::unique_ptr<mlir::Pass> createCheckAsyncGroupsPass();
/// What those passes are for.
bool isAsyncGroupOp(mlir::Operation *op);

/// Two matrix instructions on one accumulator become one of twice the depth. For chips that have those. Sums of floats
/// are then rounded in another order: only if it `reassociates`, or the kernel says that it may (attr::reassociate).
std::unique_ptr<mlir::Pass> createWidenMatrixPass(bool reassociates);

/// Matrix instructions go first where loops compute much else between them and two waves share a SIMD.
std::unique_ptr<mlir::Pass> createMatrixPriorityPass(const TargetInfo &target);

/// Loops of matrix instructions do what the first of those wait for an iteration ahead, or part of it where a wave's
/// registers don't hold the factors of two iterations.
std::unique_ptr<mlir::Pass> createRotateLoopsPass(const TargetInfo &target);

/// Branches that only load global memory go before the LDS stores in front of them.
std::unique_ptr<mlir::Pass> createEarlyLoadsPass();

/// What waits and only those waves need that don't end at once goes behind the branch that tells them. `target`: how
/// many arguments are there from the start.
std::unique_ptr<mlir::Pass> createEarlyExitsPass(const TargetInfo &target);

} // namespace inflight
