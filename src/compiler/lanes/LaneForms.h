// What index arithmetic comes to in each lane of a workgroup: exact numbers where it depends on the lane alone, and
// multiples of values that are the same in all lanes.
#pragma once

#include "compiler/lanes/LaneTable.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace inflight::lanes {

/// The sum of `factor[lane] * value` over the terms, and a constant of the lane, modulo 2^64.
struct LaneForm {
  struct Term {
    mlir::Value value; ///< the same in all lanes of the workgroup, unless it varies
    LaneTable factor;
    bool varies = false; ///< the value is the lane's own
  };
  llvm::SmallVector<Term, 2> terms; ///< no value twice, no factor zero in all lanes
  LaneTable constant;

  LaneForm() = default;
  LaneForm(LaneTable constant) : constant(std::move(constant)) {}
  bool isTable() const { return terms.empty(); }
  bool isUniform() const;
  /// Whether a lane's form has the same terms as the form of another, constants aside.
  bool haveSameTerms(unsigned lane, const LaneForm &other, unsigned otherLane) const;
  void add(mlir::Value value, const LaneTable &factor, bool varies = false);
  LaneForm &operator+=(const LaneForm &other);
  LaneForm times(const LaneTable &factor) const;
};

class LaneForms {
public:
  /// The kernel's workgroup has a known size.
  explicit LaneForms(mlir::gpu::GPUFuncOp kernel);

  unsigned lanes() const { return laneCount; }
  /// Whether the workgroup is known to be a number of whole waves.
  bool hasWholeWaves() const;
  /// None if the value isn't such a sum, or can't be shown to be one.
  std::optional<LaneForm> of(mlir::Value value);
  /// Bytes from a memref's element at zeros to that at the indices, by its strides; none if one isn't known.
  std::optional<LaneForm> byteOf(mlir::MemRefType type, llvm::ArrayRef<mlir::OpFoldResult> indices);
  std::optional<LaneForm> byteOf(mlir::MemRefType type, mlir::ValueRange indices) {
    return byteOf(type, mlir::getAsOpFoldResult(indices));
  }
  /// A form in which what isn't such a sum, or isn't simple arithmetic, but can be computed for any lane, is a term of
  /// its own.
  std::optional<LaneForm> ofEach(mlir::Value value);
  /// Can be computed for any lane, by any lane: arithmetic on ids and on what is the same in all lanes.
  bool isComputable(mlir::Value value);
  /// Whether it is a multiple in every lane and iteration; false if that isn't known.
  bool isMultiple(mlir::Value value, int64_t of);
  /// The same in all lanes of the workgroup, whenever they are at the same iteration of the loops around it.
  bool isUniform(mlir::Value value);
  /// All waves of the workgroup come to it with all their lanes, equally often.
  bool isReachedByAll(mlir::Operation *op);

private:
  std::optional<LaneForm> compute(mlir::Value value);
  std::optional<LaneForm> computeOp(mlir::Operation *op, mlir::Value value);
  std::optional<LaneForm> binary(mlir::Operation *op);
  std::optional<LaneForm> convert(mlir::Operation *op, mlir::Value value);
  std::optional<LaneForm> affine(mlir::AffineExpr expr, llvm::ArrayRef<mlir::Value> dims,
                                 llvm::ArrayRef<mlir::Value> symbols);
  bool findComputable(mlir::Value value);
  bool computeUniform(mlir::Value value);
  bool isCarriedUniform(mlir::BlockArgument value);
  LaneTable idOf(unsigned dim) const;

  unsigned size[3] = {1, 1, 1};
  unsigned laneCount = 0;
  llvm::DenseMap<mlir::Value, std::optional<LaneForm>> forms;
  llvm::DenseMap<mlir::Value, bool> uniform, computable;
  llvm::DenseSet<mlir::Value> varying; ///< what loops carry, and what was once taken for uniform and isn't
};

} // namespace inflight::lanes
