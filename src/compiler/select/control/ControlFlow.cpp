#include "compiler/select/control/ControlFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight::select {

/// One value per carried element: registers that several definitions write.
Elems ControlFlow::mergeRegisters(Type type, bool uniform) {
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
    const Reg reg = newReg(file, width);
    if (mask && !uniform)
      state.mergedMasks.insert(reg.id);
    Elems part = pieces(reg);
    result.append(part.begin(), part.end());
    count -= width;
  }
  return result;
}

ControlFlow::Carried ControlFlow::carry(Value argument, Value initial, Value result) {
  const bool isUniform = divergence.isUniform(argument);
  const Elems *registers = result && !isUniform ? guardedRegisters(result, initial) : nullptr;
  if (!registers)
    return {mergeRegisters(argument.getType(), isUniform), get(initial)};
  return {*registers, *registers};
}

const Elems *ControlFlow::guardedRegisters(Value result, Value initial) {
  const auto guarded = selection.guarded.find(result);
  if (guarded == selection.guarded.end() || guarded->second.initial != initial)
    return nullptr;
  for (const Elem &elem : guarded->second.registers)
    state.keptOutside.insert(elem.reg.id);
  return &guarded->second.registers;
}

/// Whether `else` only gives values.
static bool isOneSided(scf::IfOp op) {
  return !op.getElseRegion().empty() && op.elseBlock()->without_terminator().empty();
}

ControlFlow::Results ControlFlow::resultsOf(scf::IfOp op) {
  Results results{{}, llvm::BitVector(op.getNumResults())};
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    const bool isUniform = divergence.isUniform(result);
    const Elems *outer =
        isOneSided(op) && !isUniform ? guardedRegisters(result, op.elseYield().getOperand(i)) : nullptr;
    results.isFresh[i] = !outer;
    results.registers.push_back(outer ? *outer : mergeRegisters(result.getType(), isUniform));
  }
  return results;
}

LogicalResult ControlFlow::startWithElse(scf::IfOp op, const Results &results) {
  if (failed(selectDeferred(op.getElseRegion())))
    return failure();
  SmallVector<Elems> fresh, values;
  for (unsigned i : results.isFresh.set_bits()) {
    fresh.push_back(results.registers[i]);
    values.push_back(get(op.elseYield().getOperand(i)));
  }
  copyTo(fresh, values, false);
  return success();
}

void ControlFlow::setResults(scf::IfOp op, ArrayRef<Elems> results) {
  for (auto [result, elems] : llvm::zip(op.getResults(), results)) {
    for (const Elem &elem : elems)
      state.regDepth[elem.reg.id] = state.regions.size();
    set(result, elems);
  }
}

/// Whether a copy other than the one to the pair reads it.
static bool isReadElsewhere(ArrayRef<Elems> to, ArrayRef<Elems> from, const Elems &target, Reg pair) {
  for (auto [other, value] : llvm::zip(to, from))
    for (size_t i = 0; i < other.size(); ++i)
      if (!value[i].isImm && value[i].reg.id == pair.id && !(other.data() == target.data() && other[i] == value[i]))
        return true;
  return false;
}

void ControlFlow::copyTo(ArrayRef<Elems> to, ArrayRef<Elems> from, bool keepsInactiveLanes) {
  struct Move {
    Elem to, from;
  };
  SmallVector<Move> moves, merged;
  for (auto [target, value] : llvm::zip(to, from)) {
    for (size_t i = 0; i < target.size(); ++i) {
      if (target[i] == value[i])
        continue;
      // Lane masks have their lanes in scalar registers: merged bit by bit.
      if (keepsInactiveLanes && state.mergedMasks.contains(target[i].reg.id)) {
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
        source.isImm
            ? emit(scalar ? s_mov_b32 : v_mov_b32, {Operand::def(destination), operand(source)})
            : emitInto(state.current, lir::makeCopy(destination, {source.reg.id, source.reg.sub, uint8_t(run)}));
    inst.keepsInactiveLanes = !scalar && (keepsInactiveLanes || state.keptOutside.contains(destination.id));
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

size_t ControlFlow::testCondition(Value condition) {
  if (std::optional<size_t> begin = compareIntoScc(condition))
    return *begin;
  const Operand source = maskOperand(get(condition));
  Reg active = newSgpr(2);
  const size_t begin = fn.blocks[state.current].insts.size();
  andWithExec(Operand::def(active), source);
  return begin;
}

size_t ControlFlow::branchIfNot(Value condition, unsigned target, unsigned fallThrough) {
  const size_t begin = testCondition(condition);
  branchTo(s_cbranch_scc0, target, fallThrough);
  return begin;
}

size_t ControlFlow::saveAndNarrowExec(Reg saved, Operand mask) {
  const size_t begin = fn.blocks[state.current].insts.size();
  lir::Inst &enter = emit(s_and_saveexec_b64, {Operand::def(saved), mask});
  enter.hasSideEffects = true;
  enter.operands.push_back(Operand::specialReg(Special::Exec, true).implicit());
  enter.operands.push_back(Operand::specialReg(Special::Exec).implicit());
  return begin;
}

void ControlFlow::restoreExec(Reg saved) {
  emit(s_mov_b64, {Operand::specialReg(Special::Exec, true), Operand::use(saved)}).hasSideEffects = true;
}

lir::Inst &ControlFlow::andWithExec(Operand to, Operand mask) {
  lir::Inst &inst = emit(s_and_b64, {to, Operand::specialReg(Special::Exec), mask});
  inst.hasSideEffects = true;
  return inst;
}

void ControlFlow::defineAnything(ArrayRef<Elems> registers) {
  for (const Elems &elems : registers)
    for (const Elem &elem : elems)
      if (elem.reg.sub == 0)
        emit(Pseudo::ImplicitDef, {Operand::def(fn.whole(elem.reg.id))});
}

void ControlFlow::retarget(ArrayRef<unsigned> branches, unsigned target) {
  for (unsigned block : branches) {
    for (Operand &operand : fn.blocks[block].insts.back().operands)
      if (operand.kind == Operand::Kind::Block)
        operand.imm = target;
    for (unsigned &successor : fn.blocks[block].successors)
      if (successor == unknownBlock)
        successor = target;
  }
}

LogicalResult ControlFlow::selectSide(Block &block, ArrayRef<Elems> results, bool keepsOtherLanes, unsigned hoistBlock,
                                      size_t &hoistIndex, bool isPredicated) {
  state.regions.push_back({.isPredicated = isPredicated, .hoistBlock = hoistBlock, .hoistIndex = hoistIndex});
  if (failed(selectDeferred(*block.getParent())) || failed(selectBlock(block)))
    return failure();
  SmallVector<Elems> values;
  for (Value value : block.getTerminator()->getOperands())
    values.push_back(get(value));
  copyTo(results, values, keepsOtherLanes);
  hoistIndex = state.regions.back().hoistIndex;
  endRegion();
  return success();
}

} // namespace inflight::select
