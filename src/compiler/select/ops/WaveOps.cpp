// ROCDL operations on ids and lanes, synchronisation, and scheduling.
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/select/Entry.h"
#include "compiler/select/Handlers.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

namespace {
class WaveOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  template <typename Op> LogicalResult select(Op op);

private:
  LogicalResult setId(Operation *op, Elem word);
  LogicalResult workitemId(Operation *op, unsigned dim);
  LogicalResult workgroupId(Operation *op, unsigned dim);
  LogicalResult workgroupSize(Operation *op, unsigned dim);
  LogicalResult gridSize(Operation *op);
  LogicalResult maskedBitCount(Operation *op, Mnemonic mnemonic);
  LogicalResult swapLanes(Operation *op, Mnemonic mnemonic);
  LogicalResult sideEffect(Mnemonic mnemonic, ArrayRef<Operand> operands = {});
  LogicalResult sideEffect(Pseudo pseudo);
};
} // namespace

/// An id or size, of which the upper half is zero if it is asked for as 64 bits.
LogicalResult WaveOps::setId(Operation *op, Elem word) {
  Elems elems{word};
  elems.resize(dwords(op->getResult(0).getType()), Elem::constant(0));
  set(op->getResult(0), elems);
  return success();
}

/// Packed ten bits each (AMDGPU ABI, initial VGPR state with packed work-item ids).
LogicalResult WaveOps::workitemId(Operation *op, unsigned dim) {
  Elem ids = Elem::of(selection.packedIds);
  if (dim)
    ids = pure(v_bfe_u32, {ids, Elem::constant(10 * dim), Elem::constant(10)}, false);
  else if (fn.workitemIdDims > 1)
    ids = bitAnd(ids, Elem::constant(0x3ff));
  return setId(op, ids);
}
template <> LogicalResult WaveOps::select(ROCDL::ThreadIdXOp op) { return workitemId(op, 0); }
template <> LogicalResult WaveOps::select(ROCDL::ThreadIdYOp op) { return workitemId(op, 1); }
template <> LogicalResult WaveOps::select(ROCDL::ThreadIdZOp op) { return workitemId(op, 2); }

LogicalResult WaveOps::workgroupId(Operation *op, unsigned dim) {
  return setId(op, Elem::of(selection.workgroupIds[dim]));
}
template <> LogicalResult WaveOps::select(ROCDL::BlockIdXOp op) { return workgroupId(op, 0); }
template <> LogicalResult WaveOps::select(ROCDL::BlockIdYOp op) { return workgroupId(op, 1); }
template <> LogicalResult WaveOps::select(ROCDL::BlockIdZOp op) { return workgroupId(op, 2); }

LogicalResult WaveOps::workgroupSize(Operation *op, unsigned dim) {
  const bool isKnown = fn.requiredWorkgroupSize[0];
  return setId(op, isKnown ? Elem::constant(fn.requiredWorkgroupSize[dim])
                           : Entry(selection).hiddenArgument(*launchSizeOf(op)));
}
template <> LogicalResult WaveOps::select(ROCDL::BlockDimXOp op) { return workgroupSize(op, 0); }
template <> LogicalResult WaveOps::select(ROCDL::BlockDimYOp op) { return workgroupSize(op, 1); }
template <> LogicalResult WaveOps::select(ROCDL::BlockDimZOp op) { return workgroupSize(op, 2); }

LogicalResult WaveOps::gridSize(Operation *op) { return setId(op, Entry(selection).hiddenArgument(*launchSizeOf(op))); }
template <> LogicalResult WaveOps::select(ROCDL::GridDimXOp op) { return gridSize(op); }
template <> LogicalResult WaveOps::select(ROCDL::GridDimYOp op) { return gridSize(op); }
template <> LogicalResult WaveOps::select(ROCDL::GridDimZOp op) { return gridSize(op); }

template <> LogicalResult WaveOps::select(ROCDL::WavefrontSizeOp op) {
  return setId(op, Elem::constant(chip.target().lanesPerWave));
}

LogicalResult WaveOps::maskedBitCount(Operation *op, Mnemonic mnemonic) {
  set(op->getResult(0), {pure(mnemonic, {get(op->getOperand(0))[0], get(op->getOperand(1))[0]}, false)});
  return success();
}
template <> LogicalResult WaveOps::select(ROCDL::MbcntLoOp op) { return maskedBitCount(op, v_mbcnt_lo_u32_b32); }
template <> LogicalResult WaveOps::select(ROCDL::MbcntHiOp op) { return maskedBitCount(op, v_mbcnt_hi_u32_b32); }

template <> LogicalResult WaveOps::select(ROCDL::ReadfirstlaneOp op) {
  // Which lane is the first one depends on the place: only what is the same in all may leave a loop or a branch.
  const bool isUniform = divergence.isUniform(op.getSrc());
  Elems out;
  for (const Elem &word : get(op.getSrc())) {
    if (isUniform || isScalar(word)) {
      out.push_back(isScalar(word) ? word : toSgpr(word));
      continue;
    }
    Reg first = newSgpr();
    emit(v_readfirstlane_b32, {Operand::def(first), operand(word)});
    out.push_back(Elem::of(first));
  }
  set(op.getRes(), out);
  return success();
}

template <> LogicalResult WaveOps::select(ROCDL::ReadlaneOp op) {
  Elem lane = get(op.getSrc1())[0];
  lane = lane.isImm && isInline(lane.imm) ? lane : toSgpr(lane);
  Elems out;
  for (const Elem &word : get(op.getSrc0()))
    out.push_back(pureTuple(v_readlane_b32, 1, {operand(toVgpr(word)), operand(lane)}, true)[0]);
  set(op.getRes(), out);
  return success();
}

template <> LogicalResult WaveOps::select(ROCDL::BallotOp op) {
  const Elems mask = get(op.getPred());
  if (mask[0].isImm && !mask[0].imm) {
    set(op.getRes(), Elems(dwords(op.getType()), Elem::constant(0)));
    return success();
  }
  const Operand source = maskOperand(mask);
  Reg active = newSgpr(2);
  emit(s_and_b64, {Operand::def(active), Operand::specialReg(Special::Exec), source});
  Elems words = pieces(active);
  words.resize(dwords(op.getType()));
  set(op.getRes(), words);
  return success();
}

template <> LogicalResult WaveOps::select(ROCDL::DsBpermuteOp op) {
  Reg data = newVgpr();
  const Operand index = operand(toVgpr(get(op.getIndex())[0])), source = operand(toVgpr(get(op.getSrc())[0]));
  emit(ds_bpermute_b32, {Operand::def(data), index, source}).mayLoad = true;
  set(op.getRes(), pieces(data));
  return success();
}

template <> LogicalResult WaveOps::select(ROCDL::DsSwizzleOp op) {
  std::optional<APInt> pattern = values.constantInt(op.getOffset());
  if (!pattern)
    return unsupported(op, "a pattern that is not constant");
  Reg data = newVgpr();
  Modifiers swizzle;
  swizzle.offset = pattern->getZExtValue() & 0xffff;
  emit(ds_swizzle_b32, {Operand::def(data), operand(toVgpr(get(op.getSrc())[0]))}, swizzle).mayLoad = true;
  set(op.getRes(), pieces(data));
  return success();
}

template <> LogicalResult WaveOps::select(ROCDL::DPPUpdateOp op) {
  if (!lir::isDppControl(op.getDppCtrl()))
    return unsupported(op, "DPP control " + Twine(op.getDppCtrl()));
  Modifiers moved;
  moved.dpp.control = op.getDppCtrl();
  moved.dpp.rowMask = op.getRowMask();
  moved.dpp.bankMask = op.getBankMask();
  moved.dpp.boundControl = op.getBoundCtrl();
  // Every lane gets something: nothing of the old value stays.
  const bool full = moved.dpp.rowMask == 15 && moved.dpp.bankMask == 15 && moved.dpp.boundControl;
  Elems old = get(op.getOld()), source = get(op.getSrc()), out;
  for (auto [before, word] : llvm::zip(old, source)) {
    Reg data = newVgpr();
    if (!full && before.isImm)
      emit(v_mov_b32, {Operand::def(data), operand(before)});
    else if (!full)
      emit(Pseudo::Copy, {Operand::def(data), Operand::use(before.reg)});
    lir::Inst &inst = emit(v_mov_b32, {Operand::def(data), operand(toVgpr(word))}, moved, Encoding::Dpp);
    inst.keepsInactiveLanes = !full;
    out.push_back(Elem::of(data));
  }
  set(op.getRes(), out);
  return success();
}

LogicalResult WaveOps::swapLanes(Operation *op, Mnemonic mnemonic) {
  Reg a = newVgpr(), b = newVgpr();
  emit(Pseudo::Copy, {Operand::def(a), Operand::use(toVgpr(get(op->getOperand(0))[0]).reg)});
  emit(Pseudo::Copy, {Operand::def(b), Operand::use(toVgpr(get(op->getOperand(1))[0]).reg)});
  emit(mnemonic, {Operand::def(a), Operand::def(b)}).keepsInactiveLanes = true;
  set(op->getResult(0), {Elem::of(a), Elem::of(b)});
  return success();
}
template <> LogicalResult WaveOps::select(ROCDL::Permlane16SwapOp op) { return swapLanes(op, v_permlane16_swap_b32); }
template <> LogicalResult WaveOps::select(ROCDL::Permlane32SwapOp op) { return swapLanes(op, v_permlane32_swap_b32); }

LogicalResult WaveOps::sideEffect(Mnemonic mnemonic, ArrayRef<Operand> operands) {
  emit(mnemonic, operands).hasSideEffects = true;
  return success();
}
LogicalResult WaveOps::sideEffect(Pseudo pseudo) {
  emit(pseudo).hasSideEffects = true;
  return success();
}

template <> LogicalResult WaveOps::select(ROCDL::SBarrierOp op) {
  lir::Inst &inst = emit(s_barrier, {});
  inst.hasSideEffects = true;
  if (op->hasAttr(attr::ldsOnly))
    inst.memory = lir::MemoryKind::Lds;
  return success();
}
template <> LogicalResult WaveOps::select(ROCDL::BarrierOp) {
  (void)sideEffect(Pseudo::FenceLds);
  return sideEffect(s_barrier);
}
template <> LogicalResult WaveOps::select(ROCDL::SWaitcntOp op) {
  return sideEffect(s_waitcnt, {Operand::imm64(op.getBitfield())});
}
template <> LogicalResult WaveOps::select(ROCDL::SetPrioOp op) {
  lir::Inst &inst = emit(s_setprio, {Operand::imm64(op.getPriority())});
  inst.hasSideEffects = !op->hasAttr(amongMatrix);
  return success();
}
/// The number says to ROCm's trap handler that the program gives up.
template <> LogicalResult WaveOps::select(LLVM::Trap op) {
  constexpr int64_t abort = 2;
  return sideEffect(s_trap, {Operand::imm64(abort)});
}

template <> LogicalResult WaveOps::select(ROCDL::SSleepOp op) {
  return sideEffect(s_sleep, {Operand::imm64(op.getCount())});
}
template <> LogicalResult WaveOps::select(ROCDL::SNopOp op) {
  return sideEffect(s_nop, {Operand::imm64(op.getCount())});
}
template <> LogicalResult WaveOps::select(ROCDL::SchedBarrier) { return sideEffect(Pseudo::SchedBarrier); }
template <> LogicalResult WaveOps::select(ROCDL::SchedGroupBarrier op) {
  emit(Pseudo::SchedGroup,
       {Operand::imm64(op.getMask()), Operand::imm64(op.getSize()), Operand::imm64(op.getGroupId())});
  return success();
}

void Handlers::addWaves() {
  add<WaveOps, ROCDL::ThreadIdXOp, ROCDL::ThreadIdYOp, ROCDL::ThreadIdZOp, ROCDL::BlockIdXOp, ROCDL::BlockIdYOp,
      ROCDL::BlockIdZOp, ROCDL::BlockDimXOp, ROCDL::BlockDimYOp, ROCDL::BlockDimZOp, ROCDL::GridDimXOp,
      ROCDL::GridDimYOp, ROCDL::GridDimZOp, ROCDL::WavefrontSizeOp, ROCDL::MbcntLoOp, ROCDL::MbcntHiOp,
      ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp, ROCDL::BallotOp, ROCDL::DsBpermuteOp, ROCDL::DsSwizzleOp,
      ROCDL::DPPUpdateOp, ROCDL::Permlane16SwapOp, ROCDL::Permlane32SwapOp, ROCDL::SBarrierOp, ROCDL::BarrierOp,
      ROCDL::SWaitcntOp, ROCDL::SetPrioOp, ROCDL::SSleepOp, LLVM::Trap, ROCDL::SNopOp, ROCDL::SchedBarrier,
      ROCDL::SchedGroupBarrier>();
}

} // namespace inflight::select
