#include "isa/instr/Renamed.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

StringRef olderName(StringRef mnemonic) {
  struct Row {
    StringLiteral name, older;
  };
  static constexpr Row rows[] = {
#define RENAMED(name, older) {#name, #older},
#include "isa/instr/Renamed.def"
#undef RENAMED
  };
  const Row *found = lower_bound(rows, mnemonic, [](const Row &row, StringRef name) { return row.name < name; });
  return found != std::end(rows) && found->name == mnemonic ? StringRef(found->older) : mnemonic;
}

} // namespace inflight
