#include "machine/wave/Code.h"

#include "isa/HwReg.h"
#include "machine/wave/DecodeOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine {

namespace {

/// Codes of operands that no instruction of these chips has.
bool isReserved(const Source &s) {
  return s.kind == Source::Scalar && s.index >= 128 && (s.index < 251 || s.index > 253);
}

/// S_SETREG of MODE's bits for VSKIP and GPR_IDX_EN; the other instructions that set them are there for nothing else.
bool mayChangeVectorMode(const InstrDesc &desc, const Op &op) {
  if (desc.id == Mnemonic::s_set_gpr_idx_on || desc.id == Mnemonic::s_setvskip)
    return true;
  const HwRegField field = HwRegField::of(op.immediate);
  return desc.setsHwReg && field.isOfMode() && (field.hasBit(27) || field.hasBit(28));
}

InstrClass classOf(const InstrDesc &desc) {
  if (desc.isWaitcnt)
    return InstrClass::Wait;
  if (desc.isBarrier)
    return InstrClass::Barrier;
  if (desc.isBranch)
    return InstrClass::Branch;
  if (desc.isMfma)
    return InstrClass::Matrix;
  if (desc.isValu())
    return InstrClass::Valu;
  switch (desc.format) {
  case Format::Sop1:
  case Format::Sop2:
  case Format::Sopc:
  case Format::Sopk: return InstrClass::Salu;
  case Format::Smem: return InstrClass::Smem;
  case Format::Ds: return InstrClass::Lds;
  case Format::Mubuf:
  case Format::Mtbuf:
  case Format::Flat: return InstrClass::Vmem;
  default: return InstrClass::Other;
  }
}

/// Lane i of the DPP source, or -1 where there is none.
int dppLane(unsigned control, int lane) {
  int row = lane & ~15, inRow = lane & 15;
  if (control <= 0xff)
    return (lane & ~3) | (control >> (2 * (lane & 3)) & 3);
  int n = control & 15;
  switch (control & 0x1f0) {
  case 0x100: return inRow + n < 16 ? lane + n : -1;
  case 0x110: return inRow - n >= 0 ? lane - n : -1;
  case 0x120: return row | ((inRow - n) & 15);
  case 0x150: return row | n;
  case 0x130:
    if (control == 0x130)
      return lane + 1 < 64 ? lane + 1 : -1;
    if (control == 0x134)
      return (lane + 1) & 63;
    if (control == 0x138)
      return lane - 1 >= 0 ? lane - 1 : -1;
    return (lane - 1) & 63;
  case 0x140:
    if (control == 0x140)
      return row | (15 - inRow);
    if (control == 0x141)
      return (lane & ~7) | (7 - (lane & 7));
    if (control == 0x142)
      return row >= 16 ? row - 1 : -1;
    return lane >= 32 ? 31 : -1;
  default: return lane;
  }
}

/// The parts of DPP that the instruction alone decides.
void resolveDpp(WrappedOp &wrapped, uint32_t word) {
  const unsigned control = word >> 8 & 0x1ff, bankMask = word >> 24 & 15, rowMask = word >> 28;
  for (int lane = 0; lane < int(Lanes); ++lane) {
    int from = dppLane(control, lane);
    wrapped.from[lane] = uint8_t(from >= 0 ? from : lane);
    wrapped.withinRows &= wrapped.from[lane] / 16 == lane / 16;
    wrapped.exists |= uint64_t(from >= 0) << lane;
    wrapped.unmasked |= uint64_t((rowMask >> (lane / 16) & 1) && (bankMask >> (lane / 4 % 4) & 1)) << lane;
  }
}

} // namespace

/// Whether a wave may have a MODE that the plain handlers don't serve: by a kernel's descriptor, or since words of the
/// code are S_SETREG of MODE (or data that looks like it).
static bool mayChangeMode(const CodeObject &object) {
  for (const Kernel &kernel : object.kernels())
    if (kernel.descriptor.mode() != mode::Plain)
      return true;
  ArrayRef<uint8_t> text = object.text();
  for (size_t at = 0; at + 4 <= text.size(); at += 4) {
    const uint32_t word = support::endian::read32le(text.data() + at), opcode = word >> 23 & 31;
    if (word >> 28 == 0xb && (opcode == 18 || opcode == 20) && (word & 63) == 1)
      return true;
  }
  return false;
}

/// What DPP or SDWA changes around an instruction.
static void wrap(WrappedOp &wrapped, Op &op, const InstrDesc &desc, const RegAccess &access, bool isDpp,
                 bool movesPairs) {
  wrapped.inner = op;
  wrapped.accumulates = desc.addsToDestination;
  op.extra = &wrapped;
  op.handler = handlerTable().lookup(isDpp ? dppHandler : sdwaHandler).handler;
  if (isDpp) {
    resolveDpp(wrapped, op.word[1]);
    op.aux = movesPairs;
    return;
  }
  // Comparisons and lane reads have no register whose parts could be chosen.
  const bool toScalar = desc.isCompare || desc.readsLane;
  for (unsigned i = 0; i < 2; ++i) {
    wrapped.inner.source[i].kind = Source::Vector;
    wrapped.inner.source[i].index = hiddenRegister + i;
  }
  if (!toScalar) {
    wrapped.inner.destination = hiddenRegister + 2;
    wrapped.writesPair = any_of(access.writes, [](RegRange r) { return r.first >= regunit::Vgpr0 && r.count == 2; });
    wrapped.inner.clamp = op.word[1] >> 13 & 1;
    wrapped.inner.outputModifier = op.word[1] >> 14 & 3;
  }
  op.aux = toScalar;
}

class Code::Builder {
public:
  Builder(Code &code, const CodeObject &object)
      : code(code), limits(code.registers), isa(code.decoded->isa()), changesMode(mayChangeMode(object)) {
    code.textAddress = object.textAddress();
    const ArrayRef<uint8_t> text = object.text();
    Op illegal;
    illegal.handler = illegalInstruction;
    code.count = text.size() / 4 + 1;
    code.ops.assign(code.count, illegal);
    for (size_t at = 0; at + 4 <= text.size(); at += 4)
      for (size_t i = 0; i < 4 && at + 4 * i + 4 <= text.size(); ++i)
        code.ops[at / 4].word[i] = support::endian::read32le(text.data() + at + 4 * i);
  }

  /// False: instructions name registers on both sides of a border that the limits don't have.
  bool run() {
    for (const DecodedText::Instruction &instruction : code.decoded->instructions())
      if (!place(instruction))
        return false;
    markExchanged();
    if (changesVectorMode)
      addIndexedCopy();
    return true;
  }

private:
  void fail(Op &op, std::string message) {
    op.handler = refusedInstruction;
    op.extra = code.messages.emplace_back(std::move(message)).c_str();
  }

  bool place(const DecodedText::Instruction &instruction) {
    const InstrDesc &desc = isa.desc(instruction.inst.getOpcode());
    Op &op = code.ops[instruction.offset / 4];
    op.slots = instruction.size / 4;
    op.instrClass = uint8_t(classOf(desc));
    if (desc.isLdsDma || (desc.isDs() && (desc.mayLoad || desc.mayStore)))
      code.ldsAccesses.push_back(code.textAddress + instruction.offset);
    std::string name = desc.mnemonic;
    if (desc.isLdsDma && desc.format == Format::Mubuf && desc.id != Mnemonic::buffer_store_lds_dword)
      name = "buffer_load_lds_" + name.substr(strlen("buffer_load_"));
    if (const char *reason = refusedReason(name)) {
      fail(op, reason);
      return true;
    }
    const auto entry = table.find(name);
    return entry == table.end() || place(op, desc, entry->second, name, instruction);
  }

  bool place(Op &op, const InstrDesc &desc, const HandlerInfo &info, StringRef name,
             const DecodedText::Instruction &instruction) {
    // The scales stand before the instruction proper, which decoding expects first.
    if (desc.takesScales) {
      std::swap(op.word[0], op.word[2]);
      std::swap(op.word[1], op.word[3]);
    }
    bool isDpp = false, isSdwa = false;
    decodeOperands(op, desc, info, isDpp, isSdwa);
    if (desc.isMfma || desc.takesEightBitFloats)
      op.aux = isa.target().hasOcpFloat8;
    if (desc.addsSinglesInMemory)
      op.aux = isa.target().memoryFlushesSingles;
    setHandler(op, desc, info, name, isSdwa);
    if (any_of(op.source, isReserved)) {
      op.handler = illegalInstruction;
      return true;
    }
    changesVectorMode |= mayChangeVectorMode(desc, op);
    const RegAccess access = isa.regAccess(instruction.inst);
    if (limits.isOneFile && named.add(access, limits))
      return false;
    const RegisterUse use = limits.apply(op, desc, access, isDpp);
    if (!use.error.empty()) {
      fail(op, use.error);
      return true;
    }
    if (desc.isValu() || desc.isVmem() || desc.isDs())
      vectorOps.push_back({instruction.offset / 4, limits.indexable(op, desc, access, isDpp)});
    if (use.isNullified) {
      op.handler = [](Wave &, const Op &) {};
      return true;
    }
    // Scratch: later chips say in a bit of their own whether VADDR counts.
    if (desc.isFlatScratch) {
      const bool usesVaddr = isa.target().hasScratchVaddrBit ? op.word[0] >> 13 & 1 : !(op.flags & flag::HasSaddr);
      op.flags |= usesVaddr ? flag::Idxen : 0;
    }
    if (isDpp || isSdwa)
      wrap(code.wrapped.emplace_back(), op, desc, access, isDpp, info.sourceBits[0] == 64);
    if (info.exchanges)
      exchanges.push_back(&instruction - code.decoded->instructions().data());
    return true;
  }

  /// Atomics on a part of a dword are loops that begin with a load of the dword, whose address stays in its registers.
  void markExchanged() {
    constexpr size_t farthest = 64;
    enum { Vector, Scalar };
    const auto &instructions = code.decoded->instructions();
    for (const size_t number : exchanges) {
      const Op &exchange = code.ops[instructions[number].offset / 4];
      bool changes[2] = {false, false};
      for (size_t i = number; i > 0 && number - i < farthest && !changes[Scalar]; --i) {
        const DecodedText::Instruction &instruction = instructions[i - 1];
        Op &op = code.ops[instruction.offset / 4];
        const InstrDesc &desc = isa.desc(instruction.inst.getOpcode());
        if (isScalarLoadOfSame(op, desc, exchange) || (!changes[Vector] && isLoadOfSame(op, desc, exchange)))
          op.flags |= flag::Exchanged;
        for (RegRange range : isa.regAccess(instruction.inst).writes)
          if (isInAddress(range, exchange))
            changes[range.first >= regunit::Vgpr0 ? Vector : Scalar] = true;
      }
    }
  }

  static constexpr uint8_t addressFlags = flag::Offen | flag::Idxen | flag::HasSaddr;
  static bool isLoadOfSame(const Op &op, const InstrDesc &desc, const Op &exchange) {
    auto isSame = [](const Source &a, const Source &b) {
      return a.kind == b.kind && a.index == b.index && a.value == b.value;
    };
    return desc.isVmem() && desc.mayLoad && !desc.mayStore && desc.access.bytes == 4 &&
           op.word[0] >> 26 == exchange.word[0] >> 26 && op.immediate == exchange.immediate &&
           (op.flags & addressFlags) == (exchange.flags & addressFlags) && isSame(op.source[0], exchange.source[0]) &&
           isSame(op.source[1], exchange.source[1]) && isSame(op.source[2], exchange.source[2]);
  }
  /// One lane's place: the exchange has it in scalar registers and adds a vector register that is zero.
  static bool isScalarLoadOfSame(const Op &op, const InstrDesc &desc, const Op &exchange) {
    return desc.isSmem() && desc.mayLoad && !desc.mayStore && desc.access.bytes == 4 && !(op.flags & flag::HasSaddr) &&
           exchange.flags & flag::HasSaddr && op.source[0].index == exchange.source[1].index &&
           op.immediate == exchange.immediate;
  }
  static bool isInAddress(RegRange range, const Op &op) {
    const bool isFlat = op.word[0] >> 26 == 0x37;
    // A descriptor has four registers, and the offset after it one; all other addresses have two at most.
    const unsigned counts[] = {2, isFlat ? 2u : 4u, 1};
    for (unsigned i = 0; i < 3; ++i) {
      const Source &source = op.source[i];
      const unsigned first = source.kind == Source::Vector ? regunit::Vgpr0 + source.index : source.index;
      if (source.kind != Source::Constant && range.first < first + counts[i] && first < range.first + range.count)
        return true;
    }
    return false;
  }

  void setHandler(Op &op, const InstrDesc &desc, const HandlerInfo &info, StringRef name, bool isSdwa) {
    op.handler = info.handler;
    const bool sdwaClamps = isSdwa && !desc.isCompare && op.word[1] >> 13 & 1;
    if (op.clamp || sdwaClamps)
      if (auto saturating = table.find((name + ".clamp").str()); saturating != table.end())
        op.handler = saturating->second.handler;
    if (!changesMode || op.extra)
      return;
    if (FloatRules rules = floatRules(desc.mnemonic); rules.any()) {
      op.extra = &code.modeOps.emplace_back(ModeOp{op.handler, rules, desc.id == Mnemonic::v_fma_mixhi_f16});
      op.handler = table.lookup(modeHandler).handler;
    }
  }

  /// The copy of the code that heeds MODE.VSKIP and MODE.GPR_IDX_EN.
  void addIndexedCopy() {
    code.ops.reserve(2 * code.count);
    for (size_t i = 0; i < code.count; ++i)
      code.ops.push_back(code.ops[i]);
    for (auto &[place, info] : vectorOps) {
      IndexableOp &kept = code.indexable.emplace_back(info);
      kept.plain = &code.ops[place];
      Op &op = code.ops[code.count + place];
      op.handler = table.lookup(indexedHandler).handler;
      op.extra = &kept;
    }
  }

  Code &code;
  const RegisterLimits &limits;
  const Isa &isa;
  const HandlerTable &table = handlerTable();
  const bool changesMode;
  bool changesVectorMode = false;
  RegistersNamed named;
  std::vector<std::pair<size_t, IndexableOp>> vectorOps; ///< vector instructions by their place
  std::vector<size_t> exchanges;                         ///< numbers of instructions
};

Expected<Code> Code::decode(const CodeObject &object, const KernelDescriptor &descriptor) {
  if (Error error = requireExecuted(object.chip()))
    return std::move(error);
  Expected<const Isa *> isa = Isa::get(object.chip());
  if (!isa)
    return isa.takeError();
  const auto decoded = std::make_shared<const DecodedText>(**isa, object.text(), object.textAddress());
  for (const bool isOneFile : {true, false}) {
    Code code(RegisterLimits(descriptor, isOneFile), decoded);
    if (Builder(code, object).run())
      return std::move(code);
  }
  llvm_unreachable("with a border it is decoded");
}

bool Code::accessesLds(uint64_t address, uint64_t bytes) const {
  const auto first = lower_bound(ldsAccesses, address);
  return first != ldsAccesses.end() && *first - address < bytes;
}

void Code::forEachInstruction(function_ref<void(const Op &, const Isa &, const MCInst &)> visit) const {
  for (const DecodedText::Instruction &instruction : decoded->instructions())
    visit(ops[instruction.offset / 4], decoded->isa(), instruction.inst);
}

const MCInst *Code::instruction(const Op *op) const { return decoded->at(addressOf(op) - textAddress); }

std::string Code::text(const Op *op) const {
  const MCInst *inst = instruction(op);
  return inst ? decoded->isa().print(*inst, addressOf(op)) : "data";
}

const InstrDesc *Code::describe(const Op *op) const {
  const MCInst *inst = instruction(op);
  return inst ? &decoded->isa().desc(inst->getOpcode()) : nullptr;
}

} // namespace inflight::machine
