// Atomic operations on memory.
#include "compiler/select/Select.h"
#include "compiler/select/Selector.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace inflight {

static unsigned bitsOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType().isIntOrFloat() ? vector.getNumElements() * vector.getElementTypeBitWidth() : 0;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

static std::string atomicMnemonic(LLVM::AtomicBinOp kind, Type type, unsigned space, bool returns) {
  const bool isDs = space == 3;
  const unsigned bits = bitsOf(type);
  Type element = getElementTypeOrSelf(type);
  const bool packed = mlir::isa<VectorType>(type);
  const std::string prefix = isDs ? "ds_" : space == 7 ? "buffer_atomic_" : "global_atomic_";
  if ((bits != 32 && bits != 64) || space == 5)
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
    std::string suffix = element.isF32() ? "f32" : element.isF64() ? "f64" : element.isF16() ? "f16" : element.isBF16() ? "bf16" : "";
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

static std::string atomicMnemonic(LLVM::AtomicRMWOp op) {
  unsigned space = cast<LLVM::LLVMPointerType>(op.getPtr().getType()).getAddressSpace();
  return atomicMnemonic(op.getBinOp(), op.getVal().getType(), space, !op.getRes().use_empty());
}

bool isAtomicInstruction(const Isa &isa, LLVM::AtomicRMWOp op) {
  std::string name = atomicMnemonic(op);
  return !name.empty() && !isa.findMnemonic(name).empty();
}

namespace select {

/// The modifier that asks for the value from before.
static StringRef returnModifier(const Isa &chip) { return chip.target().chip == "gfx90a" ? "glc" : "sc0"; }

static void addModifier(std::string &modifiers, StringRef text) {
  modifiers += (modifiers.empty() ? "" : " ") + text.str();
}

LogicalResult Selector::atomic(Operation *op) {
  auto rmw = cast<LLVM::AtomicRMWOp>(op);
  std::string name = atomicMnemonic(rmw);
  if (name.empty() || chip.findMnemonic(name).empty())
    return unsupported(op, LLVM::stringifyAtomicBinOp(rmw.getBinOp()) + " on " + Twine(bitsOf(rmw.getVal().getType())) +
                               " bits in address space " +
                               Twine(cast<LLVM::LLVMPointerType>(rmw.getPtr().getType()).getAddressSpace()));
  Address address = addressOf(rmw.getPtr());
  const bool isDs = address.space == 3;
  const unsigned bits = bitsOf(rmw.getVal().getType());
  bool returns = !rmw.getRes().use_empty() || StringRef(name).starts_with("ds_wrxchg");
  Fields fields = fieldsFor(address, 0, bits / 8);
  Operand data = Operand::use(tuple(get(rmw.getVal()), RegFile::Vgpr));
  SmallVector<Operand, 6> operands;
  Reg result;
  if (fields.prefix == "buffer") {
    // The old value replaces the operand in the same registers.
    result = newVgpr(bits / 32);
    if (returns) {
      emit("COPY", {Operand::def(result), data});
      operands = {Operand::def(result)};
    } else {
      operands = {data};
    }
    operands.append(fields.operands.begin(), fields.operands.end());
    if (returns)
      operands.push_back(Operand::use(result).implicit());
  } else {
    if (returns) {
      result = newVgpr(bits / 32);
      operands.push_back(Operand::def(result));
    }
    operands.push_back(fields.operands[0]);
    operands.push_back(data);
    operands.append(fields.operands.begin() + 1, fields.operands.end());
  }
  if (!isDs && returns)
    addModifier(fields.modifiers, returnModifier(chip));
  lir::Inst &inst = emit(name, operands, fields.modifiers);
  inst.memory = isDs ? lir::MemoryKind::Lds : lir::MemoryKind::Global;
  inst.mayLoad = inst.mayStore = true;
  set(rmw.getRes(), returns ? pieces(result) : Elems(bits / 32, Elem::constant(0)));
  return success();
}

LogicalResult Selector::compareExchange(Operation *op) {
  auto exchange = cast<LLVM::AtomicCmpXchgOp>(op);
  Type type = exchange.getVal().getType();
  unsigned space = cast<LLVM::LLVMPointerType>(exchange.getPtr().getType()).getAddressSpace();
  const unsigned bits = bitWidth(type), words = bits / 32;
  if ((bits != 32 && bits != 64) || space == 5)
    return unsupported(op, Twine(bits) + " bits in address space " + Twine(space));
  Elems expected = get(exchange.getCmp()), wanted = get(exchange.getVal());
  Elems found = exchangeWords(addressOf(exchange.getPtr()), expected, wanted);
  Elems same = compare(words == 2 ? "eq_u64" : "eq_u32", found, expected);
  found.append(same.begin(), same.end());
  set(exchange.getRes(), found);
  return success();
}

Elems Selector::exchangeWords(const Address &address, ArrayRef<Elem> expected, ArrayRef<Elem> wanted) {
  const unsigned words = expected.size();
  Fields fields = fieldsFor(address, 0, 4 * words);
  lir::Inst *inst;
  Reg result;
  if (fields.prefix == "ds") {
    result = newVgpr(words);
    inst = &emit("ds_cmpst_rtn_b" + std::to_string(32 * words),
                 {Operand::def(result), fields.operands[0], Operand::use(tuple(expected, RegFile::Vgpr)),
                  Operand::use(tuple(wanted, RegFile::Vgpr))},
                 fields.modifiers);
    inst->memory = lir::MemoryKind::Lds;
  } else {
    // The new value, then the one to compare with.
    Elems both(wanted);
    both.append(expected.begin(), expected.end());
    Operand data = Operand::use(tuple(both, RegFile::Vgpr));
    std::string name = fields.prefix + "_atomic_cmpswap" + (words == 2 ? "_x2" : "");
    addModifier(fields.modifiers, returnModifier(chip));
    SmallVector<Operand, 6> operands;
    if (fields.prefix == "buffer") {
      result = newVgpr(2 * words);
      emit("COPY", {Operand::def(result), data});
      operands = {Operand::def(result)};
      operands.append(fields.operands.begin(), fields.operands.end());
      operands.push_back(Operand::use(result).implicit());
    } else {
      result = newVgpr(words);
      operands = {Operand::def(result), fields.operands[0], data};
      operands.append(fields.operands.begin() + 1, fields.operands.end());
    }
    inst = &emit(name, operands, fields.modifiers);
    inst->memory = lir::MemoryKind::Global;
  }
  inst->mayLoad = inst->mayStore = true;
  Elems found = pieces(result);
  found.resize(words);
  return found;
}

} // namespace select
} // namespace inflight
