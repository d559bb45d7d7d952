#include "isa/instr/Flops.h"

#include "isa/instr/InstrDesc.h"
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

MatrixType matrixType(const InstrDesc &desc, bool hasNarrowFactors) {
  const StringRef m = desc.mnemonic;
  if (desc.isMatrixF64)
    return MatrixType::F64;
  if (m.contains("_i32_"))
    return MatrixType::I8;
  if (m.contains("f8f6f4") || m.contains("fp8") || m.contains("bf8"))
    return hasNarrowFactors ? MatrixType::F4 : MatrixType::F8;
  if (m.contains("bf16"))
    return MatrixType::Bf16;
  if (m.contains("f16"))
    return MatrixType::F16;
  return m.contains("xf32") ? MatrixType::Xf32 : MatrixType::F32;
}

StringRef name(MatrixType type) {
  switch (type) {
  case MatrixType::F4: return "f4";
  case MatrixType::F8: return "f8";
  case MatrixType::Bf16: return "bf16";
  case MatrixType::F16: return "f16";
  case MatrixType::Xf32: return "xf32";
  case MatrixType::F32: return "f32";
  case MatrixType::F64: return "f64";
  case MatrixType::I8: return "i8";
  case MatrixType::Count: break;
  }
  return "";
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
