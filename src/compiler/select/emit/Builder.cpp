// Emitting instructions: operand legalisation, sharing and hoisting.
#include "compiler/select/emit/Builder.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::select {

mlir::LogicalResult Builder::unsupported(mlir::Operation *op, const Twine &why) const {
  mlir::InFlightDiagnostic diagnostic = op->emitError("not supported: '") << op->getName() << "'";
  if (std::string text = why.str(); !text.empty())
    diagnostic << ": " << text;
  return mlir::failure();
}

Reg Builder::newReg(RegFile file, unsigned width) {
  Reg reg = fn.whole(fn.newReg(file, width));
  state.regDepth.resize(fn.regs.size(), state.regions.size());
  state.regDepth[reg.id] = state.regions.size();
  return reg;
}

unsigned Builder::depthOf(const Elem &elem) const { return elem.isImm ? 0 : state.regDepth[elem.reg.id]; }

bool Builder::allScalar(ArrayRef<Elem> elems) const {
  return llvm::all_of(elems, [this](const Elem &elem) { return isScalar(elem); });
}

bool Builder::isInline(uint32_t value) {
  // Inline constants (ISA manuals, operand encoding): small integers and a few floats.
  int32_t number = static_cast<int32_t>(value);
  if (number >= -16 && number <= 64)
    return true;
  switch (value) {
  case 0x3f000000:
  case 0xbf000000:
  case 0x3f800000:
  case 0xbf800000:
  case 0x40000000:
  case 0xc0000000:
  case 0x40800000:
  case 0xc0800000:
  case 0x3e22f983: return true;
  default: return false;
  }
}

Operand Builder::operand(const Elem &elem) const {
  if (elem.isImm)
    return Operand::imm64(static_cast<int32_t>(elem.imm));
  return Operand::use(elem.reg);
}

lir::Inst &Builder::emitInto(unsigned block, lir::Inst inst) {
  inst.place = state.currentPlace;
  std::vector<lir::Inst> &insts = fn.blocks[block].insts;
  insts.push_back(std::move(inst));
  return insts.back();
}

lir::Inst Builder::makeInst(Mnemonic mnemonic, ArrayRef<Operand> operands, const Modifiers &modifiers,
                            Encoding encoding) {
  const InstrDesc *desc = lir::descOf(chip, mnemonic, encoding, modifiers);
  if (!desc) {
    (void)unsupported(state.currentOp ? state.currentOp : state.source.getOperation(),
                      "no " + nameOf(mnemonic) + " on " + chip.target().chip);
    state.hasFailed = true;
    return lir::makePseudo(Pseudo::SchedBarrier);
  }
  lir::Inst inst = lir::makeInst(chip, mnemonic, operands, modifiers, encoding);
  auto namesScc = [](ArrayRef<RegRange> ranges) { return is_contained(ranges, RegRange{regunit::Scc, 1}); };
  if (namesScc(desc->implicitReads))
    inst.operands.push_back(Operand::specialReg(Special::Scc).implicit());
  if (namesScc(desc->implicitWrites))
    inst.operands.push_back(Operand::specialReg(Special::Scc, true).implicit());
  if (desc->isValu() || desc->isDs() || desc->isVmem())
    inst.operands.push_back(Operand::specialReg(Special::Exec).implicit());
  return inst;
}

lir::Inst &Builder::emit(Mnemonic mnemonic, ArrayRef<Operand> operands, const Modifiers &modifiers, Encoding encoding) {
  return emitInto(state.current, makeInst(mnemonic, operands, modifiers, encoding));
}

lir::Inst &Builder::emit(Pseudo pseudo, ArrayRef<Operand> operands) {
  return emitInto(state.current, lir::makePseudo(pseudo, operands));
}

unsigned Builder::newBlock() {
  fn.blocks.emplace_back();
  unsigned loops = llvm::count_if(state.regions, [](const Region &region) { return region.isLoop; });
  fn.blocks.back().loopDepth = loops;
  return fn.blocks.size() - 1;
}

void Builder::branchTo(Mnemonic mnemonic, unsigned target, unsigned fallThrough) {
  lir::Inst &branch = emit(mnemonic, {Operand::block(target)});
  branch.isTerminator = true;
  branch.hasSideEffects = true;
  if (mnemonic == s_cbranch_execz || mnemonic == s_cbranch_execnz)
    branch.operands.push_back(Operand::specialReg(Special::Exec).implicit());
  auto &successors = fn.blocks[state.current].successors;
  successors.push_back(target);
  if (mnemonic != s_branch)
    successors.push_back(fallThrough);
}

/// Keys of shared values are compared, never printed.
static void appendBits(std::string &key, uint64_t bits) {
  key.append(reinterpret_cast<const char *>(&bits), sizeof bits);
}

static void appendReg(std::string &key, Reg reg, bool negate = false, bool absolute = false) {
  key += 'r';
  appendBits(key, uint64_t(reg.id) << 32 | reg.sub << 16 | reg.count << 8 | negate << 1 | absolute);
}

static void appendImm(std::string &key, int64_t imm, bool negate, bool absolute) {
  key += negate ? '-' : '#';
  if (absolute)
    key += '|';
  appendBits(key, imm);
}

unsigned Builder::describe(ArrayRef<Operand> sources, std::string &key, bool &readsSpecial) const {
  unsigned depth = 0;
  for (const Operand &source : sources) {
    if (source.isReg()) {
      appendReg(key, source.reg, source.negate, source.absolute);
      depth = std::max(depth, state.regDepth[source.reg.id]);
    } else if (source.isImm()) {
      appendImm(key, source.imm, source.negate, source.absolute);
    } else {
      key += 's';
      key += char(source.special);
      readsSpecial = true;
    }
  }
  return depth;
}

uint64_t Builder::valueNumber(StringRef name, ArrayRef<Operand> sources) const {
  hash_code number = hash_value(name);
  for (const Operand &source : sources) {
    uint64_t known =
        source.isReg() && source.reg.id < state.valueNumbers.size() ? state.valueNumbers[source.reg.id] : 0;
    if (source.isReg())
      number = hash_combine(number, known ? known : source.reg.id, known != 0, source.reg.sub, source.reg.count,
                            source.negate, source.absolute);
    else
      number = hash_combine(number, source.isImm() ? source.imm : int64_t(source.special), source.negate,
                            source.absolute, source.kind);
  }
  return uint64_t(number) | 1;
}

Builder::Home Builder::homeOf(unsigned sourceDepth, uint64_t number) {
  for (unsigned k = sourceDepth; k < state.regions.size(); ++k)
    if (state.regions[k].isLoop)
      return {state.regions[k].hoistBlock, nullptr, k + 1, k};
  // Nothing is computed in a predicated side but what depends on its access.
  const unsigned innermost = state.regions.size();
  const bool leavesSide = innermost && state.regions.back().isPredicated && sourceDepth < innermost;
  const unsigned inner = leavesSide ? innermost - 1 : innermost;
  // The first region is the function's.
  const unsigned side = std::max(sourceDepth, 1u);
  const bool isKnown = inner > 1 && (!state.numbersInSides.insert(number).second || state.goesBeforeSides);
  if (isKnown && side < inner)
    return {state.regions[side].hoistBlock, &state.regions[side], side, side};
  if (leavesSide)
    return {state.regions.back().hoistBlock, &state.regions.back(), inner, inner};
  return {state.current, nullptr, innermost, innermost};
}

void Builder::endRegion() {
  for (const std::string &key : state.regions.back().cseKeys)
    state.cse.erase(key);
  state.regions.pop_back();
}

Elems Builder::shared(std::string key, ArrayRef<Operand> sources, RegFile file, unsigned width,
                      function_ref<void(unsigned block, Reg result)> emitAll) {
  const uint64_t number = valueNumber(key, sources);
  bool readsSpecial = false;
  const unsigned depth = describe(sources, key, readsSpecial);
  if (auto known = state.cse.find(key); known != state.cse.end())
    return known->second;
  // What reads EXEC, VCC or M0 stays where it is.
  const Home home = readsSpecial
                        ? Home{state.current, nullptr, unsigned(state.regions.size()), unsigned(state.regions.size())}
                        : homeOf(depth, number);
  Reg result = newReg(file, width);
  state.regDepth[result.id] = home.resultDepth;
  state.valueNumbers.resize(fn.regs.size());
  state.valueNumbers[result.id] = number;
  if (home.beforeSide) {
    std::vector<lir::Inst> &insts = fn.blocks[home.block].insts;
    const auto side = insts.begin() + home.beforeSide->hoistIndex;
    std::vector<lir::Inst> after(std::make_move_iterator(side), std::make_move_iterator(insts.end()));
    insts.erase(side, insts.end());
    emitAll(home.block, result);
    home.beforeSide->hoistIndex = insts.size();
    insts.insert(insts.end(), std::make_move_iterator(after.begin()), std::make_move_iterator(after.end()));
  } else {
    emitAll(home.block, result);
  }
  Elems elems = pieces(result);
  state.cse[key] = elems;
  if (home.region > 0)
    state.regions[home.region - 1].cseKeys.push_back(key);
  return elems;
}

Elems Builder::pureSequence(StringRef name, unsigned width, ArrayRef<Operand> sources, bool scalar,
                            function_ref<void(unsigned block, Reg result)> emitAll) {
  return shared((name + "|").str(), sources, scalar ? RegFile::Sgpr : RegFile::Vgpr, width, emitAll);
}

Elems Builder::pureTuple(Mnemonic mnemonic, unsigned width, ArrayRef<Operand> sources, bool scalar,
                         const Modifiers &modifiers) {
  std::string key(nameOf(mnemonic));
  if (!modifiers.empty()) {
    key += '|';
    llvm::raw_string_ostream os(key);
    print(modifiers, *lir::descOf(chip, mnemonic), chip.target(), os);
  }
  return pureSequence(key, width, sources, scalar, [&](unsigned block, Reg result) {
    SmallVector<Operand, 4> operands{Operand::def(result)};
    operands.append(sources.begin(), sources.end());
    emitInto(block, makeInst(mnemonic, operands, modifiers));
  });
}

Elem Builder::toVgpr(const Elem &elem) {
  if (!elem.isImm && fn.regs[elem.reg.id].file == RegFile::Vgpr)
    return elem;
  return pureTuple(v_mov_b32, 1, {operand(elem)}, false)[0];
}

Elem Builder::toSgpr(const Elem &elem) {
  if (elem.isImm)
    return pureTuple(s_mov_b32, 1, {operand(elem)}, true)[0];
  if (fn.regs[elem.reg.id].file == RegFile::Sgpr)
    return elem;
  return pureTuple(v_readfirstlane_b32, 1, {operand(elem)}, true)[0];
}

Elem Builder::materialize(const Elem &elem) { return elem.isImm ? toSgpr(elem) : elem; }

Elems Builder::pieces(Reg reg) const {
  Elems elems;
  for (unsigned i = 0; i < reg.count; ++i)
    elems.push_back(Elem::of(reg.piece(i)));
  return elems;
}

Reg Builder::tuple(ArrayRef<Elem> elems, RegFile file) {
  // Already consecutive pieces of one register with the right alignment?
  const Elem &first = elems[0];
  if (!first.isImm && fn.regs[first.reg.id].file == file) {
    bool consecutive = true;
    for (auto [i, elem] : llvm::enumerate(elems))
      consecutive &= !elem.isImm && elem.reg.id == first.reg.id && elem.reg.sub == first.reg.sub + i;
    if (consecutive && first.reg.sub % lir::tupleAlignment(chip, file, elems.size()) == 0 &&
        fn.regs[first.reg.id].alignment >= lir::tupleAlignment(chip, file, elems.size()))
      return {first.reg.id, first.reg.sub, uint8_t(elems.size())};
  }
  // Built from pieces: shared like any other value.
  SmallVector<Operand, 8> sources;
  for (const Elem &elem : elems)
    sources.push_back(elem.isImm ? Operand::imm64(elem.imm) : Operand::use({elem.reg.id, elem.reg.sub, 1}));
  Elems result = shared(file == RegFile::Sgpr ? "tuple.s|" : "tuple.v|", sources, file, elems.size(),
                        [&](unsigned block, Reg reg) { fillTuple(block, reg, file, elems); });
  return {result[0].reg.id, result[0].reg.sub, uint8_t(elems.size())};
}

void Builder::fillTuple(unsigned block, Reg result, RegFile file, ArrayRef<Elem> elems) {
  for (size_t i = 0; i < elems.size();) {
    // Runs of consecutive pieces are copied together.
    size_t run = 1;
    while (!elems[i].isImm && i + run < elems.size() && !elems[i + run].isImm &&
           elems[i + run].reg.id == elems[i].reg.id && elems[i + run].reg.sub == elems[i].reg.sub + run)
      ++run;
    // A 64-bit move extends its literal with the sign: non-negative ones need one instruction.
    if (file == RegFile::Sgpr && i % 2 == 0 && i + 1 < elems.size() && elems[i].isImm && elems[i + 1].isImm &&
        elems[i + 1].imm == 0 && int32_t(elems[i].imm) >= 0) {
      emitInto(block, makeInst(s_mov_b64, {Operand::def(result.piece(i, 2)), operand(elems[i])}));
      i += 2;
      continue;
    }
    Reg to = result.piece(i, run);
    if (elems[i].isImm)
      emitInto(block, makeInst(file == RegFile::Sgpr ? s_mov_b32 : v_mov_b32, {Operand::def(to), operand(elems[i])}));
    else
      emitInto(block, lir::makeCopy(to, {elems[i].reg.id, elems[i].reg.sub, uint8_t(run)}));
    i += run;
  }
}

/// Operations whose two sources may change places without another mnemonic.
static bool isCommutative(Mnemonic mnemonic) {
  constexpr Mnemonic all[] = {v_add_u32, v_mul_lo_u32,  v_mul_hi_u32,  v_mul_hi_i32, v_and_b32,    v_or_b32,
                              v_xor_b32, v_add_f32,     v_mul_f32,     v_min_f32,    v_max_f32,    v_min_i32,
                              v_max_i32, v_min_u32,     v_max_u32,     v_add_f16,    v_mul_f16,    v_min_f16,
                              v_max_f16, v_mul_u32_u24, v_mul_i32_i24, v_add_u16,    v_mul_lo_u16, v_add_co_u32};
  return is_contained(all, mnemonic);
}

/// Whether a 32-bit literal fits: the short two-operand encodings take one as the first source.
static bool hasShortEncoding(const Isa &isa, Mnemonic mnemonic) {
  constexpr unsigned shortBytes = 4;
  ArrayRef<const InstrDesc *> encodings = isa.encodings(mnemonic);
  return !encodings.empty() && isa.instrInfo().get(encodings.front()->opcode).getSize() == shortBytes;
}

void Builder::legalize(Mnemonic mnemonic, SmallVectorImpl<Elem> &sources) {
  const InstrDesc *desc = lir::descOf(chip, mnemonic);
  if (desc && desc->isSalu()) {
    // One literal at most.
    bool seen = false;
    uint32_t literal = 0;
    for (Elem &source : sources) {
      if (!source.isImm) {
        source = toSgpr(source);
      } else if (!isInline(source.imm)) {
        if (seen && source.imm != literal)
          source = toSgpr(source);
        literal = source.imm;
        seen = true;
      }
    }
    return;
  }
  if (sources.size() == 2 && isCommutative(mnemonic) && isScalar(sources[1]) && !isScalar(sources[0]))
    std::swap(sources[0], sources[1]);
  bool literalAllowed = hasShortEncoding(chip, mnemonic);
  if (literalAllowed && sources.size() == 2 && sources[0].isImm && !isInline(sources[0].imm) && isScalar(sources[1]))
    sources[1] = toVgpr(sources[1]);
  Elem scalarUsed;
  bool haveScalar = false;
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (source.isImm && isInline(source.imm))
      continue;
    if (source.isImm && !(literalAllowed && i == 0 && sources.size() <= 2))
      source = toSgpr(source);
    if (!source.isImm && fn.regs[source.reg.id].file == RegFile::Vgpr)
      continue;
    if (haveScalar && !(scalarUsed == source)) {
      source = toVgpr(source);
      continue;
    }
    haveScalar = true;
    scalarUsed = source;
  }
}

Elem Builder::pure(Mnemonic mnemonic, ArrayRef<Elem> sources, bool scalar) {
  SmallVector<Elem, 3> legal(sources.begin(), sources.end());
  legalize(mnemonic, legal);
  SmallVector<Operand, 3> operands;
  for (const Elem &source : legal)
    operands.push_back(operand(source));
  return pureTuple(mnemonic, 1, operands, scalar)[0];
}

} // namespace inflight::select
