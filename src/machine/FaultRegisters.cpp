#include "machine/FaultRegisters.h"

#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine {

/// One or two registers are one number, as addresses are; more are dwords, the lowest first.
static std::string valueText(ArrayRef<uint32_t> dwords) {
  if (dwords.size() == 1)
    return formatv("0x{0:x-8}", dwords[0]);
  if (dwords.size() == 2)
    return formatv("0x{0:x-16}", dwords[0] | uint64_t(dwords[1]) << 32);
  std::string text = "{";
  for (uint32_t dword : dwords)
    text += formatv("{0}0x{1:x-8}", text.size() > 1 ? ", " : "", dword);
  return text + "}";
}

std::string registersAtFault(const Code &code, const Wave &wave) {
  const uint64_t exec = wave.exec();
  std::string text =
      formatv("\n  exec 0x{0:x-16}: {1}", exec, counted(uint64_t(llvm::popcount(exec)), "active lane")).str();
  const Workgroup &group = *wave.group;
  const MCInst *inst = group.faultOp ? code.instruction(group.faultOp) : nullptr;
  if (!inst)
    return text;
  std::string scalars, vectors;
  SmallVector<RegRange, 6> shown;
  for (RegRange range : code.isa().regAccess(*inst).reads) {
    constexpr unsigned mostDwords = 4; // addresses and buffer descriptors; not the data of matrices
    const bool isScalarRange = isScalar(range.first) && range.first != regunit::ExecLo && range.first != regunit::M0;
    const bool isVector = isVgpr(range.first) || isAgpr(range.first);
    if ((!isScalarRange && !isVector) || range.count > mostDwords || is_contained(shown, range) ||
        (isVector && group.faultLane < 0))
      continue;
    shown.push_back(range);
    SmallVector<uint32_t, mostDwords> dwords;
    for (RegUnit unit = range.first; unit < range.first + range.count; ++unit)
      dwords.push_back(isVector ? wave.v[size_t(unit - regunit::Vgpr0) * Lanes + group.faultLane] : wave.s[unit]);
    std::string &line = isVector ? vectors : scalars;
    line += (line.empty() ? "" : ", ") + regName(range) + " = " + valueText(dwords);
  }
  if (!scalars.empty())
    text += "\n  " + scalars;
  if (!vectors.empty())
    text += "\n  lane " + std::to_string(group.faultLane) + ": " + vectors;
  return text;
}

} // namespace inflight::machine
