#include "machine/debug/Stop.h"

#include "support/files/Npy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace inflight::machine::debug {

unsigned Value::elementSize() const {
  if (!type.empty())
    return elementBytes(type);
  if (isPair)
    return 8;
  return kind == Kind::Memory && (begin % 4 || bytes.size() % 4) ? 1 : 4;
}

Value valueOf(const Wave &wave, RegRange registers) {
  Value value;
  value.name = regName(registers);
  value.registers = registers;
  const bool isVector = isVgpr(registers.first) || isAgpr(registers.first);
  value.kind = isVector ? Value::Kind::Vector : Value::Kind::Scalar;
  value.bytes.resize(size_t(registers.count) * (isVector ? Lanes : 1) * 4);
  const void *from = isVector                           ? wave.v + size_t(registers.first - regunit::Vgpr0) * Lanes
                     : registers.first == regunit::Scc  ? &wave.scc
                     : registers.first == regunit::Mode ? &wave.mode
                                                        : &wave.s[registers.first];
  std::memcpy(value.bytes.data(), from, value.bytes.size());
  return value;
}

std::vector<Operand> operandsOf(const Code &code, const Op &op) {
  std::vector<Operand> operands;
  const MCInst *inst = code.instruction(&op);
  if (!inst)
    return operands;
  const RegAccess access = code.isa().regAccess(*inst);
  auto add = [&](RegRange range, bool Operand::*use) {
    const bool isScalarData = isScalar(range.first) && range.first < regunit::ExecLo && range.first != regunit::M0;
    if (!isScalarData && !isVgpr(range.first) && !isAgpr(range.first))
      return;
    auto known = find_if(operands, [&](const Operand &operand) { return operand.registers == range; });
    if (known == operands.end())
      known = operands.insert(operands.end(), Operand{range});
    *known.*use = true;
  };
  for (RegRange range : access.reads)
    add(range, &Operand::isRead);
  for (RegRange range : access.writes)
    add(range, &Operand::isWritten);
  return operands;
}

/// Where a pair points to, of vector registers the first active lane's.
static std::string targetOf(const Wave &wave, const Value &value) {
  const bool isVector = value.kind == Value::Kind::Vector;
  if (!value.isPair || (isVector && !wave.exec()))
    return "";
  const unsigned lane = isVector ? countr_zero(wave.exec()) : 0, stride = isVector ? Lanes : 1;
  const uint64_t address = value.dword(lane) | uint64_t(value.dword(stride + lane)) << 32;
  if (!wave.memory->contains(address, 1))
    return "";
  const std::string described = wave.memory->describe(address);
  if (StringRef(described).starts_with("0x"))
    return "";
  return isVector ? "lane " + std::to_string(lane) + ": " + described : described;
}

CodePlace placeOf(const Code &code, const Op &op, const SourceLines *lines) {
  const uint64_t address = code.addressOf(&op);
  return {address, code.text(&op), lines ? lines->own(address) : SourceLocation()};
}

Stop stopAt(const Code &code, const Wave &wave, const Op &op, const SourceLines *lines) {
  Stop stop;
  std::copy_n(wave.group->id, 3, stop.workgroup);
  stop.wave = wave.number;
  stop.at = placeOf(code, op, lines);
  stop.exec = wave.exec();
  stop.vcc = wave.s64(regunit::VccLo);
  stop.scc = wave.scc;
  stop.m0 = wave.s[regunit::M0];
  for (const Operand &operand : operandsOf(code, op)) {
    if (operand.registers.count > mostShownDwords) {
      stop.longOperands.push_back(operand);
      continue;
    }
    if (operand.registers.first == regunit::VccLo || operand.registers.first == regunit::VccHi)
      continue;
    Value value = valueOf(wave, operand.registers);
    value.isRead = operand.isRead;
    value.isWritten = operand.isWritten;
    value.isPair = operand.registers.count == 2;
    value.target = targetOf(wave, value);
    stop.operands.push_back(std::move(value));
  }
  return stop;
}

} // namespace inflight::machine::debug
