// Copies of tiles to workgroup memory become LDS DMA, ahead of what is computed.
#pragma once

#include "compiler/pipeline/Pipeline.h"
#include "mlir/Pass/Pass.h"

namespace inflight {

/// On kernels before their workgroup memory gets its place. What it did, and what was in the way, are remarks
/// (attr::remarks) of the kernel.
std::unique_ptr<mlir::Pass> createAsyncCopiesPass(const PipelineOptions &options);

} // namespace inflight
