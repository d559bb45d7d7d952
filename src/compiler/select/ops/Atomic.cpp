// Atomic operations on memory.
#include "compiler/pipeline/Atomics.h"
#include "compiler/select/Accesses.h"
#include "compiler/select/Handlers.h"

using namespace mlir;

namespace inflight {

namespace select {

namespace {
class AtomicOps : public Accesses {
public:
  using Accesses::Accesses;
  template <typename Op> LogicalResult select(Op op);
};
} // namespace

template <> LogicalResult AtomicOps::select(LLVM::AtomicRMWOp rmw) {
  const Mnemonic name = atomicMnemonic(rmw);
  if (!has(name))
    return unsupported(rmw, LLVM::stringifyAtomicBinOp(rmw.getBinOp()) + " on " +
                                Twine(atomicBits(rmw.getVal().getType())) + " bits in address space " +
                                Twine(addressSpaceOf(rmw.getPtr())));
  Address address = addressOf(rmw.getPtr());
  const bool isDs = address.space == ldsSpace;
  const unsigned bits = atomicBits(rmw.getVal().getType());
  bool returns = !rmw.getRes().use_empty() || name == ds_wrxchg_rtn_b32 || name == ds_wrxchg_rtn_b64;
  Fields fields = fieldsFor(address, 0, bits / 8);
  Operand data = Operand::use(tuple(get(rmw.getVal()), RegFile::Vgpr));
  SmallVector<Operand, 6> operands;
  Reg result;
  if (fields.format == Fields::Format::Buffer) {
    // The old value replaces the operand in the same registers.
    result = newVgpr(bits / 32);
    if (returns) {
      emit(Pseudo::Copy, {Operand::def(result), data});
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
  // Asks for the value from before.
  fields.modifiers.cache.sc0 = !isDs && returns;
  lir::Inst &inst = emit(name, operands, fields.modifiers);
  inst.memory = isDs ? lir::MemoryKind::Lds : lir::MemoryKind::Global;
  inst.mayLoad = inst.mayStore = true;
  set(rmw.getRes(), returns ? pieces(result) : Elems(bits / 32, Elem::constant(0)));
  return success();
}

template <> LogicalResult AtomicOps::select(LLVM::AtomicCmpXchgOp exchange) {
  Type type = exchange.getVal().getType();
  const unsigned space = addressSpaceOf(exchange.getPtr());
  const unsigned bits = bitWidth(type);
  if ((bits != 32 && bits != 64) || space == privateSpace)
    return unsupported(exchange, Twine(bits) + " bits in address space " + Twine(space));
  Elems expected = get(exchange.getCmp()), wanted = get(exchange.getVal());
  Elems found = exchangeWords(addressOf(exchange.getPtr()), expected, wanted);
  Elems same = compare(Predicate::eq, found, expected);
  found.append(same.begin(), same.end());
  set(exchange.getRes(), found);
  return success();
}

void Handlers::addAtomics() { add<AtomicOps, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(); }

} // namespace select
} // namespace inflight
