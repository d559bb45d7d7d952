// The s_nop of a program.
#pragma once

#include "hazards/Access.h"
#include "program/Program.h"

namespace inflight::hazards {

inline bool isNop(const Program &program, uint32_t i) {
  const InstrDesc *desc = program.instructions()[i].desc;
  return desc && desc->isNop;
}

/// Wait states of an s_nop whose number is known.
inline unsigned nopStates(const Program &program, uint32_t i) {
  return unsigned(program.inst(i).getOperand(0).getImm()) % maximumNop + 1;
}

/// Nothing but s_nop that no control reaches.
inline bool isPadding(const Program &program, const Block &block) {
  if (block.function != ~0u || !block.predecessors.empty())
    return false;
  for (uint32_t i = block.begin; i < block.end; ++i)
    if (!isNop(program, i))
      return false;
  return true;
}

/// Whether an s_nop that is no padding may change.
inline bool isEditableNop(const Program &program, uint32_t i) {
  return isNop(program, i) && !program.instructions()[i].isFromMacro && program.inst(i).getOperand(0).isImm();
}

} // namespace inflight::hazards
