// LaneInterpreter's own: what control, arithmetic and memory share.
#pragma once

#include "compiler/lanes/LaneInterpreter.h"
#include "compiler/lanes/LaneTable.h"
#include "compiler/lanes/LaneValue.h"
#include "compiler/lanes/Slices.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace inflight::lanes {

using Mask = std::vector<char>;

/// Elements of a type and the bits of each; none if they aren't integers, indices or floats of whole bytes or one bit.
struct Shape {
  unsigned count = 1, bits = 0;
  bool isFloat = false;
  unsigned bytes() const { return (bits + 7) / 8; }
};
std::optional<Shape> shapeOf(mlir::Type type);

class Interpreter {
public:
  Interpreter(mlir::gpu::GPUFuncOp kernel, const Sample &sample) : kernel(kernel), sample(sample) {
    lanes = 1;
    for (auto [i, side] : llvm::enumerate(*kernel.getKnownBlockSize()))
      lanes *= sides[i] = side;
  }
  ReadTrace run();

private:
  using Lanes = std::vector<int64_t>;
  bool fail(mlir::Operation *op, const llvm::Twine &why) {
    if (trace.obstacle.empty())
      trace.obstacle = ("'" + op->getName().getStringRef() + "': " + why).str();
    return false;
  }
  void findRelevant();
  bool run(mlir::Block &block);
  bool run(mlir::Operation *op);
  bool runLoop(mlir::scf::ForOp loop);
  bool runBranch(mlir::scf::IfOp branch);
  bool runAccess(mlir::Operation *op);
  bool runGather(mlir::amdgpu::GatherToLDSOp op);
  LaneRef compute(mlir::Operation *op);
  LaneRef computeId(mlir::Operation *op);
  LaneRef computeNumbers(mlir::Operation *op);
  LaneRef computeVector(mlir::Operation *op);
  LaneRef computeOpaque(mlir::Operation *op);
  LaneRef memoryOf(mlir::Operation *op);
  LaneRef described(mlir::UnrealizedConversionCastOp cast);
  LaneRef buffer(mlir::amdgpu::FatRawBufferCastOp cast);
  LaneRef subview(mlir::memref::SubViewOp view);
  LaneRef constant(mlir::Operation *op);

  LaneRef get(mlir::Value value) const { return values.lookup(value); }
  void set(mlir::Value value, LaneRef ref) { values[value] = std::move(ref); }
  LaneRef numbers(mlir::Value value);
  LaneRef bytes(mlir::Value value);
  std::optional<int64_t> uniform(mlir::Value value);
  std::optional<int64_t> uniform(mlir::OpFoldResult value);
  LaneRef choose(const LaneRef &which, const LaneRef &yes, const LaneRef &no);
  LaneRef make(Shape shape, llvm::function_ref<int64_t(unsigned)> at) const;
  LaneRef same(int64_t number, unsigned bits = 64) const {
    return make({1, bits}, [&](unsigned) { return number; });
  }
  std::optional<Lanes> addresses(const LaneValue &memory, mlir::ValueRange indices, mlir::Type element);
  std::vector<Source> load(const LaneValue &memory, const Lanes &at, unsigned bytes, const Mask &mask, int64_t apart);
  std::vector<Source> &lds(unsigned root) LLVM_LIFETIME_BOUND { return workgroup[root]; }
  unsigned ldsRoot(mlir::Operation *alloc);
  int64_t argument(unsigned number, bool isSize) const;
  bool isActive(unsigned lane) const { return active[lane]; }

  mlir::gpu::GPUFuncOp kernel;
  const Sample &sample;
  unsigned sides[3] = {1, 1, 1}, lanes = 1;
  uint64_t spent = 0;
  ReadTrace trace;
  llvm::DenseSet<mlir::Operation *> relevant; ///< bring something to LDS or are checked reads, or contain such
  Slice stored;                               ///< what lanes store to LDS follows from these
  llvm::DenseMap<mlir::Value, LaneRef> values;
  llvm::DenseMap<mlir::Operation *, unsigned> allocations;
  std::vector<std::vector<Source>> workgroup;
  Mask active;
};

} // namespace inflight::lanes
