// Which units the registers of LLVM's tables are.
#include "isa/Isa.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight {

static constexpr unsigned lowerVgprs = regunit::Agpr0 - regunit::Vgpr0, lowerSgprs = regunit::FlatScratchLo;

/// By kind (first register number, registers, half), those of chips that have windows.
struct Isa::VectorRegisters {
  struct Key {
    unsigned first, count, half; ///< half: 0 for whole registers, 1 for low and 2 for high halves
    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, MCRegister> registers;
  std::map<unsigned, Key> keys; ///< by MCRegister id
};

namespace {
/// Registers of one file by their number, cut in two where the units are.
struct Parts {
  RegRange lower, upper;
};
} // namespace

static Parts parts(unsigned first, unsigned count, unsigned lowerCount, RegUnit lowerUnit, RegUnit upperUnit) {
  const unsigned end = first + count;
  Parts result;
  if (first < lowerCount)
    result.lower = {RegUnit(lowerUnit + first), uint16_t(std::min(end, lowerCount) - first)};
  if (end > lowerCount) {
    const unsigned begin = std::max(first, lowerCount);
    result.upper = {RegUnit(upperUnit + begin - lowerCount), uint16_t(end - begin)};
  }
  return result;
}

/// Takes the number at the end of "VGPR12", "VGPR12_VGPR13" or "VGPR12_LO16". Thousands of names are read before the
/// first instruction is known: StringRef's functions take ten times as long.
static std::optional<unsigned> numberIn(StringRef name, StringRef prefix) {
  if (!name.consume_front(prefix) || name.empty() || !isDigit(name.front()))
    return std::nullopt;
  unsigned index = 0;
  for (char c : name) {
    if (!isDigit(c))
      break;
    index = 10 * index + (c - '0');
  }
  return index;
}

/// How many registers from `first` on "VGPR12_VGPR13_VGPR14" names: they follow each other, so that the last one says
/// it.
static uint16_t lengthOf(StringRef name, unsigned first) {
  unsigned last = 0, place = 1;
  for (; !name.empty() && isDigit(name.back()); name = name.drop_back(), place *= 10)
    last += place * (name.back() - '0');
  return place == 1 ? 1 : uint16_t(last - first + 1);
}

/// How many registers of the kind a name has.
static uint16_t countOf(StringRef name, StringRef prefix) {
  uint16_t count = 0;
  while (name.size() > prefix.size())
    if (name.starts_with(prefix)) {
      ++count;
      name = name.drop_front(prefix.size());
    } else {
      name = name.drop_front();
    }
  return count;
}

void Isa::buildRegRanges() {
  ranges.resize(mcRegisterInfo->getNumRegs());
  if (targetInfo->hasVgprWindows || targetInfo->hasHalfRegisters)
    buildVectorRanges();
  else
    buildPlainVectorRanges();
  buildScalarRanges();
}

/// Of chips that have neither windows nor halves, by LLVM's classes: those of N bits list all tuples in their order.
/// Thousands of names are longer than compiling a small kernel.
void Isa::buildPlainVectorRanges() {
  for (const MCRegisterClass &registers : mcRegisterInfo->regclasses()) {
    StringRef name = mcRegisterInfo->getRegClassName(&registers);
    const bool isAgpr = name.consume_front("AGPR_") || name.consume_front("AReg_");
    if (!isAgpr && !name.consume_front("VGPR_") && !name.consume_front("VReg_"))
      continue;
    constexpr unsigned wordBits = 32;
    unsigned bits;
    if (name.getAsInteger(10, bits) || bits < wordBits)
      continue; // of a part of these
    const unsigned count = bits / wordBits, all = isAgpr ? targetInfo->maxAccVgprs : targetInfo->maxArchVgprs;
    for (unsigned first = 0; first < std::min<unsigned>(all, registers.getNumRegs()); ++first) {
      RegRange &range = ranges[registers.getRegister(first)];
      if (isAgpr) {
        range = {RegUnit(regunit::Agpr0 + first), uint16_t(count)};
        continue;
      }
      const Parts found = parts(first, count, lowerVgprs, regunit::Vgpr0, regunit::UpperVgpr0);
      range = found.lower.count ? found.lower : found.upper;
    }
  }
}

void Isa::buildVectorRanges() {
  auto registers = std::make_shared<VectorRegisters>();
  for (unsigned reg = 1; reg < mcRegisterInfo->getNumRegs(); ++reg) {
    const StringRef name = mcRegisterInfo->getName(reg);
    if (name[0] != 'A' && name[0] != 'V')
      continue;
    const unsigned half = name.ends_with("LO16") ? 1 : name.ends_with("HI16") ? 2 : 0;
    if (half && !targetInfo->hasHalfRegisters)
      continue;
    if (const std::optional<unsigned> first = numberIn(name, "AGPR"); first && targetInfo->maxAccVgprs && !half)
      ranges[reg] = {RegUnit(regunit::Agpr0 + *first), lengthOf(name, *first)};
    const std::optional<unsigned> first = numberIn(name, "VGPR");
    const unsigned count = half || !first ? 1 : lengthOf(name, *first);
    if (!first || *first >= targetInfo->maxArchVgprs)
      continue;
    const Parts found = parts(*first, count, lowerVgprs, regunit::Vgpr0, regunit::UpperVgpr0);
    ranges[reg] = found.lower.count ? found.lower : found.upper;
    if (found.lower.count && found.upper.count && targetInfo->hasVgprWindows)
      upperParts[reg] = found.upper;
    if (targetInfo->hasVgprWindows) {
      const VectorRegisters::Key key{*first, count, half};
      registers->registers[key] = reg;
      registers->keys[reg] = key;
    }
  }
  vectorRegisters = std::move(registers);
}

MCRegister Isa::inWindow(MCRegister reg, unsigned window) const {
  const auto known = vectorRegisters->keys.find(reg.id());
  if (known == vectorRegisters->keys.end())
    return MCRegister();
  VectorRegisters::Key key = known->second;
  key.first += window * lowerVgprs;
  const auto found = vectorRegisters->registers.find(key);
  return found == vectorRegisters->registers.end() ? MCRegister() : found->second;
}

void Isa::buildScalarRanges() {
  for (unsigned reg = 1; reg < mcRegisterInfo->getNumRegs(); ++reg) {
    RegRange &range = ranges[reg];
    // By two letters: of most registers nothing else is read.
    const char *name = mcRegisterInfo->getName(reg);
    if (range.count || ((name[0] == 'V' || name[0] == 'A') && name[1] == 'G'))
      continue;
    // The halves of scalar registers: where one is named, the register is.
    StringRef whole = name;
    if (whole.consume_back("_LO16") || whole.consume_back("_HI16"))
      if (!targetInfo->hasHalfRegisters)
        continue;
    // An encoder may take any register of a unit: those of other generations are none.
    if (whole == (targetInfo->generation > 9 ? "M0_gfxpre11" : "M0_gfx11plus"))
      continue;
    auto pieces = [&](StringRef prefix) { return countOf(whole, prefix); };
    if (const std::optional<unsigned> first = numberIn(whole, "SGPR")) {
      const Parts found = parts(*first, pieces("SGPR"), lowerSgprs, 0, regunit::Sgpr102);
      const bool hasAll = targetInfo->maxSgprs > lowerSgprs;
      range = found.lower.count || !hasAll ? found.lower : found.upper;
      if (!hasAll)
        range = {RegUnit(*first), pieces("SGPR")};
      else if (found.lower.count && found.upper.count)
        upperParts[reg] = found.upper;
    } else if (const std::optional<unsigned> index = numberIn(whole, "TTMP")) {
      // Only these generations' numbering counts: TTMP registers come as generic and per-family.
      range = {RegUnit(regunit::Ttmp0 + *index), pieces("TTMP")};
    } else {
      range = StringSwitch<RegRange>(whole)
                  .Cases({"VCC"}, {regunit::VccLo, 2})
                  .Case("VCC_LO", {regunit::VccLo, 1})
                  .Case("VCC_HI", {regunit::VccHi, 1})
                  .Case("EXEC", {regunit::ExecLo, 2})
                  .Case("EXEC_LO", {regunit::ExecLo, 1})
                  .Case("EXEC_HI", {regunit::ExecHi, 1})
                  .Cases({"M0", "M0_gfxpre11", "M0_gfx11plus"}, {regunit::M0, 1})
                  .Cases({"SCC", "SRC_SCC"}, {regunit::Scc, 1})
                  .Case("MODE", {regunit::Mode, 1})
                  .Cases({"FLAT_SCR", "FLAT_SCR_vi"}, {regunit::FlatScratchLo, 2})
                  .Cases({"FLAT_SCR_LO", "FLAT_SCR_LO_vi"}, {regunit::FlatScratchLo, 1})
                  .Cases({"FLAT_SCR_HI", "FLAT_SCR_HI_vi"}, {RegUnit(regunit::FlatScratchLo + 1), 1})
                  .Case("XNACK_MASK", {regunit::XnackMaskLo, 2})
                  .Case("XNACK_MASK_LO", {regunit::XnackMaskLo, 1})
                  .Case("XNACK_MASK_HI", {RegUnit(regunit::XnackMaskLo + 1), 1})
                  .Case("SRC_VCCZ", {regunit::VccLo, 2})
                  .Case("SRC_EXECZ", {regunit::ExecLo, 2})
                  .Default({regunit::None, 0});
    }
  }
}

} // namespace inflight
