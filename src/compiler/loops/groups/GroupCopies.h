// Copies of lanes to workgroup memory as LDS DMA of their waves.
#pragma once

#include "compiler/lanes/LaneExpression.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace inflight::loops {

using namespace lanes;

/// What a lane copies, as LDS DMA or through registers.
class GroupCopies {
public:
  struct Options {
    unsigned maxDmaBytes = 0;     ///< that a lane moves with one instruction
    bool hasGlobalLdsDma = false; ///< LDS DMA without a buffer descriptor
  };
  /// What doesn't change is computed at the kernel's beginning.
  GroupCopies(mlir::gpu::GPUFuncOp kernel, Options options);

  /// Puts LDS DMA in front of the copy, which stays. Otherwise says why that isn't possible; nothing has changed then.
  std::string lowerToDma(mlir::nvgpu::DeviceAsyncCopyOp copy);
  /// Puts a load and a store in front of the copy.
  static void lowerToRegisters(mlir::nvgpu::DeviceAsyncCopyOp copy);

private:
  /// One LDS DMA instruction: the places that it copies between are those of other lanes' copies.
  struct Part {
    LaneTable source;                 ///< the lane whose copy's source each lane reads
    LaneTable target;                 ///< the lane whose copy's destination is where the wave's first lane's data goes
    LaneTable sourceByte, targetByte; ///< in what those lanes copy
    bool readsOwn = false;            ///< each lane what it copies itself
  };
  std::string findParts(mlir::nvgpu::DeviceAsyncCopyOp copy, unsigned width, std::vector<Part> &parts);
  bool isSameInAllLanes(mlir::Value memref, llvm::SmallVectorImpl<mlir::Value> &visited);
  /// The index in the lanes that the table names, and so many elements on; none if that is no simple arithmetic.
  std::optional<LaneForm> formOf(mlir::Value index, const LaneTable &lane, const LaneTable &more);
  bool canEmit(const LaneForm &form) const;
  mlir::Value emit(mlir::OpBuilder &builder, const LaneForm &form, bool isSameInWave);
  mlir::Value constantOf(const LaneTable &table, bool isSameInWave);

  mlir::gpu::GPUFuncOp kernel;
  Options options;
  LaneForms forms;
  mlir::OpBuilder entry;
  std::optional<LaneExpressions> expressions;
  std::map<mlir::Value, mlir::Value, bool (*)(mlir::Value, mlir::Value)> firstLanes;
};

} // namespace inflight::loops
