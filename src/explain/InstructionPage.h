// The pages of instructions and counters.
#pragma once

#include "isa/Isa.h"

namespace inflight::explain {

/// "vmcnt, with vmem and lds_dma in the order of issue"; empty for an instruction that raises none.
std::string countersText(const Isa &isa, const InstrDesc &desc);
/// "issues over 4 cycles; result after 8": of schedules and prices. Empty where nothing is known.
std::string timesText(const Isa &isa, const InstrDesc &desc);

/// On `chips`, those with the same page together. None has it: empty.
std::string mnemonicPage(llvm::StringRef mnemonic, llvm::ArrayRef<const Isa *> chips);
std::string counterPage(llvm::StringRef counter, llvm::ArrayRef<const Isa *> chips);

} // namespace inflight::explain
