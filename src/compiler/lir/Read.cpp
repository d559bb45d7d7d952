#include "compiler/lir/Read.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::lir {

static MemoryKind memoryOf(const InstrDesc &desc) {
  if (desc.isLdsDma || (desc.isDs() && !desc.isLdsCrossbar))
    return MemoryKind::Lds;
  if (desc.isSmem())
    return MemoryKind::Constant;
  if (desc.isFlatScratch)
    return MemoryKind::Scratch;
  return desc.isVmem() && (desc.mayLoad || desc.mayStore) ? MemoryKind::Global : MemoryKind::None;
}

void setDefaults(Inst &inst) {
  erase_if(inst.operands, [](const Operand &operand) { return operand.isImplicit; });
  if (!inst.desc) {
    inst.memory = MemoryKind::None;
    inst.hasSideEffects = inst.isFence() || inst.is(Pseudo::SchedBarrier);
    return;
  }
  const InstrDesc &desc = *inst.desc;
  inst.memory = memoryOf(desc);
  inst.mayLoad = desc.mayLoad && (desc.isDs() || inst.memory != MemoryKind::None);
  inst.mayStore = (desc.mayStore && inst.memory != MemoryKind::None) || desc.isLdsDma;
  inst.isTerminator = desc.isBranch || desc.isEndOfProgram;
  inst.hasSideEffects = inst.isTerminator || desc.isBarrier || desc.isWaitcnt || desc.isNop ||
                        desc.writesBackVectorCache || desc.invalidatesVectorCache || writesExec(inst);
  auto namesScc = [](ArrayRef<RegRange> ranges) { return is_contained(ranges, RegRange{regunit::Scc, 1}); };
  if (namesScc(desc.implicitReads))
    inst.operands.push_back(Operand::specialReg(Special::Scc).implicit());
  if (namesScc(desc.implicitWrites))
    inst.operands.push_back(Operand::specialReg(Special::Scc, true).implicit());
  if (desc.isValu() || desc.isDs() || desc.isVmem())
    inst.operands.push_back(Operand::specialReg(Special::Exec).implicit());
}

namespace {

class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}

  Expected<Function> run() {
    for (StringRef line : split(text, '\n')) {
      ++number;
      line = line.rtrim();
      if (line.trim().empty() || line.trim().starts_with("//"))
        continue;
      const bool ok = line.consume_front("function ")    ? readHeader(line)
                      : !function.isa                    ? false
                      : line.consume_front("registers ") ? readRegisters(line)
                      : line.consume_front("block ")     ? readBlock(line)
                      : function.blocks.empty()          ? false
                                                         : readInst(line.trim());
      if (!ok)
        return makeError("line " + Twine(number) + ": not LIR: '" + line.trim() + "'");
    }
    if (!function.isa)
      return makeError("no function");
    return std::move(function);
  }

private:
  bool readHeader(StringRef line) {
    SmallVector<StringRef> words;
    line.split(words, ' ', -1, false);
    if (words.size() < 3 || words[1] != "chip")
      return false;
    Expected<const Isa *> isa = Isa::get(words[2]);
    if (!isa) {
      consumeError(isa.takeError());
      return false;
    }
    function.name = words[0].str();
    function.isa = *isa;
    for (size_t i = 3; i < words.size(); i += 2) {
      unsigned *field = i + 1 == words.size()   ? nullptr
                        : words[i] == "lanes"   ? &function.maxWorkgroupSize
                        : words[i] == "lds"     ? &function.ldsBytes
                        : words[i] == "scratch" ? &function.scratchBytes
                                                : nullptr;
      if (!field || words[i + 1].getAsInteger(10, *field))
        return false;
    }
    return true;
  }

  /// %v3:4 or, with a fixed place, %s0:2=s[0:1].
  bool readRegisters(StringRef line) {
    SmallVector<StringRef> words;
    line.split(words, ' ', -1, false);
    for (StringRef word : words) {
      auto [name, place] = word.split('=');
      auto [reg, width] = name.split(':');
      unsigned count = 1;
      RegId id;
      if (!readRegister(reg, id) || !reg.empty() || (!width.empty() && width.getAsInteger(10, count)) || !count)
        return false;
      function.regs[id].width = count;
      function.regs[id].alignment = tupleAlignment(*function.isa, function.regs[id].file, count);
      if (RegRange range; !place.empty()) {
        if (!readPhysical(place, range) || !place.empty())
          return false;
        function.regs[id].fixed = range.first;
      }
    }
    return true;
  }

  bool readBlock(StringRef line) {
    auto [head, successors] = line.split(" ->");
    unsigned index;
    if (head.getAsInteger(10, index) || index != function.blocks.size())
      return false;
    Block &block = function.blocks.emplace_back();
    SmallVector<StringRef> words;
    successors.split(words, ' ', -1, false);
    for (size_t i = 0; i < words.size(); ++i) {
      unsigned value = 0;
      if (words[i] == "header") {
        block.isLoopHeader = true;
      } else if (words[i] == "depth") {
        ++i;
        if (i == words.size() || words[i].getAsInteger(10, block.loopDepth))
          return false;
      } else if (words[i].getAsInteger(10, value)) {
        return false;
      } else {
        block.successors.push_back(value);
      }
    }
    return true;
  }

  /// %v12: numbered as printed.
  bool readRegister(StringRef &rest, RegId &id) {
    if (!rest.consume_front("%") || rest.empty())
      return false;
    const RegFile file = rest[0] == 's' ? RegFile::Sgpr : rest[0] == 'a' ? RegFile::Agpr : RegFile::Vgpr;
    rest = rest.drop_front();
    if (rest.consumeInteger(10, id) || id > mostRegisters)
      return false;
    while (function.regs.size() <= id)
      function.newReg(file);
    if (!isNamed(id)) {
      named.resize(function.regs.size());
      named[id] = true;
      function.regs[id].file = file;
    }
    return function.regs[id].file == file;
  }
  bool isNamed(RegId id) const { return id < named.size() && named[id]; }

  /// v4, s[2:3], a0.
  static bool readPhysical(StringRef &rest, RegRange &range) {
    if (rest.size() < 2)
      return false;
    const RegUnit base = rest[0] == 'v' ? regunit::Vgpr0 : rest[0] == 'a' ? regunit::Agpr0 : RegUnit(0);
    if (!StringRef("vas").contains(rest[0]))
      return false;
    StringRef after = rest.drop_front();
    unsigned first, last;
    if (after.consume_front("[")) {
      if (after.consumeInteger(10, first) || !after.consume_front(":") || after.consumeInteger(10, last) ||
          !after.consume_front("]"))
        return false;
    } else {
      if (after.consumeInteger(10, first))
        return false;
      last = first;
    }
    range = {RegUnit(base + first), uint16_t(last - first + 1)};
    rest = after;
    return last >= first;
  }

  bool readOperand(StringRef &rest, Operand &operand) {
    const WaitEncoding &waits = function.isa->counters().encoding;
    if (const std::optional<WaitOperands> wait = waits.read(rest)) {
      operand = Operand::wait(waits.encode(*wait));
      return true;
    }
    const bool isNegatedConstant = rest.consume_front("neg(");
    const bool negate = isNegatedConstant || (rest.size() > 1 && rest[0] == '-' && !isDigit(rest[1]));
    if (negate && !isNegatedConstant)
      rest = rest.drop_front();
    const bool absolute = rest.consume_front("|");
    if (!readPlainOperand(rest, operand) || (absolute && !rest.consume_front("|")) ||
        (isNegatedConstant && !rest.consume_front(")")))
      return false;
    operand.negate = negate;
    operand.absolute = absolute;
    return true;
  }

  bool readPlainOperand(StringRef &rest, Operand &operand) {
    if (rest.starts_with("%")) {
      Reg reg;
      if (!readRegister(rest, reg.id))
        return false;
      reg = function.whole(reg.id);
      if (rest.consume_front("[")) {
        unsigned first, last;
        if (rest.consumeInteger(10, first))
          return false;
        last = first;
        if ((rest.consume_front(":") && rest.consumeInteger(10, last)) || !rest.consume_front("]") || last < first)
          return false;
        reg = {reg.id, uint8_t(first), uint8_t(last - first + 1)};
      }
      operand = Operand::use(reg);
      return true;
    }
    if (rest.starts_with(".L")) {
      const StringRef word = rest.take_until([](char c) { return c == ',' || c == ' '; });
      unsigned block;
      if (word.rsplit('_').second.getAsInteger(10, block))
        return false;
      rest = rest.drop_front(word.size());
      operand = Operand::block(block);
      return true;
    }
    const StringRef word = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    const Special special = specialNamed(word);
    if (special != Special::None) {
      rest = rest.drop_front(word.size());
      operand = Operand::specialReg(special);
      return true;
    }
    if (RegRange range; readPhysical(rest, range)) {
      operand = Operand::physicalReg(range);
      return true;
    }
    uint64_t wide;
    const bool isHex = rest.starts_with("0x");
    if (isHex ? rest.consumeInteger(0, wide) : rest.consumeInteger(10, operand.imm))
      return false;
    if (isHex)
      operand = Operand::imm64(isUInt<32>(wide) ? int64_t(int32_t(wide)) : int64_t(wide));
    return true;
  }

  bool readInst(StringRef line) {
    auto [code, comment] = line.split(" ;");
    code = code.rtrim();
    const StringRef name = code.take_until([](char c) { return c == ' '; });
    StringRef rest = code.drop_front(name.size()).ltrim();
    Inst inst;
    inst.pseudo = pseudoNamed(name);
    SmallVector<Operand, 6> operands;
    // Modifiers have a colon or are words that no operand is.
    auto isModifier = [](StringRef text) {
      Modifiers unused;
      return parseModifier(text.take_until([](char c) { return c == ' '; }), unused);
    };
    while (!rest.empty() && !isModifier(rest)) {
      Operand operand;
      const bool isExtended = rest.consume_front("sext(");
      if (!readOperand(rest, operand) || (isExtended && !rest.consume_front(")")))
        return false;
      inst.modifiers.sdwaSigned |= isExtended;
      operands.push_back(operand);
      if (!rest.consume_front(","))
        break;
      rest = rest.ltrim();
    }
    SmallVector<StringRef> words;
    rest.split(words, ' ', -1, false);
    for (StringRef word : words)
      if (!parseModifier(word, inst.modifiers))
        return false;
    unsigned definitions = inst.isValuePseudo();
    if (inst.pseudo == Pseudo::None) {
      StringRef plain = name;
      const Encoding encoding = plain.consume_back("_dpp")    ? Encoding::Dpp
                                : plain.consume_back("_sdwa") ? Encoding::Sdwa
                                                              : Encoding::Plain;
      inst.desc = descOf(*function.isa, mnemonicOf(plain), encoding, inst.modifiers);
      if (!inst.desc)
        return false;
      definitions = inst.desc->definitions;
    }
    inst.operands = operands;
    for (unsigned i = 0; i < std::min<size_t>(definitions, operands.size()); ++i)
      inst.operands[i].isDef = true;
    setDefaults(inst);
    if (!readComments(comment, inst))
      return false;
    function.blocks.back().insts.push_back(std::move(inst));
    return true;
  }

  bool readComments(StringRef comment, Inst &inst) {
    SmallVector<StringRef> parts;
    comment.split(parts, ';', -1, false);
    for (StringRef part : parts) {
      part = part.trim();
      if (part == "keeps inactive lanes") {
        inst.keepsInactiveLanes = true;
      } else if (part.consume_front("LDS ")) {
        auto [begin, end] = part.split(" to ");
        if (begin.getAsInteger(10, inst.lds.begin) || end.getAsInteger(10, inst.lds.end))
          return false;
      } else if (part.consume_front("does")) {
        readEffects(part, inst);
      } else if (part.consume_front("implicit")) {
        if (!readImplicit(part.trim(), inst))
          return false;
      } else {
        return false;
      }
    }
    return true;
  }

  static void readEffects(StringRef part, Inst &inst) {
    SmallVector<StringRef> words;
    part.split(words, ' ', -1, false);
    auto says = [&](StringRef word) { return is_contained(words, word); };
    inst.memory = says("global")      ? MemoryKind::Global
                  : says("lds")       ? MemoryKind::Lds
                  : says("scratch")   ? MemoryKind::Scratch
                  : says("constant")  ? MemoryKind::Constant
                  : says("unwritten") ? MemoryKind::Unwritten
                  : says("spilled")   ? MemoryKind::Spilled
                                      : MemoryKind::None;
    inst.mayLoad = says("load");
    inst.mayStore = says("store");
    inst.hasSideEffects = says("effects");
    inst.isTerminator = says("end");
    inst.earlyClobber = says("early");
  }

  /// The implicit operands in place of the usual ones; a definition has a `!`.
  bool readImplicit(StringRef part, Inst &inst) {
    erase_if(inst.operands, [](const Operand &operand) { return operand.isImplicit; });
    while (!part.empty()) {
      Operand operand;
      if (!readPlainOperand(part, operand))
        return false;
      operand.isDef = part.consume_front("!");
      inst.operands.push_back(operand.implicit());
      part = part.ltrim();
    }
    return true;
  }

  static constexpr RegId mostRegisters = 1 << 20;
  StringRef text;
  unsigned number = 0;
  Function function;
  std::vector<bool> named; ///< by RegId
};

} // namespace

Expected<Function> read(StringRef text) { return Reader(text).run(); }

} // namespace inflight::lir
