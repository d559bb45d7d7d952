// ROCDL operations on ids and lanes, synchronisation, and scheduling.
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/select/Handlers.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

/// An id or size, of which the upper half is zero if it is asked for as 64 bits.
LogicalResult Selector::setId(Operation *op, Elem word) {
  Elems elems{word};
  elems.resize(dwords(op->getResult(0).getType()), Elem::constant(0));
  set(op->getResult(0), elems);
  return success();
}

/// Packed ten bits each (AMDGPU ABI, initial VGPR state with packed work-item ids).
LogicalResult Selector::workitemId(Operation *op, unsigned dim) {
  Elem ids = Elem::of(packedIds);
  if (dim)
    ids = pure(v_bfe_u32, {ids, Elem::constant(10 * dim), Elem::constant(10)}, false);
  else if (fn.workitemIdDims > 1)
    ids = bitAnd(ids, Elem::constant(0x3ff));
  return setId(op, ids);
}
template <> LogicalResult Selector::select(ROCDL::ThreadIdXOp op) { return workitemId(op, 0); }
template <> LogicalResult Selector::select(ROCDL::ThreadIdYOp op) { return workitemId(op, 1); }
template <> LogicalResult Selector::select(ROCDL::ThreadIdZOp op) { return workitemId(op, 2); }

LogicalResult Selector::workgroupId(Operation *op, unsigned dim) { return setId(op, Elem::of(workgroupIds[dim])); }
template <> LogicalResult Selector::select(ROCDL::BlockIdXOp op) { return workgroupId(op, 0); }
template <> LogicalResult Selector::select(ROCDL::BlockIdYOp op) { return workgroupId(op, 1); }
template <> LogicalResult Selector::select(ROCDL::BlockIdZOp op) { return workgroupId(op, 2); }

LogicalResult Selector::workgroupSize(Operation *op, unsigned dim) {
  const bool isKnown = fn.requiredWorkgroupSize[0];
  return setId(op, isKnown ? Elem::constant(fn.requiredWorkgroupSize[dim]) : hiddenArgument(12 + 2 * dim, 2));
}
template <> LogicalResult Selector::select(ROCDL::BlockDimXOp op) { return workgroupSize(op, 0); }
template <> LogicalResult Selector::select(ROCDL::BlockDimYOp op) { return workgroupSize(op, 1); }
template <> LogicalResult Selector::select(ROCDL::BlockDimZOp op) { return workgroupSize(op, 2); }

LogicalResult Selector::gridSize(Operation *op, unsigned dim) { return setId(op, hiddenArgument(4 * dim, 4)); }
template <> LogicalResult Selector::select(ROCDL::GridDimXOp op) { return gridSize(op, 0); }
template <> LogicalResult Selector::select(ROCDL::GridDimYOp op) { return gridSize(op, 1); }
template <> LogicalResult Selector::select(ROCDL::GridDimZOp op) { return gridSize(op, 2); }

template <> LogicalResult Selector::select(ROCDL::WavefrontSizeOp op) {
  return setId(op, Elem::constant(chip.target().lanesPerWave));
}

LogicalResult Selector::maskedBitCount(Operation *op, Mnemonic mnemonic) {
  set(op->getResult(0), {pure(mnemonic, {get(op->getOperand(0))[0], get(op->getOperand(1))[0]}, false)});
  return success();
}
template <> LogicalResult Selector::select(ROCDL::MbcntLoOp op) { return maskedBitCount(op, v_mbcnt_lo_u32_b32); }
template <> LogicalResult Selector::select(ROCDL::MbcntHiOp op) { return maskedBitCount(op, v_mbcnt_hi_u32_b32); }

template <> LogicalResult Selector::select(ROCDL::ReadfirstlaneOp op) {
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

template <> LogicalResult Selector::select(ROCDL::ReadlaneOp op) {
  Elem lane = get(op.getSrc1())[0];
  lane = lane.isImm && isInline(lane.imm) ? lane : toSgpr(lane);
  Elems out;
  for (const Elem &word : get(op.getSrc0()))
    out.push_back(pureTuple(v_readlane_b32, 1, {operand(toVgpr(word)), operand(lane)}, true)[0]);
  set(op.getRes(), out);
  return success();
}

template <> LogicalResult Selector::select(ROCDL::BallotOp op) {
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

template <> LogicalResult Selector::select(ROCDL::DsBpermuteOp op) {
  Reg data = newVgpr();
  const Operand index = operand(toVgpr(get(op.getIndex())[0])), source = operand(toVgpr(get(op.getSrc())[0]));
  emit(ds_bpermute_b32, {Operand::def(data), index, source}).mayLoad = true;
  set(op.getRes(), pieces(data));
  return success();
}

template <> LogicalResult Selector::select(ROCDL::DsSwizzleOp op) {
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

template <> LogicalResult Selector::select(ROCDL::DPPUpdateOp op) {
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

LogicalResult Selector::swapLanes(Operation *op, Mnemonic mnemonic) {
  Reg a = newVgpr(), b = newVgpr();
  emit(Pseudo::Copy, {Operand::def(a), Operand::use(toVgpr(get(op->getOperand(0))[0]).reg)});
  emit(Pseudo::Copy, {Operand::def(b), Operand::use(toVgpr(get(op->getOperand(1))[0]).reg)});
  emit(mnemonic, {Operand::def(a), Operand::def(b)}).keepsInactiveLanes = true;
  set(op->getResult(0), {Elem::of(a), Elem::of(b)});
  return success();
}
template <> LogicalResult Selector::select(ROCDL::Permlane16SwapOp op) { return swapLanes(op, v_permlane16_swap_b32); }
template <> LogicalResult Selector::select(ROCDL::Permlane32SwapOp op) { return swapLanes(op, v_permlane32_swap_b32); }

LogicalResult Selector::sideEffect(Mnemonic mnemonic, ArrayRef<Operand> operands) {
  emit(mnemonic, operands).hasSideEffects = true;
  return success();
}
LogicalResult Selector::sideEffect(Pseudo pseudo) {
  emit(pseudo).hasSideEffects = true;
  return success();
}

template <> LogicalResult Selector::select(ROCDL::SBarrierOp op) {
  lir::Inst &inst = emit(s_barrier, {});
  inst.hasSideEffects = true;
  if (op->hasAttr(attr::ldsOnly))
    inst.memory = lir::MemoryKind::Lds;
  return success();
}
template <> LogicalResult Selector::select(ROCDL::BarrierOp) {
  (void)sideEffect(Pseudo::FenceLds);
  return sideEffect(s_barrier);
}
template <> LogicalResult Selector::select(ROCDL::SWaitcntOp op) {
  return sideEffect(s_waitcnt, {Operand::imm64(op.getBitfield())});
}
template <> LogicalResult Selector::select(ROCDL::SetPrioOp op) {
  lir::Inst &inst = emit(s_setprio, {Operand::imm64(op.getPriority())});
  inst.hasSideEffects = !op->hasAttr(amongMatrix);
  return success();
}
template <> LogicalResult Selector::select(ROCDL::SSleepOp op) {
  return sideEffect(s_sleep, {Operand::imm64(op.getCount())});
}
template <> LogicalResult Selector::select(ROCDL::SNopOp op) {
  return sideEffect(s_nop, {Operand::imm64(op.getCount())});
}
template <> LogicalResult Selector::select(ROCDL::SchedBarrier) { return sideEffect(Pseudo::SchedBarrier); }
template <> LogicalResult Selector::select(ROCDL::SchedGroupBarrier op) {
  emit(Pseudo::SchedGroup,
       {Operand::imm64(op.getMask()), Operand::imm64(op.getSize()), Operand::imm64(op.getGroupId())});
  return success();
}

void Selector::fence(LLVM::AtomicOrdering ordering, StringRef scope) {
  bool releases = ordering != LLVM::AtomicOrdering::acquire;
  // Waits before a barrier come from the wait engine, which knows what is in flight.
  if (scope.starts_with("workgroup") || scope.starts_with("wavefront") || scope.starts_with("singlethread")) {
    if (releases && scope.starts_with("workgroup"))
      emit(Pseudo::FenceLds).hasSideEffects = true;
    return;
  }
  emit(Pseudo::FenceAll).hasSideEffects = true;
  Modifiers caches;
  caches.cache.sc1 = chip.target().hasScopeBits;
  caches.cache.sc0 = chip.target().hasScopeBits && !scope.starts_with("agent");
  if (releases && chip.target().hasScopeBits)
    emit(buffer_wbl2, {}, caches).hasSideEffects = true;
  emit(Pseudo::FenceAll).hasSideEffects = true;
  emit(chip.target().hasScopeBits ? buffer_inv : buffer_wbinvl1_vol, {}, caches).hasSideEffects = true;
  emit(Pseudo::FenceAll).hasSideEffects = true;
}

template <> LogicalResult Selector::select(LLVM::FenceOp op) {
  if (auto bytes = op->getAttrOfType<DenseI64ArrayAttr>(attr::ldsStage); bytes && bytes.size() == 2) {
    lir::Inst &inst = emit(Pseudo::FenceLds);
    inst.hasSideEffects = true;
    inst.lds = {uint32_t(bytes[0]), uint32_t(bytes[1])};
    if (op->hasAttr(attr::ldsOnly))
      inst.memory = lir::MemoryKind::Lds;
    return success();
  }
  if (op->hasAttr(attr::commitGroup))
    return sideEffect(Pseudo::CommitGroup);
  if (auto left = op->getAttrOfType<IntegerAttr>(attr::waitGroup)) {
    constexpr uint64_t most = 63; // more can't be in flight that there is a count for
    emit(Pseudo::WaitGroup, {Operand::imm64(std::min(left.getValue().getZExtValue(), most))}).hasSideEffects = true;
    return success();
  }
  fence(op.getOrdering(), op.getSyncscope().value_or(""));
  return success();
}

void Handlers::addWaves() {
  add<ROCDL::ThreadIdXOp, ROCDL::ThreadIdYOp, ROCDL::ThreadIdZOp, ROCDL::BlockIdXOp, ROCDL::BlockIdYOp,
      ROCDL::BlockIdZOp, ROCDL::BlockDimXOp, ROCDL::BlockDimYOp, ROCDL::BlockDimZOp, ROCDL::GridDimXOp,
      ROCDL::GridDimYOp, ROCDL::GridDimZOp, ROCDL::WavefrontSizeOp, ROCDL::MbcntLoOp, ROCDL::MbcntHiOp,
      ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp, ROCDL::BallotOp, ROCDL::DsBpermuteOp, ROCDL::DsSwizzleOp,
      ROCDL::DPPUpdateOp, ROCDL::Permlane16SwapOp, ROCDL::Permlane32SwapOp, ROCDL::SBarrierOp, ROCDL::BarrierOp,
      ROCDL::SWaitcntOp, ROCDL::SetPrioOp, ROCDL::SSleepOp, ROCDL::SNopOp, ROCDL::SchedBarrier,
      ROCDL::SchedGroupBarrier, LLVM::FenceOp>();
}

} // namespace inflight::select
