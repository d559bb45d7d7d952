// Which VGPRs the codes of operands mean on chips with more than 256: S_SET_VGPR_MSB, or MODE, has the upper two bits
// of their numbers, for each operand's place (LLVM, AMDGPUBaseInfo.cpp, getVGPRLoweringOperandTables).
#include "program/Program.h"

#include "isa/DualOperands.h"
#include "isa/HwReg.h"
#include "isa/OperandBits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

namespace {

constexpr unsigned placeCount = 4, destination = 3;

/// The windows of sources 0 to 2 and of the destination, between two instructions; nothing: not known.
struct Windows {
  std::array<std::optional<uint8_t>, placeCount> of{0, 0, 0, 0};
  bool operator==(const Windows &) const = default;
  static Windows unknown() {
    Windows windows;
    windows.of.fill(std::nullopt);
    return windows;
  }
  void meet(const Windows &other) {
    for (unsigned place = 0; place < placeCount; ++place)
      if (of[place] != other.of[place])
        of[place] = std::nullopt;
  }
  bool areFirst() const { return *this == Windows(); }
};

class Finder {
public:
  explicit Finder(const Program &program)
      : program(program), modifiers(sourceModifiersType(program.isa())), entry(program.blocks().size()) {
    auto enter = [&](uint32_t block, const Windows &windows) {
      Windows met = entry[block].value_or(windows);
      met.meet(windows);
      if (entry[block] == met)
        return;
      entry[block] = met;
      work.push_back(block);
    };
    // Kernels and functions begin with the first windows (LLVM, AMDGPULowerVGPREncoding.cpp).
    for (const Function &function : program.functions())
      enter(function.entry, Windows());
    if (any_of(program.blocks(), [](const Block &block) { return block.ending == BlockEnd::UnknownJump; }))
      for (uint32_t block = 0; block < program.blocks().size(); ++block)
        enter(block, Windows::unknown());
    while (!work.empty()) {
      const uint32_t at = work.pop_back_val();
      const Block &block = program.blocks()[at];
      Windows windows = *entry[at];
      for (uint32_t i = block.begin; i < block.end; ++i)
        step(i, windows);
      // Callees leave the first windows, as they find them (LLVM, AMDGPULowerVGPREncoding.cpp: before calls and
      // returns).
      if (block.ending == BlockEnd::UnknownCall)
        windows = Windows();
      for (const Edge &edge : block.successors)
        enter(edge.block, windows);
    }
  }

  /// Calls `see(instruction, windows)` for each that something reaches.
  template <typename See> void forEach(See see) const {
    for (uint32_t at = 0; at < program.blocks().size(); ++at) {
      if (!entry[at])
        continue;
      Windows windows = *entry[at];
      for (uint32_t i = program.blocks()[at].begin; i < program.blocks()[at].end; ++i) {
        if (!windows.areFirst())
          see(i, windows);
        step(i, windows);
      }
    }
  }

  /// Gives the instruction's operands their registers. False when a window that it needs isn't known.
  bool apply(const InstrDesc &desc, MCInst &inst, const Windows &windows) const {
    bool isKnown = true;
    forEachPlace(desc, inst, [&](MCOperand &operand, unsigned place) {
      const MCRegister lower = operand.getReg();
      if (!program.isa().inWindow(lower, 0) || windows.of[place] == 0)
        return;
      if (const MCRegister there = windows.of[place] ? program.isa().inWindow(lower, *windows.of[place]) : MCRegister())
        operand.setReg(there);
      else
        isKnown = false;
    });
    return isKnown;
  }

private:
  /// Calls `see(operand, place)` for each register operand to which a window applies.
  template <typename See> void forEachPlace(const InstrDesc &desc, MCInst &inst, See see) const {
    auto visit = [&](unsigned i, unsigned place) {
      if (i < inst.getNumOperands() && inst.getOperand(i).isReg() && inst.getOperand(i).getReg())
        see(inst.getOperand(i), place);
    };
    if (desc.isValu())
      return forEachOfValu(desc, inst, visit);
    for (unsigned i = 0; i < desc.definitions; ++i)
      visit(i, destination);
    SmallVector<unsigned, 4> sources; // VGPRs in their order
    for (unsigned i = desc.definitions; i < inst.getNumOperands(); ++i)
      if (inst.getOperand(i).isReg() && program.isa().inWindow(inst.getOperand(i).getReg(), 0))
        sources.push_back(i);
    if (desc.format == Format::Mubuf || desc.format == Format::Mtbuf) {
      // Data is data, whether it comes or goes.
      const bool isDataFirst = !desc.definitions && (desc.mayStore || desc.isAtomic());
      for (unsigned number = 0; number < sources.size(); ++number)
        visit(sources[number], isDataFirst && number == 0      ? destination
                               : isTied(desc, sources[number]) ? destination
                                                               : 0);
      return;
    }
    // An asynchronous copy to LDS has the LDS address where a load has its result, and LLVM counts it as a source.
    if (desc.isLdsDma && desc.isCountedAsync) {
      for (unsigned number = 0; number < sources.size(); ++number)
        visit(sources[number], number ? number - 1 : destination);
      return;
    }
    // An address may be left out, data isn't.
    const bool isDataOnly =
        sources.size() == 1 && desc.format == Format::Flat && !desc.definitions && desc.mayStore && !desc.mayLoad;
    for (unsigned number = 0; number < sources.size() && number < destination; ++number)
      visit(sources[number], isDataOnly ? 1 : number);
  }

  template <typename Visit> void forEachOfValu(const InstrDesc &desc, const MCInst &inst, Visit visit) const {
    // An instruction that hands over scales has none; of one with scales their registers are the last.
    if (desc.loadsWmmaScales)
      return;
    for (unsigned i = 0; i < desc.definitions; ++i)
      visit(i, destination);
    if (desc.format == Format::Vopd) {
      for (const HalfOperands &half : operandsOfPair(program.isa(), desc)) {
        for (const auto &[place, i] : enumerate(half.sources))
          visit(i, place);
        if (half.accumulator)
          visit(*half.accumulator, destination);
      }
      return;
    }
    const MCInstrDesc &mc = program.isa().instrInfo().get(desc.opcode);
    unsigned place = 0;
    for (unsigned i = desc.definitions; i < mc.getNumOperands() && place < destination; ++i) {
      if (mc.operands()[i].OperandType == modifiers)
        continue;
      // A matrix instruction's third source has a field of its own even where it is the result.
      if (!desc.isWmma && isTied(desc, i)) {
        visit(i, destination);
        continue;
      }
      visit(i, place++);
    }
  }

  bool isTied(const InstrDesc &desc, unsigned i) const {
    const MCInstrDesc &mc = program.isa().instrInfo().get(desc.opcode);
    return i < mc.getNumOperands() && mc.getOperandConstraint(i, MCOI::TIED_TO) >= 0;
  }

  void step(uint32_t i, Windows &windows) const {
    const InstrDesc *desc = program.instructions()[i].desc;
    if (!desc)
      return;
    const MCInst &inst = program.inst(i);
    if (desc->id == Mnemonic::s_set_vgpr_msb) {
      const MCOperand &bits = inst.getOperand(0);
      for (unsigned place = 0; place < placeCount; ++place)
        windows.of[place] = bits.isImm() ? std::optional<uint8_t>(bits.getImm() >> (2 * place) & 3) : std::nullopt;
    } else if (desc->setsHwReg && setsMode(inst)) {
      // Whichever bits of MODE are meant, those of the windows are taken from the constant, too (LLVM,
      // FeatureSetregVGPRMSBFixup): the destination's first.
      constexpr unsigned firstBit = 12, order[placeCount] = {destination, 0, 1, 2};
      const MCOperand &value = inst.getOperand(0);
      for (unsigned field = 0; field < placeCount; ++field)
        windows.of[order[field]] =
            value.isImm() ? std::optional<uint8_t>(value.getImm() >> (firstBit + 2 * field) & 3) : std::nullopt;
    }
  }

  static bool setsMode(const MCInst &inst) {
    const MCOperand &field = inst.getOperand(inst.getNumOperands() - 1);
    return !field.isImm() || HwRegField::of(field.getImm()).isOfMode();
  }

  const Program &program;
  const unsigned modifiers;
  std::vector<std::optional<Windows>> entry; ///< by block; nothing: nothing reaches it
  SmallVector<uint32_t, 16> work;
};

} // namespace

void Program::applyVgprWindows() {
  if (!isa().target().hasVgprWindows)
    return;
  const Finder finder(*this);
  finder.forEach([&](uint32_t i, const Windows &windows) {
    Instruction &instruction = theInstructions[i];
    if (!instruction.desc)
      return;
    MCInst moved = inst(i);
    instruction.isWindowOpen = !finder.apply(*instruction.desc, moved, windows);
    const uint32_t begin = instruction.firstRange;
    std::vector<RegRange> now;
    uint8_t reads, writes;
    isa().appendRegAccess(moved, now, reads, writes);
    const ArrayRef<RegRange> before = ArrayRef(ranges).slice(begin, instruction.readCount + instruction.writeCount);
    if (ArrayRef(now) == before)
      return;
    // Others than before: they stand at the end.
    if (instOf.empty()) {
      insts[i] = std::move(moved);
    } else { // others that it shares one with may have other windows
      instOf[i] = insts.size();
      insts.push_back(std::move(moved));
    }
    instruction.firstRange = ranges.size();
    instruction.readCount = reads;
    instruction.writeCount = writes;
    ranges.insert(ranges.end(), now.begin(), now.end());
  });
}

} // namespace inflight
