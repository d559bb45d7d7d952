#include "isa/Flops.h"

#include "isa/InstrDesc.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace inflight {

unsigned matrixFlops(const InstrDesc &desc, unsigned resultRegisters, unsigned lanes) {
  static const Regex shape("_[0-9]+x[0-9]+x([0-9]+)");
  SmallVector<StringRef, 2> parts;
  unsigned depth = 0;
  if (!shape.match(desc.mnemonic, &parts) || parts[1].getAsInteger(10, depth))
    return 0;
  return 2 * depth * resultRegisters * lanes / (desc.isMatrixF64 ? 2 : 1);
}

unsigned laneFlops(const InstrDesc &desc) {
  const StringRef m = desc.mnemonic;
  if (!m.contains("_f32") && !m.contains("_f64") && !m.contains("_f16") && !m.contains("_bf16"))
    return 0;
  const unsigned packed = desc.isPacked ? 2 : 1;
  if (m.contains("fma") || m.contains("_mac_") || m.contains("_mad_"))
    return 2 * packed;
  if (m.contains("_add_") || m.contains("_sub_") || m.contains("_mul_") || m.contains("_subrev_"))
    return packed;
  return m.starts_with("v_dot2") ? 4 : 0;
}

} // namespace inflight
