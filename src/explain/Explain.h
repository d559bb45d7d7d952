// What a word of a finding, of a listing or of a wait means: rules, mnemonics, counters, rules of wait states. The
// texts are Markdown.
#pragma once

#include "isa/Isa.h"
#include <optional>

namespace inflight::explain {

/// Names of the rules by which anything is found: of checked runs, waits, wait states and comparisons.
std::vector<llvm::StringRef> ruleNames();
/// Their titles, a line each.
std::string ruleList();

/// All that can be explained: rules, counters, rules of wait states, mnemonics of all chips.
std::vector<std::string> words();

/// The page of a word; a mnemonic may have its encoding's suffix. `chip` may be empty: all chips. Nothing for other
/// words, and where the chip has no such instruction or counter.
llvm::Expected<std::optional<std::string>> page(llvm::StringRef word, llvm::StringRef chip = "");

/// Of one instruction, shorter: what it does, its counters and times.
std::string instructionText(const Isa &isa, const InstrDesc &desc);

} // namespace inflight::explain
