#include "compiler/loops/copies/CopyAddresses.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace inflight::loops {

bool CopyAddresses::dependsOnLane(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
    return op;
  if (auto known = lanes.find(value); known != lanes.end())
    return known->second;
  const bool answer = llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnLane(operand); });
  lanes[value] = answer;
  return answer;
}

/// What another lane of the workgroup computes in the iteration that `mapping` gives the counter of. Nothing asks for
/// `lane` if the value is the same in all of them.
Value CopyAddresses::valueOfLane(OpBuilder &builder, Value value, Value lane, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (loop.isDefinedOutsideOfLoop(value) && !dependsOnLane(value))
    return value;
  Operation *op = value.getDefiningOp();
  Value result;
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    const auto sides = *kernel.getKnownBlockSize();
    int64_t below = 1;
    for (unsigned dim = 0; dim < unsigned(id.getDimension()); ++dim)
      below *= sides[dim];
    result = arith::DivUIOp::create(builder, loc, lane, index(builder, loc, below));
    result = arith::RemUIOp::create(builder, loc, result, index(builder, loc, sides[unsigned(id.getDimension())]));
  } else if (isa<gpu::LaneIdOp>(op)) {
    result = arith::RemUIOp::create(builder, loc, lane, index(builder, loc, waveLanes));
  } else {
    for (Value operand : op->getOperands())
      mapping.map(operand, valueOfLane(builder, operand, lane, mapping));
    result = inBranch(builder, op, lane, mapping);
  }
  mapping.map(value, result);
  return result;
}

/// What an operation computes, with its operands mapped. If it may not be executed outside of the branches around it,
/// it is in one here; where that isn't taken it is zero, which nobody loads by.
Value CopyAddresses::inBranch(OpBuilder &builder, Operation *op, Value lane, IRMapping &mapping) {
  Value all;
  Operation *inner = op;
  for (Operation *parent = branchAround(op, loop); parent; parent = branchAround(parent, loop)) {
    auto branch = cast<scf::IfOp>(parent);
    Value taken = valueOfLane(builder, branch.getCondition(), lane, mapping);
    if (!branch.getThenRegion().isAncestor(inner->getParentRegion()))
      taken = arith::XOrIOp::create(builder, loc, taken, arith::ConstantIntOp::create(builder, loc, 1, 1));
    all = all ? arith::AndIOp::create(builder, loc, all, taken).getResult() : taken;
    inner = parent;
  }
  if (!all)
    return builder.clone(*op, mapping)->getResult(0);
  auto either = scf::IfOp::create(
      builder, loc, all,
      [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, inside.clone(*op, mapping)->getResults()); },
      [&](OpBuilder &inside, Location) {
        TypedAttr zero = inside.getZeroAttr(op->getResult(0).getType());
        scf::YieldOp::create(inside, loc, arith::ConstantOp::create(inside, loc, zero).getResult());
      });
  return either.getResult(0);
}

Value CopyAddresses::holds(OpBuilder &builder, const Guard &guard, Value lane, IRMapping &mapping) {
  if (guard.flag)
    return valueOfLane(builder, guard.flag, lane, mapping);
  if (guard.left)
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index(builder, loc, 0),
                                 valueOfLane(builder, guard.left, lane, mapping));
  Value number = valueOfLane(builder, guard.number, lane, mapping), limit;
  if (auto constant = dyn_cast<Attribute>(guard.limit))
    limit = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(constant));
  else
    limit = valueOfLane(builder, cast<Value>(guard.limit), lane, mapping);
  return arith::CmpIOp::create(builder, loc, guard.isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult,
                               number, limit);
}

/// Beyond the end it stays, and doesn't come round to the beginning of a 32-bit offset.
Value CopyAddresses::clamped(OpBuilder &builder, Value sum, const Clamp &clamp) {
  if (clamp.shift)
    sum = arith::AddIOp::create(builder, loc, sum, index(builder, loc, clamp.shift));
  sum = arith::MinUIOp::create(builder, loc, sum, index(builder, loc, clamp.end + clamp.shift));
  return clamp.shift ? arith::SubIOp::create(builder, loc, sum, index(builder, loc, clamp.shift)).getResult() : sum;
}

SmallVector<Value> CopyAddresses::indicesOf(OpBuilder &builder, const PreparedCopy &prepared, bool mayBeLast,
                                            IRMapping &mapping, IRMapping &ofLane) {
  SmallVector<Value> indices;
  for (auto [dim, form] : llvm::enumerate(prepared.copy->indices)) {
    Value sum;
    for (auto [term, factor] : llvm::zip(form.terms, prepared.factors[dim])) {
      Value value = valueOfLane(builder, term.value, prepared.sourceLane, term.varies ? ofLane : mapping);
      if (!isConstantIntValue(factor, 1))
        value = arith::MulIOp::create(builder, loc, value, factor);
      sum = sum ? arith::AddIOp::create(builder, loc, value, sum).getResult() : value;
    }
    if (sum && dim < prepared.copy->clamps.size() && prepared.copy->clamps[dim])
      sum = clamped(builder, sum, *prepared.copy->clamps[dim]);
    indices.push_back(sum ? arith::AddIOp::create(builder, loc, sum, prepared.constants[dim]).getResult()
                          : prepared.constants[dim]);
  }
  Value all;
  for (const Guard &guard : prepared.copy->guards) {
    if (guard.isOfLast && !mayBeLast)
      continue;
    Value one = holds(builder, guard, prepared.sourceLane, ofLane);
    all = all ? arith::AndIOp::create(builder, loc, all, one).getResult() : one;
  }
  if (!all)
    return indices;
  for (auto [dim, value] : llvm::enumerate(indices)) {
    Value end = dim ? index(builder, loc, 0)
                    : memref::DimOp::create(builder, loc, prepared.copy->source, int64_t(0)).getResult();
    value = arith::SelectOp::create(builder, loc, all, value, end);
  }
  return indices;
}

} // namespace inflight::loops
