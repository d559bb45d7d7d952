// Tiles that lanes store themselves, since what they hold isn't as it was loaded (converted, masked, transposed), or
// isn't loaded from where LDS DMA can copy: loaded into registers two iterations ahead, changed and stored to the next
// buffer beside the matrix instructions.
//
// Why the loop's result is the same. *What is loaded:* only global memory, which nothing in the loop writes, at places
// that the counter and values from outside the loop decide; only for iterations that there are, as these would load
// it. Before the loop there is a barrier if the kernel may have written before, as for copies. *What is stored:* what
// the same operations make of it, in the same lanes (all come to the loop's barriers, so that lanes may also look at
// each other's registers), to a buffer that is the iteration's own; the proof of TileLoops.h says that an iteration
// reads only bytes that it has stored itself, each stored once. *When:* the wave's stores to a buffer are done before
// the wait in front of the barrier that the buffer's reads follow. The reads that they might overtake are those of the
// iteration that had the buffer before: with two buffers or more these are in front of this iteration's first barrier,
// which all waves come to with their reads returned; with one buffer, of the second one.
#pragma once

#include "compiler/loops/copies/TileLoops.h"

namespace inflight::loops {

struct LoopPlan;

/// Looks at other lanes' registers, and at no memory.
bool isLaneExchange(mlir::Operation *op);

/// Whether an iteration before can make what is stored.
bool mayStage(mlir::Value stored, mlir::scf::ForOp loop);

/// Loads of global memory, or what they are part of, whose results these stores are computed from, in their order.
/// `mayStage` holds for what is stored.
llvm::SmallVector<mlir::Operation *> stagedLoads(mlir::scf::ForOp loop, llvm::ArrayRef<TileStore> stores);

/// The value that a store writes.
mlir::Value storedBy(const TileAccess &store);

/// Whether lanes store all tiles themselves, as they have loaded them, and read whole dwords of them: where elements
/// are read one by one, other places have other bank conflicts.
bool storesWhatIsLoaded(const LoopPlan &plan);

} // namespace inflight::loops
