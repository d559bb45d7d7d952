// What instructions do and what counters count, in words: data/explain.json.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace inflight {

/// "D = S0 + S1" of "v_add_f32"; empty where the file has no entry.
llvm::StringRef operationText(llvm::StringRef mnemonic);
/// Of "vmcnt". Empty where there is no such counter.
llvm::StringRef counterText(llvm::StringRef counter);
/// Those that have such a text.
std::vector<llvm::StringRef> counterNames();
/// Where these texts come from: "isa_manual: AMD Instinct ...".
llvm::StringRef operationSource();

} // namespace inflight
