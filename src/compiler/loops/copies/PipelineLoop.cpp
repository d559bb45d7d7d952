#include "compiler/loops/copies/PipelineLoop.h"

#include "compiler/lanes/LaneInterpreter.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/Matrix.h"
#include "compiler/loops/copies/Pipeliner.h"
#include "compiler/loops/copies/Staging.h"
#include "compiler/loops/copies/TileSequence.h"
#include "compiler/pipeline/Attributes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight::loops {

bool hasStagedTiles(const LoopPlan &plan) {
  return llvm::any_of(plan.layouts, [](const TileLayout &layout) { return layout.isStaged(); });
}

unsigned stageBytes(const LoopPlan &plan) {
  unsigned bytes = 0;
  for (const TileLayout &layout : plan.layouts)
    bytes += layout.bytes;
  return bytes;
}

static constexpr StringLiteral readMark = "inflight.tile_read"; ///< array<i64>: number of the tile, of the read

/// The buffers of a stage lie together.
void Pipeliner::allocate() {
  OpBuilder entry = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Attribute space = gpu::AddressSpaceAttr::get(kernel.getContext(), gpu::AddressSpace::Workgroup);
  memory.resize(plan.stages);
  for (unsigned stage = 0; stage < plan.stages; ++stage)
    for (auto [tile, layout] : llvm::zip(plan.loop.tiles, plan.layouts)) {
      auto type = MemRefType::get({int64_t(layout.bytes / tile.elementBytes)}, tile.element,
                                  MemRefLayoutAttrInterface(), space);
      auto alloc = memref::AllocOp::create(entry, loc, type);
      alloc->setAttr(attr::ldsStage, entry.getI64IntegerAttr(plan.number * maxStages + stage));
      memory[stage].push_back(alloc);
    }
}

void Pipeliner::prepare() {
  Value flat = emitFlatId(outside, loc, kernel);
  Value wave = arith::DivUIOp::create(outside, loc, flat, index(outside, loc, waveLanes));
  wave = arith::IndexCastOp::create(outside, loc, outside.getI32Type(), wave);
  wave = ROCDL::ReadfirstlaneOp::create(outside, loc, outside.getI32Type(), wave);
  wave = arith::IndexCastOp::create(outside, loc, outside.getIndexType(), wave);
  LaneExpressions expressions(outside, loc, flat, plan.lanes);
  copies.resize(plan.layouts.size());
  readPlaces.resize(plan.layouts.size());
  if (plan.wavesOfHalf)
    prepareHalves(flat, wave);
  if (!halvesCopy)
    prepareCopies(expressions, wave);
  storePlaces.resize(plan.layouts.size());
  for (auto [number, layout] : llvm::enumerate(plan.layouts)) {
    auto place = [&](const LaneTable &table) {
      const int64_t elementBytes = plan.loop.tiles[number].elementBytes;
      return expressions.emit(table.map([&](int64_t byte) { return byte / elementBytes; }));
    };
    readPlaces[number] = llvm::map_to_vector(layout.reads, place);
    for (ArrayRef<LaneTable> parts : layout.stores)
      storePlaces[number].push_back(llvm::map_to_vector<2>(parts, place));
  }
}

/// The copies of one wave, by whichever executes them.
void Pipeliner::prepareCopies(LaneExpressions &expressions, Value wave) {
  for (auto [number, layout] : llvm::enumerate(plan.layouts)) {
    const int64_t elementBytes = plan.loop.tiles[number].elementBytes;
    for (const TileCopy &copy : layout.copies) {
      PreparedCopy prepared{&copy, {}, {}, {}, {}};
      if (copy.asksSourceLane())
        prepared.sourceLane = expressions.emit(copy.sourceLane);
      for (const LaneForm &form : copy.indices) {
        prepared.factors.emplace_back();
        for (const LaneForm::Term &term : form.terms)
          prepared.factors.back().push_back(expressions.emit(term.factor));
        prepared.constants.push_back(expressions.emit(form.constant));
      }
      const int64_t first = copy.wavePlace[0] / elementBytes;
      const int64_t apart = int64_t(waveLanes) * layout.dmaBytes / elementBytes;
      prepared.place = expressions.add(arith::MulIOp::create(outside, loc, wave, index(outside, loc, apart)),
                                       index(outside, loc, first));
      copies[number].push_back(std::move(prepared));
    }
  }
}

void Pipeliner::markReads() {
  Builder builder(kernel.getContext());
  dropped.insert(plan.loop.barriers.begin(), plan.loop.barriers.end());
  for (auto [number, tile] : llvm::enumerate(plan.loop.tiles)) {
    for (auto [i, read] : llvm::enumerate(tile.reads))
      read.op->setAttr(readMark, builder.getDenseI64ArrayAttr({int64_t(number), int64_t(i)}));
    // What leads to the stores is dead without them.
    for (const TileStore &store : tile.stores)
      dropped.insert(store.op);
  }
}

Value Pipeliner::ivAfter(OpBuilder &builder, Value iv, int64_t iterations) {
  const int64_t distance = *getConstantIntValue(loop.getStep()) * iterations;
  return distance ? arith::AddIOp::create(builder, loc, iv, index(builder, loc, distance)).getResult() : iv;
}

/// Starts copies of one iteration.
void Pipeliner::copy(OpBuilder &builder, Value iv, unsigned stage, Part part) {
  if (halvesCopy && part.half == Half::Any) {
    auto by = [&](Half half) {
      return [&, half](OpBuilder &inside, Location) {
        Part mine = part;
        mine.half = half;
        copy(inside, iv, stage, mine);
        scf::YieldOp::create(inside, loc);
      };
    };
    scf::IfOp::create(builder, loc, isEarly, by(Half::Early), by(Half::Late));
    return;
  }
  IRMapping iterations;
  iterations.map(loop.getInductionVar(), iv);
  IRMapping mapping = iterations;
  unsigned count = 0;
  for (auto [number, tile] : llvm::enumerate(plan.loop.tiles)) {
    const unsigned elements = plan.layouts[number].dmaBytes / tile.elementBytes;
    Type type = elements == 1 ? tile.element : VectorType::get({elements}, tile.element);
    for (const PreparedCopy &prepared : copies[number]) {
      const unsigned place = count++;
      if (place < part.begin || place >= part.end || prepared.half != part.half)
        continue;
      IRMapping ofLane = iterations;
      const SmallVector<Value> indices = addresses.indicesOf(builder, prepared, part.mayBeLast, mapping, ofLane);
      amdgpu::GatherToLDSOp::create(builder, loc, prepared.copy->source, indices, memory[stage][number],
                                    ValueRange{prepared.place}, TypeAttr::get(type));
    }
  }
}

/// A constant condition needs no branch.
void Pipeliner::copyLater(OpBuilder &builder, const Later &later, Value iv, unsigned stage, Part part) {
  part.mayBeLast = later.mayBeLast;
  if (!later.exists)
    return;
  if (later.isOfNextTile) {
    iv = ivAfter(builder, iv, -int64_t(*constantTrips(loop)));
    nextTile.push_back(scf::IfOp::create(builder, loc, later.exists, [&](OpBuilder &inside, Location) {
      copy(inside, iv, stage, part);
      scf::YieldOp::create(inside, loc);
    }));
    return;
  }
  if (matchPattern(later.exists, m_One()))
    return copy(builder, iv, stage, part);
  scf::IfOp::create(builder, loc, later.exists, [&](OpBuilder &inside, Location) {
    copy(inside, iv, stage, part);
    scf::YieldOp::create(inside, loc);
  });
}

/// A read of a tile reads its buffer.
Value Pipeliner::redirect(Operation *read, unsigned stage) {
  ArrayRef<int64_t> mark = read->getAttrOfType<DenseI64ArrayAttr>(readMark).asArrayRef();
  Value from = memory[stage][mark[0]], place = readPlaces[mark[0]][mark[1]];
  OpBuilder builder(read);
  Type type = read->getResult(0).getType();
  Value value, loaded;
  if (isa<amdgpu::TransposeLoadOp>(read)) {
    loaded = value = amdgpu::TransposeLoadOp::create(builder, read->getLoc(), type, from, place);
  } else if (auto vector = dyn_cast<VectorType>(type)) {
    auto row = VectorType::get({vector.getNumElements()}, vector.getElementType());
    loaded = value = vector::LoadOp::create(builder, read->getLoc(), row, from, place);
    if (row != vector)
      value = vector::ShapeCastOp::create(builder, read->getLoc(), vector, value);
  } else {
    loaded = value = memref::LoadOp::create(builder, read->getLoc(), from, place);
  }
  if (Attribute label = read->getAttr(checkedRead))
    loaded.getDefiningOp()->setAttr(checkedRead, label);
  read->getResult(0).replaceAllUsesWith(value);
  read->erase();
  return value;
}

/// An operation of an iteration, on what a stage holds.
void Pipeliner::clone(OpBuilder &builder, Operation *op, unsigned stage, IRMapping &mapping) {
  Operation *copy = builder.clone(*op, mapping);
  SmallVector<Operation *> reads;
  copy->walk([&](Operation *inner) {
    if (inner->hasAttr(readMark))
      reads.push_back(inner);
  });
  for (Operation *read : reads) {
    const bool isAll = read == copy;
    Value value = redirect(read, stage);
    if (isAll)
      mapping.map(op->getResult(0), value);
  }
}

SmallVector<Value> Pipeliner::carriedOn(const IRMapping &mapping) {
  SmallVector<Value> next;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(value));
  return next;
}

/// A fence after which the wave's copies into the stage have arrived and its reads of the stage have returned.
void Pipeliner::fence(OpBuilder &builder, unsigned stage, bool isOfLds) {
  auto fence = LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel, "workgroup");
  fence->setAttr(attr::ldsStage, builder.getI64IntegerAttr(plan.number * maxStages + stage));
  if (isOfLds)
    fence->setAttr(attr::ldsOnly, builder.getUnitAttr());
}

/// Of one half of the waves it is in a branch.
void Pipeliner::barrier(OpBuilder &builder, Half half, bool isOfLds) {
  if (half != Half::Any) {
    scf::IfOp::create(builder, loc, half == Half::Early ? isEarly : isLate, [&](OpBuilder &inside, Location) {
      barrier(inside, Half::Any, isOfLds);
      scf::YieldOp::create(inside, loc);
    });
    return;
  }
  auto barrier = ROCDL::SBarrierOp::create(builder, loc);
  if (isOfLds)
    barrier->setAttr(attr::ldsOnly, builder.getUnitAttr());
}

void Pipeliner::perform(OpBuilder &builder, const Action &action, Iteration &iteration) {
  using Kind = Action::Kind;
  const unsigned stage = (iteration.stage + action.later) % plan.stages;
  const Value iv = ivAfter(builder, iteration.iv, action.later);
  Later with;
  if (action.onlyWith)
    with = iteration.lookahead(builder, action.onlyWith);
  if (action.onlyWith && !with.exists)
    return;
  switch (action.kind) {
  case Kind::Wait: return fence(builder, stage, with.isOfNextTile);
  case Kind::Barrier: return barrier(builder, action.half, with.isOfNextTile);
  case Kind::FullBarrier: gpu::BarrierOp::create(builder, loc); return;
  case Kind::PacedBarrier: return barrier(builder, Half::Any, true);
  case Kind::Load:
    iteration.loaded = loadLater(builder, own, iteration.lookahead(builder, action.later), iv, iteration.loaded);
    return;
  case Kind::Fetch:
    if (iteration.together) {
      if (iteration.together->empty())
        *iteration.together = loadTogether(builder, iv);
      iteration.fetched = load(builder, staged, iv, iteration.together->pop_back_val());
      return;
    }
    iteration.fetched = loadLater(builder, staged, iteration.lookahead(builder, action.later), iv, iteration.fetched);
    return;
  case Kind::Stage:
    return this->stage(builder, iteration.lookahead(builder, action.later), iv, stage, iteration.fetched);
  case Kind::Copy:
    return copyLater(builder, iteration.lookahead(builder, action.later), iv, stage,
                     {.begin = action.begin, .end = action.end, .half = action.half});
  case Kind::Interleave:
    if (const Later later = iteration.lookahead(builder, action.later);
        later.exists && matchPattern(later.exists, m_One()))
      interleave(builder, action.half);
    return;
  case Kind::Read:
    for (Operation *op : clusters.reads)
      clone(builder, op, stage, iteration.mapping);
    return;
  case Kind::Compute:
    for (Operation *op : clusters.compute)
      if (op->getNumResults() != 1 || !iteration.mapping.contains(op->getResult(0)))
        clone(builder, op, stage, iteration.mapping);
    return;
  case Kind::Prefer:
  case Kind::Defer: setPriority(builder, loc, action.kind == Kind::Prefer); return;
  }
}

/// What they read is the branches' result.
void Pipeliner::performByHalf(OpBuilder &builder, ArrayRef<Action> actions, Iteration &iteration) {
  auto by = [&](Half half) {
    return [&, half](OpBuilder &inside, Location) {
      for (Action action : actions) {
        action.half = half;
        perform(inside, action, iteration);
      }
      SmallVector<Value> read;
      for (Value value : clusters.results)
        read.push_back(iteration.mapping.lookup(value));
      scf::YieldOp::create(inside, loc, read);
    };
  };
  auto either = scf::IfOp::create(builder, loc, isEarly, by(Half::Early), by(Half::Late));
  iteration.mapping.map(clusters.results, either.getResults());
}

void Pipeliner::perform(OpBuilder &builder, ArrayRef<Action> actions, Iteration &iteration) {
  while (!actions.empty()) {
    const ArrayRef<Action> byHalf = actions.take_while([](const Action &action) { return action.isByHalf; });
    if (byHalf.empty())
      perform(builder, actions.front(), iteration);
    else
      performByHalf(builder, byHalf, iteration);
    actions = actions.drop_front(std::max<size_t>(byHalf.size(), 1));
  }
}

/// An iteration. `carried`: what the loop carries, its own loads and what was fetched; or the first alone.
SmallVector<Value> Pipeliner::step(OpBuilder &builder, const LoopSchedule &schedule, Value iv, unsigned stage,
                                   ValueRange carried, Lookahead lookahead, Fetched *together) {
  Iteration iteration{iv, stage, lookahead, {}, {}, {}, together};
  iteration.mapping.map(loop.getInductionVar(), iv);
  iteration.mapping.map(loop.getRegionIterArgs(), carried.take_front(loop.getNumRegionIterArgs()));
  carried = carried.drop_front(loop.getNumRegionIterArgs());
  iteration.loaded = carried.take_front(carried.empty() ? 0 : plan.loop.ownLoads.size());
  iteration.fetched = carried.drop_front(iteration.loaded.size());
  for (auto [op, value] : llvm::zip(plan.loop.ownLoads, iteration.loaded))
    iteration.mapping.map(op->getResult(0), value);
  perform(builder, schedule.iteration, iteration);
  SmallVector<Value> results = carriedOn(iteration.mapping);
  llvm::append_range(results, iteration.loaded);
  llvm::append_range(results, iteration.fetched);
  return results;
}

/// The loop with one buffer: copies and computation take turns.
SmallVector<Value> Pipeliner::takeTurns(OpBuilder &builder) {
  auto here = [&](OpBuilder &builder, unsigned) -> Later { return {arith::ConstantIntOp::create(builder, loc, 1, 1)}; };
  auto all = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                                loop.getInitArgs(), [&](OpBuilder &inside, Location, Value iv, ValueRange carried) {
                                  SmallVector<Value> next = step(inside, takingTurns(plan), iv, 0, carried, here);
                                  next.truncate(carried.size());
                                  scf::YieldOp::create(inside, loc, next);
                                });
  return SmallVector<Value>(all.getResults());
}

SmallVector<Value> Pipeliner::mainLoop(OpBuilder &builder, Value end, ValueRange carried) {
  Value by = index(builder, loc, *getConstantIntValue(loop.getStep()) * plan.stages);
  auto main = scf::ForOp::create(builder, loc, loop.getLowerBound(), end, by, carried,
                                 [&](OpBuilder &inside, Location, Value iv, ValueRange carried) {
                                   SmallVector<Value> values(carried);
                                   auto always = [&](OpBuilder &builder, unsigned) -> Later {
                                     return {arith::ConstantIntOp::create(builder, loc, 1, 1), tail == 0};
                                   };
                                   Fetched together;
                                   for (unsigned stage = 0; stage < plan.stages; ++stage)
                                     values = step(inside, plan.schedule, ivAfter(inside, iv, stage), stage, values,
                                                   always, plan.together.loads.empty() ? nullptr : &together);
                                   scf::YieldOp::create(inside, loc, values);
                                 });
  return SmallVector<Value>(main.getResults());
}

/// What comes before the first iteration, and is given to it. `mayBeLast`: the last of the iterations copied for.
SmallVector<Value> Pipeliner::first(OpBuilder &builder, bool mayBeLast) {
  auto lookahead = [&](OpBuilder &inside, unsigned later) -> Later {
    return {arith::ConstantIntOp::create(inside, loc, 1, 1), mayBeLast && later + 1 == ahead};
  };
  Iteration iteration{loop.getLowerBound(), 0, lookahead, {}};
  perform(builder, plan.schedule.before, iteration);
  SmallVector<Value> values(loop.getInitArgs());
  llvm::append_range(values, iteration.loaded);
  llvm::append_range(values, iteration.fetched);
  return values;
}

/// What comes after the last one.
void Pipeliner::last(OpBuilder &builder) {
  for (const Action &action : plan.schedule.after)
    barrier(builder, action.half, false);
}

/// The pipelined loop, if it has at least as many iterations as copies run ahead.
SmallVector<Value> Pipeliner::pipelined(OpBuilder &builder, uint64_t trips) {
  const uint64_t inMain = (trips - std::min<uint64_t>(trips, ahead + tail)) / plan.stages * plan.stages;
  SmallVector<Value> values = plan.sequence ? SmallVector<Value>(loop.getInitArgs()) : first(builder, trips == ahead);
  const int64_t step = *getConstantIntValue(loop.getStep()), lower = *getConstantIntValue(loop.getLowerBound());
  if (inMain)
    values = mainLoop(builder, index(builder, loc, lower + step * int64_t(inMain)), values);
  for (uint64_t i = inMain; i < trips; ++i) {
    auto lookahead = [&](OpBuilder &inside, unsigned later) -> Later {
      const bool isOfNextTile = i + later >= trips;
      if (isOfNextTile && !plan.sequence)
        return {};
      return {arith::ConstantIntOp::create(inside, loc, 1, 1), (i + later) % trips + 1 == trips, isOfNextTile};
    };
    values = this->step(builder, plan.schedule, index(builder, loc, lower + step * int64_t(i)), i % plan.stages, values,
                        lookahead);
  }
  last(builder);
  return values;
}

/// The pipelined loop, if it has at least `tail` iterations more than copies run ahead.
SmallVector<Value> Pipeliner::pipelined(OpBuilder &builder, Value trips) {
  const unsigned least = ahead + tail, most = least + plan.stages - 1; // that the main loop leaves
  const SmallVector<Value> begin = first(builder, !tail);
  Value stages = index(builder, loc, plan.stages);
  Value inMain = arith::SubIOp::create(builder, loc, trips, index(builder, loc, least));
  inMain = arith::MulIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, inMain, stages), stages);
  Value end = arith::AddIOp::create(builder, loc, loop.getLowerBound(),
                                    arith::MulIOp::create(builder, loc, inMain, loop.getStep()));
  SmallVector<Value> values = mainLoop(builder, end, begin);
  Value left = arith::SubIOp::create(builder, loc, trips, inMain);
  auto isLeft = [&](OpBuilder &inside, unsigned i) -> Value {
    return arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ult, index(inside, loc, i), left);
  };
  for (unsigned i = 0; i < most; ++i) {
    Value iv = ivAfter(builder, end, i);
    auto lookahead = [&](OpBuilder &inside, unsigned later) -> Later {
      const unsigned number = i + later;
      if (number < least)
        return {arith::ConstantIntOp::create(inside, loc, 1, 1), number + 1 == least};
      return {number < most ? isLeft(inside, number) : Value(), true};
    };
    if (i < least) {
      values = step(builder, plan.schedule, iv, i % plan.stages, values, lookahead);
      continue;
    }
    auto last = scf::IfOp::create(
        builder, loc, isLeft(builder, i),
        [&](OpBuilder &inside, Location) {
          scf::YieldOp::create(inside, loc, step(inside, plan.schedule, iv, i % plan.stages, values, lookahead));
        },
        [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, values); });
    values = SmallVector<Value>(last.getResults());
  }
  last(builder);
  return values;
}

Value Pipeliner::trips(OpBuilder &builder) {
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  // As an unsigned number the difference is right where there is an iteration at all.
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value beforeLast = arith::SubIOp::create(builder, loc, distance, index(builder, loc, 1));
  Value count = arith::AddIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, beforeLast, loop.getStep()),
                                      index(builder, loc, 1));
  Value any = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lower, upper);
  return arith::SelectOp::create(builder, loc, any, count, index(builder, loc, 0));
}

/// What was written before, by any wave, may be what is copied; and what the loop's buffers held before may still be
/// read where the loop is executed again. `first`: the loop before which copies are started.
bool Pipeliner::needsBarrierBefore(scf::ForOp first) {
  for (Operation *parent = first->getParentOp(); parent != kernel; parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      return true;
  bool isNeeded = false;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == first)
      return WalkResult::interrupt();
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    isNeeded |= op != kernel && !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() && !isMemoryEffectFree(op) &&
                !(effects &&
                  (effects.onlyHasEffect<MemoryEffects::Allocate>() || effects.onlyHasEffect<MemoryEffects::Read>()));
    return WalkResult::advance();
  });
  return isNeeded;
}

/// Copies go on with those for the next tile, before this one's results are stored. Before the first tile and between
/// tiles there are waits for the first copies of their own, since between tiles there are stores after them, which
/// needn't be done.
SmallVector<Value> Pipeliner::inSequence(uint64_t trips) {
  scf::ForOp sequence = plan.sequence;
  kernel->setAttr(attr::constantCopies, outside.getUnitAttr());
  auto firstCopies = scf::IfOp::create(outside, loc, arith::ConstantIntOp::create(outside, loc, 1, 1),
                                       [&](OpBuilder &inside, Location) {
                                         first(inside, trips == ahead);
                                         scf::YieldOp::create(inside, loc);
                                       });
  SmallVector<Value> values = pipelined(outside, trips);
  OpBuilder before(sequence), end(sequence.getBody()->getTerminator());
  if (barrierFirst)
    gpu::BarrierOp::create(before, loc);
  moveToTiles(sequence, firstCopies, nextTile);
  fence(before, 0);
  fence(end, 0);
  return values;
}

SmallVector<Value> Pipeliner::guarded(OpBuilder &builder) {
  auto begin = [&](OpBuilder &inside) {
    if (barrierFirst)
      gpu::BarrierOp::create(inside, loc);
  };
  if (!ahead)
    return takeTurns(builder);
  if (std::optional<uint64_t> constant = constantTrips(loop)) {
    if (plan.sequence)
      return inSequence(*constant);
    begin(builder);
    return pipelined(builder, *constant);
  }
  Value count = trips(builder);
  Value enough =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, count, index(builder, loc, ahead + tail));
  auto result = scf::IfOp::create(
      builder, loc, enough,
      [&](OpBuilder &inside, Location) {
        begin(inside);
        SmallVector<Value> values = pipelined(inside, count);
        values.truncate(loop.getNumResults());
        scf::YieldOp::create(inside, loc, values);
      },
      [&](OpBuilder &inside, Location) {
        // If copies run one iteration ahead there is none left to execute here.
        scf::YieldOp::create(inside, loc,
                             ahead + tail == 1 ? SmallVector<Value>(loop.getInitArgs()) : takeTurns(inside));
      });
  return SmallVector<Value>(result.getResults());
}

void Pipeliner::eraseOld() {
  loop.erase();
  for (const Tile &tile : plan.loop.tiles) {
    SmallVector<Operation *> dead{tile.alloc};
    for (unsigned i = 0; i < dead.size(); ++i)
      for (Operation *user : dead[i]->getUsers())
        if (!llvm::is_contained(dead, user))
          dead.push_back(user);
    for (Operation *op : llvm::reverse(dead)) {
      op->dropAllUses();
      op->erase();
    }
  }
}

/// Asks whether the last iteration's copies are to be kept apart, and what an iteration clones.
void Pipeliner::splitLoop() {
  tail = llvm::any_of(copies, [](const std::vector<PreparedCopy> &tile) {
    return llvm::any_of(tile, [](const PreparedCopy &prepared) {
      return llvm::any_of(prepared.copy->guards, [](const Guard &guard) { return guard.isOfLast; });
    });
  });
  if (plan.wavesOfHalf)
    clusters = splitIteration(loop);
  else
    for (Operation &op : loop.getBody()->without_terminator())
      if (!dropped.contains(&op))
        clusters.compute.push_back(&op);
  auto isInBody = [&](Operation *op) { return op->getBlock() == loop.getBody() ? Source::Taken : Source::Outside; };
  own.ops = plan.loop.ownLoads;
  staged.ops = plan.staged;
  together.ops = plan.together.loads;
  for (Loads *loads : {&own, &staged, &together})
    for (Operation *op : loads->ops)
      addWithSources(op, loads->slice, isInBody);
  for (auto [tile, layout] : llvm::zip(plan.loop.tiles, plan.layouts))
    for (const TileStore &store : ArrayRef(tile.stores).take_front(layout.stores.size()))
      addSources(storedBy(store), staging,
                 [&](Operation *op) { return llvm::is_contained(staged.ops, op) ? Source::Outside : isInBody(op); });
}

void Pipeliner::run() {
  barrierFirst = needsBarrierBefore(plan.sequence ? plan.sequence : loop);
  allocate();
  prepare();
  markReads();
  splitLoop();
  const SmallVector<Value> results = guarded(outside);
  loop.replaceAllUsesWith(ValueRange(results).take_front(loop.getNumResults()));
  eraseOld();
}

void pipelineLoop(gpu::GPUFuncOp kernel, const LoopPlan &plan) { Pipeliner(kernel, plan).run(); }

} // namespace inflight::loops
