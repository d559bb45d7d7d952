#include "isa/DualOperands.h"

#include "isa/Isa.h"
#include "isa/OperandBits.h"

using namespace llvm;

namespace inflight {

/// "V_DUAL_MOV_B32_e32" or "FMAC_F32_e32_e96_gfx1250".
static unsigned sourcesOf(StringRef half) {
  if (half.contains("MOV_B32"))
    return 1;
  // A constant between or after the registers counts.
  return half.contains("FMAMK") || half.contains("FMAAK") || half.contains("FMA_") ? 3 : 2;
}

std::array<HalfOperands, 2> operandsOfPair(const Isa &isa, const InstrDesc &desc) {
  const unsigned modifiers = sourceModifiersType(isa);
  const MCInstrDesc &mc = isa.instrInfo().get(desc.opcode);
  const StringRef name = isa.instrInfo().getName(desc.opcode);
  const bool isLong = name.contains("_e96");
  const auto [first, second] = name.split("_X_");
  std::array<HalfOperands, 2> pair;
  unsigned next = desc.definitions;
  for (auto [half, found] : {std::pair(first, &pair[0]), std::pair(second, &pair[1])}) {
    for (unsigned left = sourcesOf(half); left > 0 && next < mc.getNumOperands(); ++next)
      if (mc.operands()[next].OperandType != modifiers) {
        found->sources.push_back(next);
        --left;
      }
    if (half.contains("FMAC") || half.contains("DOT2C"))
      found->accumulator = next++;
    // The mask of a long one, and the truth table.
    if ((isLong && half.contains("CNDMASK")) || half.contains("BITOP2"))
      ++next;
  }
  return pair;
}

} // namespace inflight
