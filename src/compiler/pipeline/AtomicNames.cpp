#include "compiler/pipeline/Atomics.h"

#include "compiler/lanes/MemorySpaces.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace inflight {

unsigned atomicBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType().isIntOrFloat() ? vector.getNumElements() * vector.getElementTypeBitWidth() : 0;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

static std::string atomicName(LLVM::AtomicBinOp kind, Type type, unsigned space, bool returns) {
  const bool isDs = space == ldsSpace;
  const unsigned bits = atomicBits(type);
  Type element = getElementTypeOrSelf(type);
  const bool packed = mlir::isa<VectorType>(type);
  const std::string prefix = isDs ? "ds_" : space == bufferSpace ? "buffer_atomic_" : "global_atomic_";
  if ((bits != 32 && bits != 64) || space == privateSpace)
    return "";
  auto integer = [&](StringRef global, StringRef ds, StringRef dsType) -> std::string {
    if (!element.isInteger() || packed)
      return "";
    return prefix + (isDs ? (ds + (returns ? "_rtn_" : "_") + dsType + Twine(bits)).str()
                          : (global + (bits == 64 ? "_x2" : "")).str());
  };
  switch (kind) {
  case LLVM::AtomicBinOp::add: return integer("add", "add", "u");
  case LLVM::AtomicBinOp::sub: return integer("sub", "sub", "u");
  case LLVM::AtomicBinOp::_and: return integer("and", "and", "b");
  case LLVM::AtomicBinOp::_or: return integer("or", "or", "b");
  case LLVM::AtomicBinOp::_xor: return integer("xor", "xor", "b");
  case LLVM::AtomicBinOp::max: return integer("smax", "max", "i");
  case LLVM::AtomicBinOp::min: return integer("smin", "min", "i");
  case LLVM::AtomicBinOp::umax: return integer("umax", "max", "u");
  case LLVM::AtomicBinOp::umin: return integer("umin", "min", "u");
  case LLVM::AtomicBinOp::uinc_wrap: return integer("inc", "inc", "u");
  case LLVM::AtomicBinOp::udec_wrap: return integer("dec", "dec", "u");
  case LLVM::AtomicBinOp::xchg:
    return prefix + (isDs ? "wrxchg_rtn_b" + std::to_string(bits) : bits == 64 ? "swap_x2" : "swap");
  case LLVM::AtomicBinOp::fadd: {
    std::string suffix = element.isF32()    ? "f32"
                         : element.isF64()  ? "f64"
                         : element.isF16()  ? "f16"
                         : element.isBF16() ? "bf16"
                                            : "";
    if (suffix.empty() || packed != (element.isF16() || element.isBF16()))
      return "";
    return prefix + (packed ? "pk_add" : "add") + (isDs && returns ? "_rtn_" : "_") + suffix;
  }
  case LLVM::AtomicBinOp::fmax:
  case LLVM::AtomicBinOp::fmin: {
    std::string name = kind == LLVM::AtomicBinOp::fmax ? "max" : "min";
    if (packed)
      return "";
    if (isDs)
      return prefix + name + (returns ? "_rtn_f" : "_f") + std::to_string(bits);
    return bits == 64 ? prefix + name + "_f64" : "";
  }
  default: return "";
  }
}

Mnemonic atomicMnemonic(LLVM::AtomicRMWOp op) {
  return mnemonicOf(
      atomicName(op.getBinOp(), op.getVal().getType(), addressSpaceOf(op.getPtr()), !op.getRes().use_empty()));
}

bool isAtomicInstruction(const Isa &isa, LLVM::AtomicRMWOp op) { return !isa.encodings(atomicMnemonic(op)).empty(); }

} // namespace inflight
