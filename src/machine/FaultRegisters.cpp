#include "machine/FaultRegisters.h"

#include "machine/debug/StopText.h"
#include "support/Plural.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine {

std::string registersAtFault(const Code &code, const Wave &wave) {
  const uint64_t exec = wave.exec();
  std::string text =
      formatv("\n  exec 0x{0:x-16}: {1}", exec, counted(uint64_t(llvm::popcount(exec)), "active lane")).str();
  const Workgroup &group = *wave.group;
  if (!group.faultOp)
    return text;
  std::string scalars, vectors;
  for (const debug::Operand &operand : debug::operandsOf(code, *group.faultOp)) {
    if (!operand.isRead || operand.registers.count > debug::mostShownDwords)
      continue;
    const debug::Value value = debug::valueOf(wave, operand.registers);
    const bool isVector = value.kind == debug::Value::Kind::Vector;
    if (isVector && group.faultLane < 0)
      continue;
    std::string &line = isVector ? vectors : scalars;
    line += (line.empty() ? "" : ", ") + debug::registerText(value, std::max(0, group.faultLane));
  }
  if (!scalars.empty())
    text += "\n  " + scalars;
  if (!vectors.empty())
    text += "\n  lane " + std::to_string(group.faultLane) + ": " + vectors;
  return text;
}

} // namespace inflight::machine
