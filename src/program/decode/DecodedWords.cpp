#include "program/decode/DecodedWords.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight {

static constexpr unsigned wordSize = 4;

DecodedWords &DecodedWords::of(const Isa &isa) {
  static thread_local std::map<const Isa *, std::unique_ptr<DecodedWords>> tables;
  std::unique_ptr<DecodedWords> &table = tables[&isa];
  if (!table)
    table = std::make_unique<DecodedWords>();
  return *table;
}

/// A format of 64 bits; others may have a second word, too.
static bool isOfTwoWords(uint32_t low) { return low >> 30 == 3; }

bool DecodedWords::isCovered(uint32_t low) {
  constexpr uint32_t scales = 0xd3ac;
  return low >> 16 != scales;
}

void DecodedWords::restore(const Place &place, MCInst &inst) {
  std::array<MCOperand, mostOperands> operands;
  for (unsigned i = 0; i < place.operandCount; ++i)
    operands[i] = place.registers >> i & 1 ? MCOperand::createReg(uint32_t(place.operands[i]))
                                           : MCOperand::createImm(place.operands[i]);
  inst.setOpcode(place.opcode);
  inst.setFlags(0);
  inst.setOperands(ArrayRef(operands).take_front(place.operandCount));
}

unsigned DecodedWords::find(uint32_t low, uint32_t high, MCInst &inst) const {
  // The first word tells whether there is a second one (ISA manuals, "Microcode formats").
  auto isIt = [&](const Place &place) {
    return place.low == low && (place.size == wordSize || (place.size && place.high == high));
  };
  const Place *place = &places[placeOf(low, isOfTwoWords(low) ? high : 0)];
  if (!isIt(*place) && !isOfTwoWords(low))
    place = &places[placeOf(low, high)];
  if (!isIt(*place))
    return 0;
  restore(*place, inst);
  return place->size;
}

void DecodedWords::keep(uint32_t low, uint32_t high, unsigned size, const MCInst &inst) {
  // The words of longer ones aren't all looked at.
  if (size > 2 * wordSize || inst.getNumOperands() > mostOperands || inst.getFlags())
    return;
  Place made;
  made.low = low;
  made.high = high;
  made.opcode = inst.getOpcode();
  made.size = size;
  made.operandCount = inst.getNumOperands();
  for (const auto &[i, operand] : enumerate(inst)) {
    // What refers to a context is as old as that.
    if (!operand.isReg() && !(operand.isImm() && isInt<32>(operand.getImm())))
      return;
    made.registers |= operand.isReg() << i;
    made.operands[i] = operand.isReg() ? int32_t(operand.getReg().id()) : int32_t(operand.getImm());
  }
  places[placeOf(low, size == wordSize ? 0 : high)] = made;
}

} // namespace inflight
