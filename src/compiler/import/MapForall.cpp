// scf.forall that is mapped to lanes or workgroups becomes what each of them does of it.
//
// Lanes take iterations by their ids, and again as far as the workgroup reaches if there are more; then they meet, as
// what follows a forall may read what any of its iterations wrote. Workgroups take one each: the grid has to have as
// many as there are iterations, and those beyond do nothing. Lanes or workgroups with an id other than 0 in a dimension
// that isn't mapped do nothing, too, as if it had one iteration.
#include "compiler/import/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight::import {

namespace {
constexpr unsigned dimensions = 3;

/// By dimension of the forall, the id that it is mapped to; none for other mappings.
template <typename Mapping> std::optional<SmallVector<gpu::Dimension>> dimensionsOf(ArrayAttr mapping) {
  SmallVector<gpu::Dimension> found;
  for (Attribute attribute : mapping) {
    auto mapped = dyn_cast<Mapping>(attribute);
    if (!mapped || mapped.isLinearMapping() || uint64_t(mapped.getMappingId()) >= dimensions)
      return std::nullopt;
    found.push_back(gpu::Dimension(mapped.getMappingId()));
  }
  return found;
}

/// Lanes of a workgroup in a dimension, if the kernel says.
std::optional<int32_t> lanesIn(Operation *op, gpu::Dimension dimension) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto size = function ? function->getAttrOfType<DenseI32ArrayAttr>("gpu.known_block_size") : DenseI32ArrayAttr();
  return size && size.size() == dimensions ? std::optional<int32_t>(size[unsigned(dimension)]) : std::nullopt;
}

std::optional<int64_t> constantTripCount(Value lower, Value upper, Value step) {
  const std::optional<int64_t> begin = getConstantIntValue(lower), end = getConstantIntValue(upper),
                               by = getConstantIntValue(step);
  if (!begin || !end || !by || *by < 1)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*end - *begin, *by));
}

void distribute(scf::ForallOp forall, ArrayRef<gpu::Dimension> mapped, bool isOfLanes) {
  const Location loc = forall.getLoc();
  OpBuilder builder(forall);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto idOf = [&](gpu::Dimension dimension) -> Value {
    return isOfLanes ? gpu::ThreadIdOp::create(builder, loc, dimension).getResult()
                     : gpu::BlockIdOp::create(builder, loc, dimension).getResult();
  };
  auto enterIf = [&](Value condition) {
    builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, condition).thenBlock());
  };
  for (unsigned i = 0; i < dimensions; ++i) {
    const gpu::Dimension dimension = gpu::Dimension(i);
    if (llvm::is_contained(mapped, dimension) || (isOfLanes && lanesIn(forall, dimension) == 1))
      continue;
    enterIf(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, idOf(dimension), index(0)));
  }
  SmallVector<Value> counters;
  for (auto [dimension, lower, upper, step] :
       llvm::zip(mapped, forall.getLowerBound(builder), forall.getUpperBound(builder), forall.getStep(builder))) {
    Value begin = lower, distance = arith::SubIOp::create(builder, loc, upper, begin);
    Value trips = arith::CeilDivSIOp::create(builder, loc, distance, step), id = idOf(dimension);
    const std::optional<int32_t> lanes = isOfLanes ? lanesIn(forall, dimension) : std::nullopt;
    const std::optional<int64_t> count = constantTripCount(lower, upper, step);
    if (isOfLanes && !(lanes && count && *count <= *lanes)) {
      Value apart = lanes ? index(*lanes) : gpu::BlockDimOp::create(builder, loc, dimension).getResult();
      auto loop = scf::ForOp::create(builder, loc, id, trips, apart);
      builder.setInsertionPointToStart(loop.getBody());
      id = loop.getInductionVar();
    } else if (!lanes || *count < *lanes) {
      enterIf(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, id, trips));
    }
    counters.push_back(arith::AddIOp::create(builder, loc, begin, arith::MulIOp::create(builder, loc, id, step)));
  }
  forall.getTerminator().erase();
  Block *target = builder.getInsertionBlock();
  for (auto [argument, counter] : llvm::zip(forall.getInductionVars(), counters))
    argument.replaceAllUsesWith(counter);
  target->getOperations().splice(builder.getInsertionPoint(), forall.getBody()->getOperations());
  if (isOfLanes) {
    builder.setInsertionPoint(forall);
    gpu::BarrierOp::create(builder, loc);
  }
  forall.erase();
}
} // namespace

void mapForalls(ModuleOp module) {
  SmallVector<scf::ForallOp> foralls;
  module.walk([&](scf::ForallOp forall) { foralls.push_back(forall); });
  for (scf::ForallOp forall : foralls) {
    if (!forall.getMapping() || forall.getMapping()->empty() || forall->getNumResults())
      continue;
    if (auto lanes = dimensionsOf<gpu::GPUThreadMappingAttr>(*forall.getMapping()))
      distribute(forall, *lanes, true);
    else if (auto workgroups = dimensionsOf<gpu::GPUBlockMappingAttr>(*forall.getMapping()))
      distribute(forall, *workgroups, false);
  }
}

} // namespace inflight::import
