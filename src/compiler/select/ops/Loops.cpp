// Loops: the wave goes round until the condition is false for all of its lanes; lanes that leave earlier are off in
// EXEC until then.
#include "compiler/select/Handlers.h"
#include "compiler/select/control/Unrolling.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
class LoopOps : public ControlFlow {
public:
  using ControlFlow::ControlFlow;
  template <typename Op> LogicalResult select(Op op);
};

/// The blocks of a loop: one before it, for what is hoisted out of it, its body, and the one after it.
class LoopRegion {
public:
  explicit LoopRegion(ControlFlow &s) : s(s) {}

  /// Only lanes of the mask go on; a wave without any goes to the end.
  void enterLanes(Operand mask) {
    saved = s.newSgpr(2);
    s.saveAndNarrowExec(saved, mask);
    const unsigned next = s.newBlock();
    s.branchTo(s_cbranch_execz, unknownBlock, next);
    leaveHere();
    s.startBlock(next);
  }
  /// All lanes go on; each leaves when it does.
  void enterAllLanes() {
    saved = s.newSgpr(2);
    s.emit(s_mov_b64, {Operand::def(saved), Operand::specialReg(Special::Exec)}).hasSideEffects = true;
  }
  /// The current block's branch to a block that isn't known goes to the end.
  void leaveHere() { toEnd.push_back(s.state.current); }
  void startPreheader() {
    preheader = s.newBlock();
    s.fn.blocks[s.state.current].successors.push_back(preheader);
    s.startBlock(preheader);
  }
  void open() { s.state.regions.push_back({.isLoop = true, .hoistBlock = preheader}); }
  /// `carried`: registers that each iteration writes anew.
  void startBody(ArrayRef<Elems> carried) {
    header = s.newBlock();
    s.fn.blocks[preheader].successors.push_back(header);
    s.fn.blocks[header].isLoopHeader = true;
    s.startBlock(header);
    for (const Elems &elems : carried)
      for (const Elem &elem : elems)
        s.state.regDepth[elem.reg.id] = s.state.regions.size();
  }
  void branchBack(Mnemonic mnemonic) { s.branchTo(mnemonic, header, mnemonic == s_branch ? 0 : unknownBlock); }
  void close() {
    const unsigned tail = s.state.current;
    s.endRegion();
    const unsigned end = s.newBlock();
    // The branch back has its target already.
    for (unsigned &successor : s.fn.blocks[tail].successors)
      if (successor == unknownBlock)
        successor = end;
    s.retarget(toEnd, end);
    s.startBlock(end);
    if (saved.valid())
      s.restoreExec(saved);
  }

private:
  ControlFlow &s;
  SmallVector<unsigned, 2> toEnd;
  unsigned preheader = 0, header = 0;
  Reg saved; ///< lanes that were active before; invalid if all leave together
};

/// scf.for. Values that only change places with one another stay where they are, in a body of several iterations
/// (Rotation); the iterations that are left follow the loop.
class ForLoop {
public:
  ForLoop(Unrolling &s, scf::ForOp op) : s(s), op(op), region(s), rotation(s.rotationOf(op)) {}

  LogicalResult select() {
    readBounds();
    s.remarkOnLoop(op, rotation.period);
    const uint64_t trips = rotation.period > 1 ? *s.values.tripCount(op) / rotation.period * rotation.period : 0;
    const std::optional<APInt> singleStep = stepSize;
    if (rotation.period > 1) {
      end = *begin + *stepSize * trips;
      stepSize = *stepSize * rotation.period;
      upper = constantElems(*end);
      step = constantElems(*stepSize);
    }
    carry();
    enter();
    if (failed(startBody()) || failed(selectIterations(singleStep)))
      return failure();
    goBack();
    region.close();
    if (rotation.period > 1)
      return s.selectTrips(op, trips, std::move(carried));
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      s.set(result, kept[i].empty() ? carried[i] : kept[i]);
    return success();
  }

private:
  void readBounds() {
    bits = bitWidth(op.getInductionVar().getType());
    lower = s.get(op.getLowerBound());
    upper = s.get(op.getUpperBound());
    step = s.get(op.getStep());
    begin = s.values.constantInt(op.getLowerBound());
    end = s.values.constantInt(op.getUpperBound());
    stepSize = s.values.constantInt(op.getStep());
    isUniform = s.divergence.isUniform(op.getLowerBound()) && s.divergence.isUniform(op.getUpperBound()) &&
                s.divergence.isUniform(op.getStep());
    isNarrow = fitsWord();
  }
  /// 32 bits do when the bounds are known to be small enough for the last addition, too.
  bool fitsWord() {
    if (bits != 64)
      return bits <= 32;
    constexpr uint64_t half = uint64_t(1) << 31;
    bool fits = false;
    if (s.bounds.isNonNegative(op.getLowerBound()) && stepSize && stepSize->ult(half))
      fits = s.bounds.upperBound(op.getUpperBound()) < half - stepSize->getZExtValue() &&
             s.bounds.upperBound(op.getLowerBound()) < half;
    // In steps of one the counter never passes its bound.
    if (stepSize && stepSize->isOne() && s.isSignExtended(upper))
      fits |= s.isSignExtended(lower) || s.bounds.upperBound(op.getLowerBound()) < half;
    return fits;
  }
  bool rotates(size_t i) const { return rotation.from[i] >= 0; }

  void carry() {
    for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs())) {
      const Value init = op.getInitArgs()[i];
      if (rotates(i)) {
        initial.push_back(s.get(init));
        carried.push_back(initial.back());
      } else {
        ControlFlow::Carried own = s.carry(argument, init, rotation.period > 1 ? Value() : op.getResult(i));
        initial.push_back(std::move(own.initial));
        carried.push_back(std::move(own.registers));
        targets.push_back(carried.back());
      }
      const bool isKept = !isUniform && s.divergence.isUniform(argument) && !op.getResult(i).use_empty();
      kept.push_back(isKept ? s.mergeRegisters(argument.getType(), false) : Elems());
    }
    const bool isScalar = s.divergence.isUniform(op.getInductionVar());
    counter = s.pieces(s.newReg(isScalar ? RegFile::Sgpr : RegFile::Vgpr, isNarrow ? 1 : 2));
    if (isNarrow) {
      lower.resize(1);
      upper.resize(1);
      step.resize(1);
    }
  }

  /// Up to the block before the loop. What nobody reads after the loop starts after the test that enters it.
  void enter() {
    SmallVector<Elems> laterTargets{counter}, laterSources{lower}, readTargets, readSources;
    for (size_t i = 0; i < carried.size(); ++i) {
      if (rotates(i))
        continue;
      const bool isRead = !op.getResult(i).use_empty() && kept[i].empty();
      (isRead ? readTargets : laterTargets).push_back(carried[i]);
      (isRead ? readSources : laterSources).push_back(initial[i]);
      readTargets.push_back(kept[i]);
      readSources.push_back(kept[i].empty() ? Elems() : initial[i]);
    }
    s.copyTo(readTargets, readSources, false);
    // On the values, not on the registers they were copied to: those change in the loop, and what is computed from them
    // must not be shared across that.
    if (!isUniform) {
      region.enterLanes(Operand::use(s.tuple(lessThan(lower, upper), RegFile::Sgpr)));
    } else if (!(begin && end && begin->slt(*end))) {
      const unsigned next = s.newBlock();
      testLess(lower, upper);
      s.branchTo(s_cbranch_scc0, unknownBlock, next);
      region.leaveHere();
      s.startBlock(next);
    }
    region.startPreheader();
    s.copyTo(laterTargets, laterSources, false);
  }

  LogicalResult startBody() {
    region.open();
    const size_t firstReg = s.fn.regs.size();
    if (failed(s.selectDeferred(op.getRegion())))
      return failure();
    for (size_t id = firstReg; id < s.fn.regs.size(); ++id)
      s.state.regDepth[id] = std::min<unsigned>(s.state.regDepth[id], s.state.regions.size() - 1);
    SmallVector<Elems> all = targets;
    all.append(kept);
    all.push_back(counter);
    region.startBody(all);
    return success();
  }

  LogicalResult selectIterations(const std::optional<APInt> &singleStep) {
    yielded = carried;
    for (unsigned copy = 0; copy < rotation.period; ++copy) {
      Elems at = counter;
      if (copy) {
        Elems ahead = constantElems(*singleStep * copy);
        at = isNarrow ? Elems{s.add(counter[0], ahead[0])} : s.add64(counter, ahead);
      }
      if (isNarrow && bits == 64)
        at.push_back(s.bounds.isNonNegative(op.getLowerBound()) ? Elem::constant(0)
                                                                : s.ashr(at[0], Elem::constant(31)));
      if (failed(s.selectIteration(op, at, yielded)))
        return failure();
    }
    return success();
  }

  void goBack() {
    Elems next = isNarrow ? Elems{s.add(counter[0], step[0])} : s.add64(counter, step);
    // In steps of one the counter meets its bound, and the scalar unit compares pairs for equality.
    const bool countsToBound = isUniform && !isNarrow && stepSize && stepSize->isOne() && s.allScalar(next) &&
                               s.allScalar(upper) && !upper[0].isImm && !upper[1].isImm;
    Elems again;
    if ((!isUniform || !isNarrow) && !countsToBound)
      again = lessThan(next, upper);
    SmallVector<Elems> sources;
    for (size_t i = 0; i < yielded.size(); ++i)
      if (!rotates(i))
        sources.push_back(yielded[i]);
    targets.push_back(counter);
    sources.push_back(next);
    for (size_t i = 0; i < yielded.size(); ++i) {
      targets.push_back(kept[i]);
      sources.push_back(kept[i].empty() ? Elems() : yielded[i]);
    }
    s.copyTo(targets, sources, !isUniform);
    if (!isUniform) {
      s.andWithExec(Operand::specialReg(Special::Exec, true), Operand::use(s.tuple(again, RegFile::Sgpr)));
      return region.branchBack(s_cbranch_execnz);
    }
    if (isNarrow)
      s.compareIntoScc(Predicate::slt, counter[0], upper[0]);
    else if (countsToBound)
      s.emit(s_cmp_lg_u64,
             {Operand::use(s.tuple(counter, RegFile::Sgpr)), Operand::use(s.tuple(upper, RegFile::Sgpr))});
    else
      s.andWithExec(Operand::def(s.newSgpr(2)), Operand::use(s.tuple(again, RegFile::Sgpr)));
    region.branchBack(s_cbranch_scc1);
  }

  Elems lessThan(ArrayRef<Elem> a, ArrayRef<Elem> b) { return s.compare(Predicate::slt, a, b); }
  /// Into SCC.
  void testLess(ArrayRef<Elem> a, ArrayRef<Elem> b) {
    if (isNarrow) {
      s.compareIntoScc(Predicate::slt, a[0], b[0]);
    } else {
      Elems mask = lessThan(a, b);
      Reg active = s.newSgpr(2);
      s.andWithExec(Operand::def(active), Operand::use(s.tuple(mask, RegFile::Sgpr)));
    }
  }

  Unrolling &s;
  scf::ForOp op;
  LoopRegion region;
  const Unrolling::Rotation rotation;
  unsigned bits = 0;      ///< the counter's, as written
  bool isUniform = false; ///< all lanes have the same bounds
  bool isNarrow = false;  ///< the counter takes one register
  Elems lower, upper, step, counter;
  std::optional<APInt> begin, end, stepSize; ///< those that are constants
  SmallVector<Elems> initial, carried;       ///< by argument
  SmallVector<Elems> kept; ///< by argument: what lanes leave with that leave by themselves; empty if `carried` has it
  SmallVector<Elems> targets; ///< the carried ones that each iteration writes
  SmallVector<Elems> yielded; ///< by argument
};
/// scf.while.
class WhileLoop {
public:
  WhileLoop(ControlFlow &s, scf::WhileOp op)
      : s(s),
        op(op),
        condition(op.getConditionOp()),
        region(s),
        isUniform(s.divergence.isUniform(condition.getCondition())),
        isRepeated(llvm::hasSingleElement(*op.getAfterBody())) {}

  LogicalResult select() {
    enter();
    if (failed(s.selectBlock(*op.getBeforeBody())))
      return failure();
    for (Value value : condition.getArgs())
      passed.push_back(s.get(value));
    if (isRepeated)
      goBackAtOnce();
    else if (failed(goOn()))
      return failure();
    region.close();
    for (auto [result, elems] : llvm::zip(op.getResults(), results))
      s.set(result, elems);
    return success();
  }

private:
  void enter() {
    SmallVector<Value> resultOf(op.getInits().size());
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      if (const std::optional<unsigned> carrier = carrierOf(i))
        resultOf[*carrier] = result;
    SmallVector<Elems> initial;
    for (auto [argument, init, result] : llvm::zip(op.getBeforeArguments(), op.getInits(), resultOf)) {
      ControlFlow::Carried carried = s.carry(argument, init, result);
      arguments.push_back(std::move(carried.registers));
      initial.push_back(std::move(carried.initial));
    }
    // Lanes that leave at different times keep what they left with; if all leave together, it is still there.
    SmallVector<Elems> own;
    if (!isUniform)
      for (auto [i, result] : llvm::enumerate(op.getResults())) {
        const std::optional<unsigned> carrier = carrierOf(i);
        results.push_back(carrier ? arguments[*carrier]
                                  : s.mergeRegisters(result.getType(), s.divergence.isUniform(result)));
        isCarried.push_back(carrier.has_value());
        if (!carrier)
          own.push_back(results.back());
      }
    s.copyTo(arguments, initial, false);
    if (!isUniform) {
      s.defineAnything(own);
      region.enterAllLanes();
    }
    region.startPreheader();
    region.open();
    SmallVector<Elems> written = arguments;
    written.append(own);
    region.startBody(written);
    for (auto [argument, elems] : llvm::zip(op.getBeforeArguments(), arguments))
      s.set(argument, elems);
  }

  /// The argument that has the result's value in the next iteration: lanes that leave keep it there.
  std::optional<unsigned> carrierOf(unsigned result) {
    if (!isRepeated)
      return std::nullopt;
    const bool isScalar = s.divergence.isUniform(op.getResult(result));
    for (auto [i, yielded] : llvm::enumerate(op.getYieldOp().getOperands()))
      if (yielded == op.getAfterArguments()[result] && s.divergence.isUniform(op.getBeforeArguments()[i]) == isScalar)
        return i;
    return std::nullopt;
  }

  /// What a loop gives that all lanes leave together: the next iteration's arguments as far as they have its words, so
  /// that these aren't kept twice, else the registers that have it beyond the copies for the next iteration.
  void placeResults(ArrayRef<Elems> yielded) {
    llvm::DenseMap<std::pair<lir::RegId, unsigned>, Elem> argumentOf;
    for (auto [argument, next] : llvm::zip(arguments, yielded))
      for (auto [to, from] : llvm::zip(argument, next))
        if (!from.isImm && s.isScalar(from) == s.isScalar(to))
          argumentOf.try_emplace({from.reg.id, from.reg.sub}, to);
    auto isRewritten = [&](const Elem &elem) {
      return !elem.isImm && llvm::any_of(arguments, [&](const Elems &argument) {
        return llvm::any_of(argument, [&](const Elem &other) { return other.reg.id == elem.reg.id; });
      });
    };
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Elems words = passed[i];
      for (Elem &word : words)
        if (!word.isImm)
          if (auto argument = argumentOf.find({word.reg.id, word.reg.sub}); argument != argumentOf.end())
            word = argument->second;
      isCarried.push_back(llvm::equal(words, passed[i],
                                      [](const Elem &word, const Elem &own) { return word.isImm || !(word == own); }));
      if (isCarried.back())
        results.push_back(words);
      else if (result.use_empty() || !llvm::any_of(passed[i], isRewritten))
        results.push_back(passed[i]);
      else
        results.push_back(s.mergeRegisters(result.getType(), s.divergence.isUniform(result)));
    }
  }

  /// Nothing but the next iteration follows the condition: lanes that leave have what they would begin it with.
  void goBackAtOnce() {
    const Operand mask = isUniform ? Operand() : s.maskOperand(s.get(condition.getCondition()));
    for (auto [argument, elems] : llvm::zip(op.getAfterArguments(), passed))
      s.set(argument, elems);
    SmallVector<Elems> targets = arguments, sources = yielded();
    if (isUniform)
      placeResults(sources);
    for (auto [i, elems] : llvm::enumerate(results))
      if (!isCarried[i]) {
        targets.push_back(elems);
        sources.push_back(passed[i]);
      }
    if (isUniform) {
      s.testCondition(condition.getCondition());
      s.copyTo(targets, sources, false);
      return region.branchBack(s_cbranch_scc1);
    }
    s.copyTo(targets, sources, true);
    s.andWithExec(Operand::specialReg(Special::Exec, true), mask);
    region.branchBack(s_cbranch_execnz);
  }

  LogicalResult goOn() {
    if (isUniform)
      results = passed;
    else
      s.copyTo(results, passed, true);
    unsigned body;
    if (isUniform) {
      body = s.newBlock();
      s.branchIfNot(condition.getCondition(), unknownBlock, body);
    } else {
      const Operand mask = s.maskOperand(s.get(condition.getCondition()));
      s.andWithExec(Operand::specialReg(Special::Exec, true), mask);
      body = s.newBlock();
      s.branchTo(s_cbranch_execz, unknownBlock, body);
    }
    region.leaveHere();
    s.startBlock(body);
    for (auto [argument, elems] : llvm::zip(op.getAfterArguments(), passed))
      s.set(argument, elems);
    if (failed(s.selectBlock(*op.getAfterBody())))
      return failure();
    s.copyTo(arguments, yielded(), !isUniform);
    region.branchBack(s_branch);
    return success();
  }

  SmallVector<Elems> yielded() {
    SmallVector<Elems> values;
    for (Value value : op.getYieldOp().getOperands())
      values.push_back(s.get(value));
    return values;
  }

  ControlFlow &s;
  scf::WhileOp op;
  scf::ConditionOp condition;
  LoopRegion region;
  const bool isUniform;  ///< all lanes leave together
  const bool isRepeated; ///< what follows the condition only hands on
  SmallVector<Elems> arguments, results, passed;
  SmallVector<bool> isCarried; ///< by result, once it has its place: the arguments have it
};
} // namespace

template <> LogicalResult LoopOps::select(scf::ForOp op) {
  Unrolling unrolling(selection);
  if (unrolling.isWorthUnrolling(op)) {
    unrolling.remarkOnLoop(op, 0);
    return unrolling.selectUnrolled(op);
  }
  return ForLoop(unrolling, op).select();
}

template <> LogicalResult LoopOps::select(scf::WhileOp op) { return WhileLoop(*this, op).select(); }

void Handlers::addLoops() { add<LoopOps, scf::ForOp, scf::WhileOp>(); }

} // namespace inflight::select
