// The operands of an instruction from its bits, as the ISA manuals give them.
#pragma once

#include "isa/instr/InstrDesc.h"
#include "machine/wave/Handlers.h"

namespace inflight::machine {

/// `wrapDpp`, `wrapSdwa`: whether the first operand is one of these forms.
void decodeOperands(Op &op, const InstrDesc &desc, const HandlerInfo &info, bool &wrapDpp, bool &wrapSdwa);

} // namespace inflight::machine
