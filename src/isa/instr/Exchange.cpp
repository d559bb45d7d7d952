#include "isa/instr/Exchange.h"

#include "isa/instr/InstrDesc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace inflight {

bool isExchange(const InstrDesc &desc) {
  SmallVector<StringRef, 8> words;
  StringRef(desc.mnemonic).split(words, '_');
  return any_of(words, [](StringRef word) { return word == "swap" || word.starts_with("wrxchg"); });
}

} // namespace inflight
