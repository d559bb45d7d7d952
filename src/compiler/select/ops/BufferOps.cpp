// ROCDL operations on buffers, and transfers between memory, LDS and registers that only AMD has.
#include "compiler/select/Accesses.h"
#include "compiler/select/Handlers.h"

#include "isa/OperandBits.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

namespace {
class BufferOps : public Accesses {
public:
  using Accesses::Accesses;
  template <typename Op> LogicalResult select(Op op);
  /// `kind` as an intrinsic's name has it.
  LogicalResult bufferAtomic(Operation *op, StringRef kind);
  LogicalResult bufferExchange(Operation *op);
  LogicalResult bufferLoadToLds(Operation *op);

private:
  LogicalResult readAux(Operation *op, Value aux, AccessKind &kind);
  Address bufferAddress(Value descriptor, Value laneOffset, Value uniformOffset);
  Address atomicBuffer(Value descriptor, Value laneOffset, Value uniformOffset);
  struct BufferAccess {
    Address address;
    unsigned bytes;
    AccessKind kind;
  };
  /// What a buffer load or store of this type accesses.
  template <typename Op> FailureOr<BufferAccess> bufferAccess(Op op, Type type);
  template <typename Op> LogicalResult bufferLoad(Op op);
  template <typename Op> LogicalResult bufferStore(Op op);

  LogicalResult transposedRead(Operation *op, Mnemonic mnemonic);
  LogicalResult loadToLds(Operation *op, Value from, Value to, unsigned bytes, int64_t offset, unsigned aux);
};
} // namespace

template <> LogicalResult BufferOps::select(ROCDL::MakeBufferRsrcOp op) {
  Elems pointer = get(op.getBase()), stride = get(op.getStride()), records = get(op.getNumRecords());
  Elem low = toSgpr(pointer[0]), high = toSgpr(pointer[1]);
  if (!(stride[0].isImm && (stride[0].imm & 0xffff) == 0))
    high = bitOr(high, shl(stride[0].isImm ? stride[0] : toSgpr(stride[0]), Elem::constant(16)));
  Elem count = records[0];
  if (records.size() > 1 && !(records[1].isImm && records[1].imm == 0)) {
    // More than 32 bits of range saturate.
    Elems big = compare(Predicate::ne, {records[1]}, {Elem::constant(0)});
    count = selectElem(big, Elem::constant(~0u), count);
  }
  Elems words{low, high, toSgpr(count), toSgpr(get(op.getFlags())[0])};
  Elems descriptor = pieces(tuple(words, RegFile::Sgpr));
  descriptor.resize(dwords(op.getType()), Elem::constant(0));
  set(op.getRes(), descriptor);
  return success();
}

/// LLVM's auxiliary operand: a cache policy, and the highest bit says volatile.
LogicalResult BufferOps::readAux(Operation *op, Value aux, AccessKind &kind) {
  std::optional<APInt> constant = values.constantInt(aux);
  if (!constant)
    return unsupported(op, "a cache policy that is not constant");
  const uint32_t bits = constant->getZExtValue();
  constexpr uint32_t volatileBit = 1u << 31;
  const uint32_t known = cachePolicyBits({.sc0 = true, .nt = true, .sc1 = true}) | volatileBit;
  if (bits & ~known)
    return unsupported(op, "cache policy " + Twine(bits));
  kind = {bool(bits & volatileBit), cachePolicyOf(bits)};
  return success();
}

Address BufferOps::bufferAddress(Value descriptor, Value laneOffset, Value uniformOffset) {
  Address address;
  address.space = bufferSpace;
  address.alignment = 4;
  address.base = get(descriptor);
  address.base.resize(4);
  LinearForm form;
  selection.forms.add(laneOffset, 1, form, false);
  SmallVector<std::pair<Value, int64_t>> terms;
  address.nonNegative = true;
  for (auto &[key, term] : form.terms) {
    terms.push_back(term);
    address.nonNegative &= term.second > 0 && bounds.isNonNegative(term.first);
  }
  address.constant = form.constant;
  address.laneOffset = sumTerms(terms);
  const Elem uniform = get(uniformOffset)[0];
  address.uniformOffset = uniform.isImm && isInline(uniform.imm) ? uniform : toSgpr(uniform);
  return address;
}

template <typename Op> FailureOr<BufferOps::BufferAccess> BufferOps::bufferAccess(Op op, Type type) {
  const unsigned bits = isMask(type) ? 0 : storageBits(type);
  if (!bits || bits % 8)
    return unsupported(op, "a value that is not a whole number of bytes");
  BufferAccess access{bufferAddress(op.getRsrc(), op.getOffset(), op.getSoffset()), bits / 8, {}};
  if (failed(readAux(op, op.getAux(), access.kind)))
    return failure();
  return access;
}

template <typename Op> LogicalResult BufferOps::bufferLoad(Op op) {
  FailureOr<BufferAccess> access = bufferAccess(op, op.getRes().getType());
  if (succeeded(access))
    set(op.getRes(), loadBytes(access->address, access->bytes, 0, access->kind));
  return access;
}
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferLoadOp op) { return bufferLoad(op); }
template <> LogicalResult BufferOps::select(ROCDL::RawBufferLoadOp op) { return bufferLoad(op); }

template <typename Op> LogicalResult BufferOps::bufferStore(Op op) {
  FailureOr<BufferAccess> access = bufferAccess(op, op.getVdata().getType());
  if (succeeded(access))
    storeBytes(access->address, get(op.getVdata()), access->bytes, 0, access->kind);
  return access;
}
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferStoreOp op) { return bufferStore(op); }
template <> LogicalResult BufferOps::select(ROCDL::RawBufferStoreOp op) { return bufferStore(op); }

/// Offsets of atomics stay as they are: descriptor, lane offset, uniform offset.
Address BufferOps::atomicBuffer(Value descriptor, Value laneOffset, Value uniformOffset) {
  Address address;
  address.space = bufferSpace;
  address.base = get(descriptor);
  address.base.resize(4);
  address.laneOffset = get(laneOffset)[0];
  address.uniformOffset = toSgpr(get(uniformOffset)[0]);
  return address;
}

/// The operands are what is wanted, what is expected, and the place.
LogicalResult BufferOps::bufferExchange(Operation *op) {
  Elems wanted = get(op->getOperand(0)), expected = get(op->getOperand(1));
  if (wanted.size() > 2)
    return unsupported(op, "on this type");
  Address address = atomicBuffer(op->getOperand(2), op->getOperand(3), op->getOperand(4));
  set(op->getResult(0), exchangeWords(address, expected, wanted));
  return success();
}
LogicalResult selectBufferExchange(Selection &selection, Operation *op) {
  return BufferOps(selection).bufferExchange(op);
}
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferAtomicCmpSwap op) { return bufferExchange(op); }
template <> LogicalResult BufferOps::select(ROCDL::RawBufferAtomicCmpSwap op) { return bufferExchange(op); }

/// The instruction of an intrinsic's `kind`, as its name has it, for a value of the type.
static Mnemonic bufferAtomicMnemonic(StringRef kind, Type type) {
  const Type element = getElementTypeOrSelf(type);
  const bool isPacked = element != type, isDouble = element.isF64();
  std::string name = "buffer_atomic_";
  if (kind == "fadd") {
    name += isPacked ? "pk_add_" : "add_";
    name += element.isF16() ? "f16" : element.isBF16() ? "bf16" : isDouble ? "f64" : element.isF32() ? "f32" : "";
  } else if (kind == "fmax" || kind == "fmin") {
    name += kind.drop_front().str() + (isDouble ? "_f64" : "");
  } else if (element.isInteger(32) || element.isInteger(64) || kind == "swap") {
    name += kind.str() + (bitWidth(type) == 64 ? "_x2" : "");
  }
  return mnemonicOf(name);
}

LogicalResult BufferOps::bufferAtomic(Operation *op, StringRef kind) {
  const Mnemonic mnemonic = bufferAtomicMnemonic(kind, op->getOperand(0).getType());
  if (!has(mnemonic))
    return unsupported(op, "no such instruction on " + chip.target().chip);
  const Address address = atomicBuffer(op->getOperand(1), op->getOperand(2), op->getOperand(3));
  AccessKind access;
  if (failed(readAux(op, op->getOperand(4), access)))
    return failure();
  const Elems value = get(op->getOperand(0));
  Fields fields = fieldsFor(address, 0, 4 * value.size());
  fields.modifiers.cache = access.cache;
  // Asks for the value from before, which then replaces the operand in the same registers.
  const bool returns = fields.modifiers.cache.sc0 = !op->use_empty();
  Operand data = Operand::use(tuple(value, RegFile::Vgpr));
  Reg result;
  if (returns) {
    result = newVgpr(value.size());
    emit(Pseudo::Copy, {Operand::def(result), data});
    data = Operand::def(result);
  }
  SmallVector<Operand, 6> operands{data};
  operands.append(fields.operands.begin(), fields.operands.end());
  if (returns)
    operands.push_back(Operand::use(result).implicit());
  lir::Inst &inst = emit(mnemonic, operands, fields.modifiers);
  inst.memory = lir::MemoryKind::Global;
  inst.mayLoad = inst.mayStore = true;
  if (op->getNumResults())
    set(op->getResult(0), returns ? pieces(result) : Elems(value.size(), Elem::constant(0)));
  return success();
}
LogicalResult selectBufferAtomic(Selection &selection, Operation *op, StringRef kind) {
  return BufferOps(selection).bufferAtomic(op, kind);
}
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferAtomicFaddOp op) { return bufferAtomic(op, "fadd"); }
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferAtomicFmaxOp op) { return bufferAtomic(op, "fmax"); }
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferAtomicSmaxOp op) { return bufferAtomic(op, "smax"); }
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferAtomicUminOp op) { return bufferAtomic(op, "umin"); }

/// The operands are the resource, the place in LDS, the size, the offsets of lane, wave and instruction, and the
/// policy.
LogicalResult BufferOps::bufferLoadToLds(Operation *op) {
  std::optional<APInt> bytes = values.constantInt(op->getOperand(2)), immediate = values.constantInt(op->getOperand(5));
  if (!bytes || !immediate)
    return unsupported(op, "a size or an offset that is not constant");
  Address from = atomicBuffer(op->getOperand(0), op->getOperand(3), op->getOperand(4));
  from.nonNegative = true;
  AccessKind kind;
  if (failed(readAux(op, op->getOperand(6), kind)))
    return failure();
  return ldsDma(op, from, addressOf(op->getOperand(1)), bytes->getZExtValue(), immediate->getSExtValue(), kind.cache);
}
LogicalResult selectBufferLoadToLds(Selection &selection, Operation *op) {
  return BufferOps(selection).bufferLoadToLds(op);
}
template <> LogicalResult BufferOps::select(ROCDL::RawPtrBufferLoadLdsOp op) { return bufferLoadToLds(op); }

LogicalResult BufferOps::loadToLds(Operation *op, Value from, Value to, unsigned bytes, int64_t offset, unsigned aux) {
  return ldsDma(op, addressOf(from), addressOf(to), bytes, offset, cachePolicyOf(aux));
}
template <> LogicalResult BufferOps::select(ROCDL::LoadToLDSOp op) {
  return loadToLds(op, op.getGlobalPtr(), op.getLdsPtr(), op.getSize(), op.getOffset(), op.getAux());
}
template <> LogicalResult BufferOps::select(ROCDL::GlobalLoadLDSOp op) {
  return loadToLds(op, op.getGlobalPtr(), op.getLdsPtr(), op.getSize(), op.getOffset(), op.getAux());
}

/// Reads of LDS that transpose among the lanes of a row.
LogicalResult BufferOps::transposedRead(Operation *op, Mnemonic mnemonic) {
  if (!has(mnemonic))
    return unsupported(op, "no such instruction on " + chip.target().chip);
  const Address address = addressOf(op->getOperand(0));
  Fields fields = fieldsFor(address, 0, 8);
  Reg data = newVgpr(dwords(op->getResult(0).getType()));
  lir::Inst &inst = emit(mnemonic, {Operand::def(data), fields.operands[0]}, fields.modifiers);
  inst.lds = address.ldsBytes(0, 4 * data.count);
  inst.memory = lir::MemoryKind::Lds;
  inst.mayLoad = true;
  set(op->getResult(0), pieces(data));
  return success();
}
template <> LogicalResult BufferOps::select(ROCDL::ds_read_tr4_b64 op) { return transposedRead(op, ds_read_b64_tr_b4); }
template <> LogicalResult BufferOps::select(ROCDL::ds_read_tr6_b96 op) { return transposedRead(op, ds_read_b96_tr_b6); }
template <> LogicalResult BufferOps::select(ROCDL::ds_read_tr8_b64 op) { return transposedRead(op, ds_read_b64_tr_b8); }
template <> LogicalResult BufferOps::select(ROCDL::ds_read_tr16_b64 op) {
  return transposedRead(op, ds_read_b64_tr_b16);
}

void Handlers::addBuffers() {
  add<BufferOps, ROCDL::MakeBufferRsrcOp, ROCDL::RawPtrBufferLoadOp, ROCDL::RawBufferLoadOp, ROCDL::RawPtrBufferStoreOp,
      ROCDL::RawBufferStoreOp, ROCDL::RawPtrBufferAtomicCmpSwap, ROCDL::RawBufferAtomicCmpSwap,
      ROCDL::RawPtrBufferAtomicFaddOp, ROCDL::RawPtrBufferAtomicFmaxOp, ROCDL::RawPtrBufferAtomicSmaxOp,
      ROCDL::RawPtrBufferAtomicUminOp, ROCDL::RawPtrBufferLoadLdsOp, ROCDL::LoadToLDSOp, ROCDL::GlobalLoadLDSOp,
      ROCDL::ds_read_tr4_b64, ROCDL::ds_read_tr6_b96, ROCDL::ds_read_tr8_b64, ROCDL::ds_read_tr16_b64>();
}

} // namespace inflight::select
