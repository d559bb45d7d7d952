#include "isa/instr/Mnemonic.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

/// By enumerator, sorted but for the first.
static constexpr StringLiteral names[] = {
    "",
#define M(name) #name,
#include "isa/instr/Mnemonics.def"
#undef M
};

Mnemonic mnemonicOf(StringRef name) {
  const ArrayRef<StringLiteral> all(names);
  const auto *found = lower_bound(all, name, [](StringRef a, StringRef b) { return a < b; });
  return found != all.end() && *found == name ? Mnemonic(found - all.begin()) : Mnemonic::none;
}

StringRef nameOf(Mnemonic mnemonic) { return names[unsigned(mnemonic)]; }

} // namespace inflight
