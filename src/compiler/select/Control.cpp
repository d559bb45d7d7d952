// Structured control flow: branches for uniform conditions, EXEC for divergent ones.
#include "compiler/select/Handlers.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight::select {

/// One value per carried element: registers that several definitions write.
Elems Selector::mergeRegisters(Type type, bool uniform) {
  // Fields of a descriptor live and die by themselves.
  if (auto aggregate = dyn_cast<LLVM::LLVMStructType>(type)) {
    Elems all;
    for (Type field : aggregate.getBody())
      all.append(mergeRegisters(field, uniform));
    return all;
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    Elems all;
    for (unsigned i = 0; i < array.getNumElements(); ++i)
      all.append(mergeRegisters(array.getElementType(), uniform));
    return all;
  }
  unsigned count = dwords(type);
  bool mask = isMask(type);
  if (count == 0)
    return {};
  RegFile file = uniform || mask ? RegFile::Sgpr : RegFile::Vgpr;
  // Wide vectors, accumulators above all, stay one tuple; the rest are tuples of what accesses
  // want, and register allocation may still place pieces apart.
  constexpr unsigned widest = 16;
  Elems result;
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  if (pointer && pointer.getAddressSpace() == bufferSpace) {
    Elems descriptor = pieces(newReg(RegFile::Sgpr, 4));
    result.append(descriptor.begin(), descriptor.end());
    result.push_back(Elem::of(newReg(file, 1)));
    return result;
  }
  while (count) {
    unsigned width = file == RegFile::Sgpr ? std::min(count, mask ? 2u : 4u) : std::min(count, widest);
    if (width == 3)
      width = 2;
    Elems part = pieces(newReg(file, width));
    result.append(part.begin(), part.end());
    count -= width;
  }
  return result;
}

/// Whether a copy other than the one to the pair reads it.
static bool isReadElsewhere(ArrayRef<Elems> to, ArrayRef<Elems> from, const Elems &target, Reg pair) {
  for (auto [other, value] : llvm::zip(to, from))
    for (size_t i = 0; i < other.size(); ++i)
      if (!value[i].isImm && value[i].reg.id == pair.id && !(other.data() == target.data() && other[i] == value[i]))
        return true;
  return false;
}

void Selector::copyTo(ArrayRef<Elems> to, ArrayRef<Elems> from, bool keepsInactiveLanes) {
  struct Move {
    Elem to, from;
  };
  SmallVector<Move> moves, merged;
  for (auto [target, value] : llvm::zip(to, from)) {
    for (size_t i = 0; i < target.size(); ++i) {
      if (target[i] == value[i])
        continue;
      // Lane masks have their lanes in scalar registers: merged bit by bit.
      const lir::VirtualReg &info = fn.regs[target[i].reg.id];
      if (keepsInactiveLanes && info.file == RegFile::Sgpr && info.width == 2 && i + 1 < target.size()) {
        Reg pair = fn.whole(target[i].reg.id);
        Operand exec = Operand::specialReg(Special::Exec);
        Reg kept = newSgpr(2), fresh = newSgpr(2);
        emit(s_andn2_b64, {Operand::def(kept), Operand::use(pair), exec});
        Elems two{value[i], value[i + 1]};
        emit(s_and_b64, {Operand::def(fresh), maskOperand(two), exec});
        // What another one still reads is written after it.
        Reg result = isReadElsewhere(to, from, target, pair) ? newSgpr(2) : pair;
        emit(s_or_b64, {Operand::def(result), Operand::use(kept), Operand::use(fresh)});
        if (result != pair)
          for (unsigned half = 0; half < 2; ++half)
            merged.push_back({target[i + half], Elem::of(result.piece(half))});
        ++i;
        continue;
      }
      moves.push_back({target[i], value[i]});
    }
  }
  // A parallel copy: what is both read and written goes through a temporary.
  auto emitMove = [&](Reg destination, const Elem &source, unsigned run) {
    bool scalar = fn.regs[destination.id].file == RegFile::Sgpr;
    lir::Inst &inst =
        source.isImm ? emit(scalar ? s_mov_b32 : v_mov_b32, {Operand::def(destination), operand(source)})
                     : emitInto(current, lir::makeCopy(destination, {source.reg.id, source.reg.sub, uint8_t(run)}));
    inst.keepsInactiveLanes = keepsInactiveLanes && !scalar;
  };
  auto isWritten = [&](const Elem &elem) {
    return !elem.isImm && llvm::any_of(moves, [&](const Move &move) { return move.to.reg == elem.reg; });
  };
  for (Move &move : moves)
    if (isWritten(move.from)) {
      Reg temporary = newReg(fn.regs[move.from.reg.id].file, 1);
      emit(Pseudo::Copy, {Operand::def(temporary), Operand::use(move.from.reg)});
      move.from = Elem::of(temporary);
    }
  moves.append(merged);
  for (size_t i = 0; i < moves.size();) {
    size_t run = 1;
    while (i + run < moves.size() && !moves[i].from.isImm && !moves[i + run].from.isImm &&
           moves[i + run].to.reg == Reg{moves[i].to.reg.id, uint8_t(moves[i].to.reg.sub + run), 1} &&
           moves[i + run].from.reg == Reg{moves[i].from.reg.id, uint8_t(moves[i].from.reg.sub + run), 1})
      ++run;
    emitMove({moves[i].to.reg.id, moves[i].to.reg.sub, uint8_t(run)}, moves[i].from, run);
    i += run;
  }
}

size_t Selector::compareIntoScc(Predicate predicate, Elem a, Elem b) {
  SmallVector<Elem, 2> sources{a, b};
  if (sources[0].isImm && sources[1].isImm)
    sources[0] = toSgpr(sources[0]);
  legalize(s_cmp_eq_u32, sources);
  const size_t begin = fn.blocks[current].insts.size();
  emit(scalarComparison(predicate), {operand(sources[0]), operand(sources[1])});
  return begin;
}

std::optional<size_t> Selector::compareIntoScc(Value condition) {
  auto icmp = condition.getDefiningOp<LLVM::ICmpOp>();
  if (!icmp)
    return std::nullopt;
  // Whether some lane is in a mask: SCC says that of each operation on masks.
  std::optional<APInt> limit = constantInt(icmp.getRhs());
  if (auto ballot = icmp.getLhs().getDefiningOp<ROCDL::BallotOp>();
      ballot && icmp.getPredicate() == Predicate::ne && limit && limit->isZero() && limit->getBitWidth() == 64) {
    const Operand mask = maskOperand(get(ballot.getPred()));
    const size_t begin = fn.blocks[current].insts.size();
    emit(s_and_b64, {Operand::def(newSgpr(2)), Operand::specialReg(Special::Exec), mask});
    return begin;
  }
  const unsigned bits = bitWidth(icmp.getLhs().getType());
  if (bits != 32 && bits != 64)
    return std::nullopt;
  Elems a = get(icmp.getLhs()), b = get(icmp.getRhs());
  std::optional<Predicate> predicate = icmp.getPredicate();
  if (bits == 64)
    predicate = predicateOnWords(*predicate, a, b);
  if (!predicate || !isScalar(a[0]) || !isScalar(b[0]))
    return std::nullopt;
  return compareIntoScc(*predicate, a[0], b[0]);
}

size_t Selector::branchIfNot(Value condition, unsigned target, unsigned fallThrough) {
  if (std::optional<size_t> begin = compareIntoScc(condition)) {
    branchTo(s_cbranch_scc0, target, fallThrough);
    return *begin;
  }
  const Operand source = maskOperand(get(condition));
  Reg active = newSgpr(2);
  const size_t begin = fn.blocks[current].insts.size();
  lir::Inst &test = emit(s_and_b64, {Operand::def(active), Operand::specialReg(Special::Exec), source});
  test.hasSideEffects = true;
  branchTo(s_cbranch_scc0, target, fallThrough);
  return begin;
}

size_t Selector::saveAndNarrowExec(Reg saved, Operand mask) {
  const size_t begin = fn.blocks[current].insts.size();
  lir::Inst &enter = emit(s_and_saveexec_b64, {Operand::def(saved), mask});
  enter.hasSideEffects = true;
  enter.operands.push_back(Operand::specialReg(Special::Exec, true).implicit());
  enter.operands.push_back(Operand::specialReg(Special::Exec).implicit());
  return begin;
}

void Selector::retarget(ArrayRef<unsigned> branches, unsigned target) {
  for (unsigned block : branches) {
    for (Operand &operand : fn.blocks[block].insts.back().operands)
      if (operand.kind == Operand::Kind::Block)
        operand.imm = target;
    for (unsigned &successor : fn.blocks[block].successors)
      if (successor == unknownBlock)
        successor = target;
  }
}

LogicalResult Selector::selectSide(Block &block, ArrayRef<Elems> results, bool keepsOtherLanes, unsigned hoistBlock,
                                   size_t &hoistIndex, bool isPredicated) {
  regions.push_back({.isPredicated = isPredicated, .hoistBlock = hoistBlock, .hoistIndex = hoistIndex});
  if (failed(selectDeferred(*block.getParent())) || failed(selectBlock(block)))
    return failure();
  SmallVector<Elems> values;
  for (Value value : block.getTerminator()->getOperands())
    values.push_back(get(value));
  copyTo(results, values, keepsOtherLanes);
  hoistIndex = regions.back().hoistIndex;
  endRegion();
  return success();
}

/// Whether the results may have the values of the `else` side before the branch, which `then` overwrites: the side does
/// nothing else. A branch that all lanes take together would copy them in vain: few of them only.
bool Selector::startsWithElse(scf::IfOp op, bool uniform, ArrayRef<Elems> results) const {
  constexpr size_t fewWords = 4;
  size_t words = 0;
  for (const Elems &result : results)
    words += result.size();
  return words && op.elseBlock()->without_terminator().empty() && (!uniform || words <= fewWords);
}

/// The one side of a branch that all lanes take.
LogicalResult Selector::selectKnownSide(scf::IfOp op, mlir::Region &taken) {
  if (taken.empty())
    return success();
  if (failed(selectDeferred(taken)) || failed(selectBlock(taken.front())))
    return failure();
  for (auto [result, value] : llvm::zip(op.getResults(), taken.front().getTerminator()->getOperands()))
    set(result, get(value));
  return success();
}

// NOLINTNEXTLINE(readability-function-size): the blocks in their order, over the same registers
template <> LogicalResult Selector::select(scf::IfOp op) {
  if (const Elem condition = get(op.getCondition())[0]; condition.isImm && !condition.undefined)
    return selectKnownSide(op, condition.imm ? op.getThenRegion() : op.getElseRegion());
  if (isPredicable(op)) {
    SmallVector<scf::IfOp> group;
    SmallVector<Operation *> before;
    gatherPredicated(op, group, before);
    return selectPredicated(group, before);
  }
  const bool uniform = divergence.isUniform(op.getCondition());
  SmallVector<Elems> results;
  for (Value result : op.getResults())
    results.push_back(mergeRegisters(result.getType(), divergence.isUniform(result)));
  const bool elseFirst = startsWithElse(op, uniform, results);
  const bool hasElse = !elseFirst && !op.getElseRegion().empty() &&
                       (op.getNumResults() || !op.elseBlock()->without_terminator().empty());
  if (elseFirst) {
    if (failed(selectDeferred(op.getElseRegion())))
      return failure();
    SmallVector<Elems> values;
    for (Value value : op.elseYield().getOperands())
      values.push_back(get(value));
    copyTo(results, values, false);
  } else if (!uniform) {
    for (const Elems &result : results)
      for (const Elem &elem : result)
        if (elem.reg.sub == 0)
          emit(Pseudo::ImplicitDef, {Operand::def(fn.whole(elem.reg.id))});
  }
  // Blocks are laid out in the order of their numbers, so later ones are made when they start;
  // branches forward get their targets then.
  const unsigned first = current;
  size_t hoistIndex;
  Reg saved;
  Operand mask;
  if (uniform) {
    const unsigned thenBlock = newBlock();
    hoistIndex = branchIfNot(op.getCondition(), unknownBlock, thenBlock);
    startBlock(thenBlock);
  } else {
    saved = newSgpr(2);
    mask = maskOperand(get(op.getCondition()));
    hoistIndex = saveAndNarrowExec(saved, mask);
    const unsigned thenBlock = newBlock();
    branchTo(s_cbranch_execz, unknownBlock, thenBlock);
    startBlock(thenBlock);
  }
  // Values of the `then` side are the first writers, unless those of `else` were.
  if (failed(selectSide(*op.thenBlock(), results, elseFirst && !uniform, first, hoistIndex)))
    return failure();
  SmallVector<unsigned, 2> toEnd{first};
  if (hasElse) {
    if (uniform) {
      branchTo(s_branch, unknownBlock, 0);
      toEnd = {current};
      const unsigned elseBlock = newBlock();
      retarget(first, elseBlock);
      startBlock(elseBlock);
    } else {
      const unsigned flow = newBlock();
      fn.blocks[current].successors.push_back(flow);
      retarget(first, flow);
      startBlock(flow);
      // The other lanes: those saved that did not take the `then` side.
      lir::Inst &flip = emit(s_andn2_b64, {Operand::specialReg(Special::Exec, true), Operand::use(saved), mask});
      flip.hasSideEffects = true;
      const unsigned elseBlock = newBlock();
      branchTo(s_cbranch_execz, unknownBlock, elseBlock);
      toEnd = {current};
      startBlock(elseBlock);
    }
    if (failed(selectSide(*op.elseBlock(), results, !uniform, first, hoistIndex)))
      return failure();
  }
  const unsigned end = newBlock();
  fn.blocks[current].successors.push_back(end);
  retarget(toEnd, end);
  startBlock(end);
  if (!uniform)
    emit(s_mov_b64, {Operand::specialReg(Special::Exec, true), Operand::use(saved)}).hasSideEffects = true;
  for (auto [result, elems] : llvm::zip(op.getResults(), results))
    set(result, elems);
  return success();
}

// NOLINTNEXTLINE(readability-function-size): the blocks in their order, over the same registers
template <> LogicalResult Selector::select(scf::ForOp op) {
  if (isWorthUnrolling(op)) {
    remarkOnLoop(op, 0);
    return selectUnrolled(op);
  }
  Type ivType = op.getInductionVar().getType();
  unsigned bits = bitWidth(ivType);
  Elems lower = get(op.getLowerBound()), upper = get(op.getUpperBound()), step = get(op.getStep());
  bool uniform = divergence.isUniform(op.getLowerBound()) && divergence.isUniform(op.getUpperBound()) &&
                 divergence.isUniform(op.getStep());
  std::optional<APInt> lb = constantInt(op.getLowerBound()), ub = constantInt(op.getUpperBound()),
                       st = constantInt(op.getStep());
  // 32 bits do when the bounds are known to be small enough for the last addition, too.
  constexpr uint64_t half = uint64_t(1) << 31;
  bool narrow = bits <= 32;
  if (bits == 64 && isNonNegative(op.getLowerBound()) && st && st->ult(half)) {
    uint64_t bound = upperBound(op.getUpperBound());
    narrow = bound < half - st->getZExtValue() && upperBound(op.getLowerBound()) < half;
  }
  // In steps of one the counter never passes its bound.
  if (bits == 64 && st && st->isOne() && isSignExtended(upper))
    narrow |= isSignExtended(lower) || upperBound(op.getLowerBound()) < half;
  // Values that change places stay where they are, in a body of several iterations.
  const Rotation rotation = rotationOf(op);
  remarkOnLoop(op, rotation.period);
  const uint64_t loopTrips = rotation.period > 1 ? *tripCount(op) / rotation.period * rotation.period : 0;
  const std::optional<APInt> singleStep = st;
  if (rotation.period > 1) {
    ub = *lb + *st * loopTrips;
    st = *st * rotation.period;
    upper = constantElems(*ub);
    step = constantElems(*st);
  }
  auto rotates = [&](size_t i) { return rotation.from[i] >= 0; };
  SmallVector<Elems> carried, initial, targets, sources;
  for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs())) {
    initial.push_back(get(op.getInitArgs()[i]));
    carried.push_back(rotates(i) ? initial.back() : mergeRegisters(argument.getType(), divergence.isUniform(argument)));
    if (!rotates(i)) {
      targets.push_back(carried.back());
      sources.push_back(initial.back());
    }
  }
  RegFile ivFile = uniform ? RegFile::Sgpr : RegFile::Vgpr;
  Elems iv = pieces(newReg(ivFile, narrow ? 1 : 2));
  if (narrow) {
    lower.resize(1);
    upper.resize(1);
    step.resize(1);
  }
  bool runsAlways = lb && ub && lb->slt(*ub);
  // What nobody reads after the loop starts after the test that enters it.
  SmallVector<Elems> laterTargets{iv}, laterSources{lower}, readTargets, readSources;
  for (size_t i = 0, t = 0; i < carried.size(); ++i) {
    if (rotates(i))
      continue;
    const bool isRead = !op.getResult(i).use_empty();
    (isRead ? readTargets : laterTargets).push_back(targets[t]);
    (isRead ? readSources : laterSources).push_back(sources[t++]);
  }
  copyTo(readTargets, readSources, false);
  SmallVector<unsigned, 2> toExit;
  Reg saved;
  auto lessThan = [&](ArrayRef<Elem> a, ArrayRef<Elem> b) { return compare(Predicate::slt, a, b); };
  auto branchUnlessLess = [&](ArrayRef<Elem> a, ArrayRef<Elem> b, bool backEdge, unsigned target,
                              unsigned fallThrough) {
    if (narrow) {
      compareIntoScc(Predicate::slt, a[0], b[0]);
    } else {
      Elems mask = lessThan(a, b);
      Reg active = newSgpr(2);
      lir::Inst &test = emit(s_and_b64, {Operand::def(active), Operand::specialReg(Special::Exec),
                                         Operand::use(tuple(mask, RegFile::Sgpr))});
      test.hasSideEffects = true;
    }
    branchTo(backEdge ? s_cbranch_scc1 : s_cbranch_scc0, target, fallThrough);
  };

  if (!uniform) {
    saved = newSgpr(2);
    // On the values, not on the registers they were copied to: those change in the loop, and what is
    // computed from them must not be shared across that.
    Elems mask = lessThan(lower, upper);
    saveAndNarrowExec(saved, Operand::use(tuple(mask, RegFile::Sgpr)));
    unsigned next = newBlock();
    branchTo(s_cbranch_execz, ~0u, next);
    toExit.push_back(current);
    startBlock(next);
  } else if (!runsAlways) {
    unsigned next = newBlock();
    branchUnlessLess(lower, upper, false, ~0u, next);
    toExit.push_back(current);
    startBlock(next);
  }
  // The block for what is hoisted, then the loop itself.
  unsigned preheader = newBlock();
  fn.blocks[current].successors.push_back(preheader);
  startBlock(preheader);
  copyTo(laterTargets, laterSources, false);
  regions.push_back({.isLoop = true, .hoistBlock = preheader});
  const size_t firstReg = fn.regs.size();
  if (failed(selectDeferred(op.getRegion())))
    return failure();
  for (size_t id = firstReg; id < fn.regs.size(); ++id)
    regDepth[id] = std::min<unsigned>(regDepth[id], regions.size() - 1);
  unsigned header = newBlock();
  fn.blocks[preheader].successors.push_back(header);
  fn.blocks[header].isLoopHeader = true;
  startBlock(header);
  for (const Elems &elems : targets)
    for (const Elem &elem : elems)
      regDepth[elem.reg.id] = regions.size();
  for (const Elem &elem : iv)
    regDepth[elem.reg.id] = regions.size();
  SmallVector<Elems> yielded = carried;
  for (unsigned copy = 0; copy < rotation.period; ++copy) {
    Elems counter = iv;
    if (copy) {
      Elems ahead = constantElems(*singleStep * copy);
      counter = narrow ? Elems{add(iv[0], ahead[0])} : add64(iv, ahead);
    }
    if (narrow && bits == 64)
      counter.push_back(isNonNegative(op.getLowerBound()) ? Elem::constant(0) : ashr(counter[0], Elem::constant(31)));
    if (failed(selectIteration(op, counter, yielded)))
      return failure();
  }
  Elems next = narrow ? Elems{add(iv[0], step[0])} : add64(iv, step);
  // In steps of one the counter meets its bound, and the scalar unit compares pairs for equality.
  bool countsToBound = uniform && !narrow && st && st->isOne() && allScalar(next) && allScalar(upper) &&
                       !upper[0].isImm && !upper[1].isImm;
  Elems againMask;
  if ((!uniform || !narrow) && !countsToBound)
    againMask = lessThan(next, upper);
  sources.clear();
  for (size_t i = 0; i < yielded.size(); ++i)
    if (!rotates(i))
      sources.push_back(yielded[i]);
  targets.push_back(iv);
  sources.push_back(next);
  copyTo(targets, sources, !uniform);
  unsigned exit;
  if (uniform) {
    unsigned tail = current;
    if (narrow) {
      branchUnlessLess(iv, upper, true, header, ~0u);
    } else if (countsToBound) {
      emit(s_cmp_lg_u64, {Operand::use(tuple(iv, RegFile::Sgpr)), Operand::use(tuple(upper, RegFile::Sgpr))});
      branchTo(s_cbranch_scc1, header, ~0u);
    } else {
      Reg active = newSgpr(2);
      lir::Inst &test = emit(s_and_b64, {Operand::def(active), Operand::specialReg(Special::Exec),
                                         Operand::use(tuple(againMask, RegFile::Sgpr))});
      test.hasSideEffects = true;
      branchTo(s_cbranch_scc1, header, ~0u);
    }
    endRegion();
    exit = newBlock();
    for (unsigned &successor : fn.blocks[tail].successors)
      if (successor == ~0u)
        successor = exit;
    for (unsigned &successor : fn.blocks[current].successors)
      if (successor == ~0u)
        successor = exit;
  } else {
    lir::Inst &narrowExec =
        emit(s_and_b64, {Operand::specialReg(Special::Exec, true), Operand::specialReg(Special::Exec),
                         Operand::use(tuple(againMask, RegFile::Sgpr))});
    narrowExec.hasSideEffects = true;
    branchTo(s_cbranch_execnz, header, ~0u);
    unsigned tail = current;
    endRegion();
    exit = newBlock();
    for (unsigned &successor : fn.blocks[tail].successors)
      if (successor == ~0u)
        successor = exit;
  }
  retarget(toExit, exit);
  startBlock(exit);
  if (!uniform) {
    lir::Inst &restore = emit(s_mov_b64, {Operand::specialReg(Special::Exec, true), Operand::use(saved)});
    restore.hasSideEffects = true;
  }
  if (rotation.period > 1)
    return selectTrips(op, loopTrips, std::move(carried));
  for (auto [result, elems] : llvm::zip(op.getResults(), carried))
    set(result, elems);
  return success();
}

// NOLINTNEXTLINE(readability-function-size): the blocks in their order, over the same registers
template <> LogicalResult Selector::select(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  bool uniform = divergence.isUniform(condition.getCondition());
  SmallVector<Elems> arguments, results, initial;
  for (auto [argument, init] : llvm::zip(op.getBeforeArguments(), op.getInits())) {
    arguments.push_back(mergeRegisters(argument.getType(), divergence.isUniform(argument)));
    initial.push_back(get(init));
  }
  // Lanes that leave at different times keep what they left with; if all leave together, it is still there.
  if (!uniform)
    for (Value result : op.getResults())
      results.push_back(mergeRegisters(result.getType(), divergence.isUniform(result)));
  copyTo(arguments, initial, false);
  Reg saved;
  if (!uniform) {
    for (const Elems &result : results)
      for (const Elem &elem : result)
        if (elem.reg.sub == 0)
          emit(Pseudo::ImplicitDef, {Operand::def(fn.whole(elem.reg.id))});
    saved = newSgpr(2);
    lir::Inst &save = emit(s_mov_b64, {Operand::def(saved), Operand::specialReg(Special::Exec)});
    save.hasSideEffects = true;
  }
  unsigned preheader = newBlock();
  fn.blocks[current].successors.push_back(preheader);
  regions.push_back({.isLoop = true, .hoistBlock = preheader});
  unsigned header = newBlock();
  fn.blocks[preheader].successors.push_back(header);
  fn.blocks[header].isLoopHeader = true;
  startBlock(header);
  for (const Elems &elems : arguments)
    for (const Elem &elem : elems)
      regDepth[elem.reg.id] = regions.size();
  for (const Elems &elems : results)
    for (const Elem &elem : elems)
      regDepth[elem.reg.id] = regions.size();
  for (auto [argument, elems] : llvm::zip(op.getBeforeArguments(), arguments))
    set(argument, elems);
  if (failed(selectBlock(*op.getBeforeBody())))
    return failure();
  SmallVector<Elems> passed;
  for (Value value : condition.getArgs())
    passed.push_back(get(value));
  if (uniform)
    results = passed;
  else
    copyTo(results, passed, true);
  unsigned body;
  unsigned branchBlock;
  if (uniform) {
    body = newBlock();
    branchIfNot(condition.getCondition(), unknownBlock, body);
    branchBlock = current;
  } else {
    const Operand source = maskOperand(get(condition.getCondition()));
    lir::Inst &narrow =
        emit(s_and_b64, {Operand::specialReg(Special::Exec, true), Operand::specialReg(Special::Exec), source});
    narrow.hasSideEffects = true;
    body = newBlock();
    branchTo(s_cbranch_execz, unknownBlock, body);
    branchBlock = current;
  }
  startBlock(body);
  for (auto [argument, elems] : llvm::zip(op.getAfterArguments(), passed))
    set(argument, elems);
  if (failed(selectBlock(*op.getAfterBody())))
    return failure();
  SmallVector<Elems> yielded;
  for (Value value : op.getYieldOp().getOperands())
    yielded.push_back(get(value));
  copyTo(arguments, yielded, !uniform);
  branchTo(s_branch, header, 0);
  endRegion();
  unsigned exit = newBlock();
  retarget(branchBlock, exit);
  startBlock(exit);
  if (!uniform) {
    lir::Inst &restore = emit(s_mov_b64, {Operand::specialReg(Special::Exec, true), Operand::use(saved)});
    restore.hasSideEffects = true;
  }
  for (auto [result, elems] : llvm::zip(op.getResults(), results))
    set(result, elems);
  return success();
}

// What ends a region is read by the operation that has it.
template <> LogicalResult Selector::select(scf::YieldOp) { return success(); }
template <> LogicalResult Selector::select(scf::ConditionOp) { return success(); }
template <> LogicalResult Selector::select(LLVM::ReturnOp) { return success(); }
template <> LogicalResult Selector::select(LLVM::AssumeOp) { return success(); }

void Handlers::addControl() {
  add<scf::IfOp, scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, LLVM::ReturnOp, LLVM::AssumeOp>();
}

} // namespace inflight::select
