#include "program/Edit.h"

#include "llvm/ADT/StringExtras.h"

namespace inflight {

llvm::SmallVector<std::string, 2> editTexts(const Edit &edit, const Isa &isa) {
  if (edit.what == Edit::What::Nop)
    return {"s_nop " + std::to_string(edit.immediate)};
  return isa.counters().encoding.texts(edit.wait);
}

std::string editText(const Edit &edit, const Isa &isa) { return llvm::join(editTexts(edit, isa), ", "); }

} // namespace inflight
