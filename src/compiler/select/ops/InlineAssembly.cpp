// Inline assembly: lines of a mnemonic and operands become instructions, whose registers, order and waits are decided
// with all others.
#include "compiler/lir/Read.h"
#include "compiler/select/Handlers.h"
#include "isa/HwReg.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
/// A constraint: what of it counts here.
struct Constraint {
  bool isOutput = false;
  RegFile file = RegFile::Vgpr;
  bool isImmediate = false;
  std::optional<unsigned> tied; ///< an input: the output whose register it has
};

class InlineAssembly : public OpSelector {
public:
  using OpSelector::OpSelector;
  LogicalResult select(LLVM::InlineAsmOp op);

private:
  LogicalResult refuse(const Twine &why) { return unsupported(asmOp, why); }
  LogicalResult readConstraints(StringRef text);
  LogicalResult bind(const Constraint &constraint, Type type, Value input);
  std::string withImmediates(StringRef line) const;
  LogicalResult emitLine(StringRef source);
  /// Null if the chip hasn't got it.
  const InstrDesc *descNamed(StringRef name) const {
    const Mnemonic mnemonic = mnemonicOf(name);
    return mnemonic == none || !has(mnemonic) ? nullptr : lir::descOf(chip, mnemonic);
  }
  std::optional<Operand> operandOf(StringRef word, bool isDef) const;

  LLVM::InlineAsmOp asmOp;
  SmallVector<Constraint> constraints;
  SmallVector<Operand> bound;         ///< what $0, $1, … are
  llvm::DenseSet<lir::RegId> written; ///< outputs that have a value
  bool changesExec = false;           ///< a line has, so far
};

Type resultType(LLVM::InlineAsmOp op, unsigned output, unsigned outputs) {
  Type type = op->getResult(0).getType();
  return outputs == 1 ? type : cast<LLVM::LLVMStructType>(type).getBody()[output];
}
} // namespace

/// "=v,=&s,v,0,i,~{memory}".
LogicalResult InlineAssembly::readConstraints(StringRef text) {
  SmallVector<StringRef> words;
  text.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word.starts_with("~")) {
      // The last three are x86's, which clang adds when it compiles for a host.
      if (!llvm::is_contained({"~{memory}", "~{scc}", "~{vcc}", "~{dirflag}", "~{fpsr}", "~{flags}"}, word))
        return refuse("the clobber '" + word + "'");
      continue;
    }
    Constraint constraint;
    StringRef kind = word;
    constraint.isOutput = kind.consume_front("=");
    (void)kind.consume_front("&"); // registers live as long as the instructions need them
    if (unsigned output; !kind.getAsInteger(10, output))
      constraint.tied = output;
    else if (kind == "s" || kind == "r")
      constraint.file = RegFile::Sgpr;
    else if (kind == "i" || kind == "n")
      constraint.isImmediate = true;
    else if (kind != "v" && kind != "VGPR" && kind != "^VGPR")
      return refuse("the constraint '" + word + "'");
    constraints.push_back(constraint);
  }
  return success();
}

LogicalResult InlineAssembly::bind(const Constraint &constraint, Type type, Value input) {
  if (isMask(type) || !isSelectable(type))
    return refuse("an operand of type " + [&] {
      std::string name;
      llvm::raw_string_ostream(name) << type;
      return name;
    }());
  if (constraint.isImmediate) {
    std::optional<APInt> value = values.constantInt(input);
    if (!value)
      return refuse("an immediate that isn't constant");
    bound.push_back(Operand::imm64(value->getSExtValue()));
    return success();
  }
  const unsigned words = divideCeil(storageBits(type), 32);
  if (constraint.isOutput) {
    bound.push_back(Operand::use(newReg(constraint.file, words)));
    return success();
  }
  if (constraint.tied) {
    if (*constraint.tied >= bound.size() || !bound[*constraint.tied].isReg() ||
        bound[*constraint.tied].reg.count != words)
      return refuse("a tied operand of another size");
    const Reg output = bound[*constraint.tied].reg;
    const RegFile file = fn.regs[output.id].file;
    const Reg from = tuple(get(input), file);
    emit(Pseudo::Copy, {Operand::def(output), Operand::use(from)});
    written.insert(output.id);
    bound.push_back(bound[*constraint.tied]);
    return success();
  }
  Elems elems = get(input);
  if (constraint.file == RegFile::Sgpr)
    for (Elem &elem : elems)
      elem = toSgpr(elem);
  bound.push_back(Operand::use(tuple(elems, constraint.file)));
  return success();
}

/// The number of a hardware register, by LLVM's name for it; none if the chip has no such register.
static std::optional<unsigned> hardwareRegisterNamed(const Isa &chip, StringRef name) {
  ArrayRef<const InstrDesc *> reading = chip.encodings(s_getreg_b32);
  constexpr unsigned ids = 64;
  for (unsigned id = 0; id < ids && !reading.empty(); ++id) {
    llvm::MCInst inst;
    inst.setOpcode(reading.front()->opcode);
    inst.addOperand(llvm::MCOperand::createReg(chip.registerInfo().getRegClass(0).getRegister(0)));
    inst.addOperand(llvm::MCOperand::createImm(HwRegField{id, 0, 1}.encode()));
    if (StringRef(chip.print(inst)).contains(("hwreg(" + name + ",").str()))
      return id;
  }
  return std::nullopt;
}

/// "hwreg(4, 8, 8)": of which register, from which bit on, how many (ISA manuals, s_getreg_b32). All by default.
static std::optional<Operand> hardwareRegister(const Isa &chip, StringRef word) {
  constexpr unsigned wordBits = 32, most = 63;
  if (!word.consume_front("hwreg(") || !word.consume_back(")"))
    return std::nullopt;
  SmallVector<StringRef> parts;
  word.split(parts, ',');
  unsigned numbers[] = {0, 0, wordBits};
  if (parts.empty() || parts.size() > std::size(numbers))
    return std::nullopt;
  const std::optional<unsigned> named = hardwareRegisterNamed(chip, parts.front().trim());
  for (auto [number, part] : llvm::zip(numbers, parts))
    if (part.trim().getAsInteger(0, number) && !(named && &number == numbers))
      return std::nullopt;
  numbers[0] = named.value_or(numbers[0]);
  auto [id, offset, size] = numbers;
  if (id > most || offset >= wordBits || size == 0 || size > wordBits)
    return std::nullopt;
  return Operand::imm64(HwRegField{id, offset, size}.encode());
}

/// What `separator` parts, but in parentheses and brackets.
static SmallVector<StringRef> partsOf(StringRef text, char separator) {
  SmallVector<StringRef> words;
  size_t begin = 0;
  for (size_t at = 0, depth = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : separator;
    depth += c == '(' || c == '[';
    depth -= (c == ')' || c == ']') && depth;
    if (c != separator || (depth && at < text.size()))
      continue;
    if (const StringRef word = text.slice(begin, at).trim(); !word.empty())
      words.push_back(word);
    begin = at + 1;
  }
  return words;
}

/// "$1", "-$1", "|$1|", a number, or a register of a fixed meaning.
std::optional<Operand> InlineAssembly::operandOf(StringRef word, bool isDef) const {
  if (!isDef && word.starts_with("-$")) {
    std::optional<Operand> inner = operandOf(word.drop_front(), false);
    return inner && inner->isReg() ? std::optional(inner->neg()) : std::nullopt;
  }
  if (!isDef && word.size() > 2 && word.starts_with("|") && word.ends_with("|")) {
    std::optional<Operand> inner = operandOf(word.drop_front().drop_back(), false);
    return inner && inner->isReg() ? std::optional(inner->abs()) : std::nullopt;
  }
  if (word.consume_front("$")) {
    if (word.consume_front("{") && !word.consume_back("}"))
      return std::nullopt;
    unsigned number;
    if (word.getAsInteger(10, number) || number >= bound.size() || (isDef && !bound[number].isReg()))
      return std::nullopt;
    return isDef ? Operand::def(bound[number].reg) : bound[number];
  }
  if (!isDef && word.starts_with("hwreg("))
    return hardwareRegister(chip, word);
  if (Special special = lir::specialNamed(word); special != Special::None)
    return Operand::specialReg(special, isDef);
  if (int64_t number; !isDef && !word.getAsInteger(0, number))
    return Operand::imm64(number);
  if (double number; !isDef && word.contains('.') && !word.getAsDouble(number))
    return Operand::imm64(llvm::bit_cast<int32_t>(float(number)));
  return std::nullopt;
}

/// "vmcnt(0) & lgkmcnt(0)", in any order, or a number.
static std::optional<WaitOperands> waitOf(StringRef text, const WaitEncoding &encoding) {
  WaitOperands wait;
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, " \t,&");
  for (StringRef word : words) {
    std::optional<WaitOperands> part;
    if (uint16_t number; !word.getAsInteger(0, number))
      part = encoding.decode(number), word = "";
    else
      part = encoding.read(word);
    if (!part || !word.empty())
      return std::nullopt;
    wait.counts.tighten(part->counts);
    wait.exports = std::min(wait.exports, part->exports);
  }
  return words.empty() ? std::nullopt : std::optional(wait);
}

/// With the numbers of immediate operands, which modifiers and waits may have, too: "offset:$2", "vmcnt($0)".
std::string InlineAssembly::withImmediates(StringRef line) const {
  std::string text;
  while (!line.empty()) {
    auto [before, rest] = line.split('$');
    text += before;
    if (before.size() == line.size())
      break;
    StringRef after = rest;
    const bool isBraced = after.consume_front("{");
    unsigned number;
    const bool isKnown = !after.consumeInteger(10, number) && (!isBraced || after.consume_front("}")) &&
                         number < bound.size() && bound[number].isImm();
    text += isKnown ? std::to_string(bound[number].imm) : "$";
    line = isKnown ? after : rest;
  }
  return text;
}

LogicalResult InlineAssembly::emitLine(StringRef source) {
  const std::string text = withImmediates(source);
  const StringRef line = text;
  auto [name, rest] = line.split(' ');
  for (StringRef suffix : {"_e32", "_e64"})
    (void)name.consume_back(suffix);
  const bool isNamedDpp = name.consume_back("_dpp");
  const InstrDesc *desc = descNamed(name);
  const Mnemonic mnemonic = mnemonicOf(name);
  if (!desc || desc->isBranch || desc->isCall || desc->isEndOfProgram)
    return refuse("inline assembly with '" + name + "'");
  if (desc->isWaitcnt) {
    const std::optional<WaitOperands> wait =
        mnemonic == WaitEncoding::mnemonic ? waitOf(rest, chip.counters().encoding) : std::nullopt;
    if (!wait)
      return refuse("inline assembly with '" + line + "'");
    lir::Inst inst = lir::makeWait(chip, *wait);
    lir::setDefaults(inst);
    emitInto(state.current, std::move(inst));
    return success();
  }
  // Modifiers follow the last operand, or the name; what they are decides how many operands are written.
  SmallVector<StringRef, 6> words, given; // operands and modifiers
  Modifiers modifiers;
  for (StringRef part : partsOf(rest, ','))
    for (auto [i, word] : llvm::enumerate(partsOf(part, ' '))) {
      const bool mayBeModifier = i > 0 || words.empty();
      if (mayBeModifier && lir::parseModifier(word, modifiers))
        given.push_back(word);
      else if (i > 0)
        return refuse("inline assembly with the operand '" + word + "'");
      else
        words.push_back(word);
    }
  const bool isDpp = isNamedDpp || !(modifiers.dpp == lir::Dpp());
  const bool isSdwa = modifiers.sdwaSource != Modifiers::SdwaDword;
  const Encoding encoding = isDpp ? Encoding::Dpp : isSdwa ? Encoding::Sdwa : Encoding::Plain;
  desc = lir::descOf(chip, mnemonic, encoding, modifiers);
  auto isGiven = [&](StringRef modifier) {
    return llvm::any_of(given, [&](StringRef word) { return word.starts_with(modifier); });
  };
  // Else encoding would drop them.
  const bool isLost =
      (isDpp && isSdwa) || isGiven("neg_lo:") != isGiven("neg_hi:") ||
      (isGiven("op_sel:") && desc && desc->format != Format::Vop3p && !desc->isMix && !desc->choosesByte);
  if (!desc || isLost)
    return refuse("inline assembly with '" + line + "'");
  SmallVector<Operand, 6> operands;
  for (StringRef word : words) {
    std::optional<Operand> operand = operandOf(word, operands.size() < desc->definitions);
    if (!operand)
      return refuse("inline assembly with the operand '" + word + "'");
    operands.push_back(*operand);
  }
  lir::Inst inst = lir::makeInst(chip, mnemonic, operands, modifiers, encoding);
  lir::setDefaults(inst);
  for (unsigned i = 0; i < std::min<size_t>(desc->definitions, operands.size()); ++i) {
    if (!operands[i].isReg())
      continue;
    if (desc->tiedDefinitions >> i & 1)
      inst.operands.push_back(Operand::use(operands[i].reg).implicit());
    // Lanes without a source, and those that an earlier line has turned off, keep what was there.
    const bool isFirst = written.insert(operands[i].reg.id).second;
    inst.keepsInactiveLanes |= (isDpp || changesExec) && !isFirst;
  }
  if (modifiers.lds || desc->isLdsDma) {
    inst.operands.push_back(Operand::specialReg(Special::M0).implicit());
    inst.memory = lir::MemoryKind::Lds;
    inst.mayLoad = inst.mayStore = true;
  }
  changesExec |= lir::writesExec(inst);
  // Whatever it is for, it stays where it stands.
  inst.hasSideEffects |= asmOp.getHasSideEffects();
  inst.isAssembly = true;
  emitInto(state.current, std::move(inst));
  return success();
}

LogicalResult InlineAssembly::select(LLVM::InlineAsmOp op) {
  asmOp = op;
  if (failed(readConstraints(op.getConstraints())))
    return failure();
  const unsigned outputs = llvm::count_if(constraints, [](const Constraint &c) { return c.isOutput; });
  if (outputs != 0 && op->getNumResults() == 0)
    return refuse("inline assembly with outputs in memory");
  unsigned output = 0, input = 0;
  for (const Constraint &constraint : constraints) {
    if (!constraint.isOutput && input == op.getOperands().size())
      return refuse("inline assembly with operands in memory");
    Value value = constraint.isOutput ? Value() : op.getOperands()[input++];
    const Type type = constraint.isOutput ? resultType(op, output++, outputs) : value.getType();
    if (failed(bind(constraint, type, value)))
      return failure();
  }
  SmallVector<StringRef> lines;
  op.getAsmString().split(lines, '\n');
  for (StringRef &line : lines)
    line = line.split(';').first.split("//").first.trim();
  llvm::erase_if(lines, [](StringRef line) { return line.empty(); });
  // Waits and barriers order memory, not arithmetic.
  auto ordersMemory = [&](StringRef line) {
    const InstrDesc *desc = descNamed(line.split(' ').first);
    return desc && (desc->isWaitcnt || desc->isBarrier);
  };
  if (op.getHasSideEffects() && (lines.empty() || !llvm::all_of(lines, ordersMemory)))
    emit(Pseudo::SchedBarrier).hasSideEffects = true;
  for (StringRef line : lines)
    if (failed(emitLine(line)))
      return failure();
  for (const auto &[constraint, operand] : llvm::zip(constraints, bound))
    if (constraint.isOutput && !written.contains(operand.reg.id))
      emit(Pseudo::ImplicitDef, {Operand::def(operand.reg)});
  if (!outputs)
    return success();
  Elems all;
  for (unsigned i = 0; i < outputs; ++i)
    all.append(pieces(bound[i].reg));
  set(op->getResult(0), all);
  return success();
}

void Handlers::addInlineAssembly() { add<InlineAssembly, LLVM::InlineAsmOp>(); }

} // namespace inflight::select
