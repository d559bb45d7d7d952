// Tables of lanes as index arithmetic.
#pragma once

#include "compiler/lanes/LaneForms.h"
#include "mlir/IR/Builders.h"
#include <map>

namespace inflight::lanes {

/// The lane's number in its workgroup, of known size.
mlir::Value emitFlatId(mlir::OpBuilder &builder, mlir::Location loc, mlir::gpu::GPUFuncOp kernel);

/// Emits values of type index that have a table's number in each lane. Tables that differ by a constant share what they
/// are made of.
class LaneExpressions {
public:
  /// `builder` stands where the values shall be computed; `flatId` is the lane's number in its workgroup.
  LaneExpressions(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value flatId, unsigned lanes)
      : builder(builder), loc(loc), flatId(flatId), lanes(lanes) {}

  /// Whether `emit` can.
  static bool canEmit(const LaneTable &table, unsigned lanes);
  mlir::Value emit(const LaneTable &table);
  mlir::Value constant(int64_t value);
  /// Sums without zeros.
  mlir::Value add(mlir::Value a, mlir::Value b);

private:
  mlir::Value emitLanes(const LaneTable &table);
  mlir::Value emitBits(mlir::Value number, uint64_t greatest, uint64_t first, llvm::ArrayRef<uint64_t> ofBit);
  mlir::Value emitMoved(mlir::Value number, uint64_t greatest, uint64_t bits, int distance);
  mlir::Value emitDigits(const LaneTable &table);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value flatId;
  unsigned lanes;
  std::map<std::vector<int64_t>, std::pair<mlir::Value, int64_t>> known; ///< by differences to lane 0; its number there
};

} // namespace inflight::lanes
