#include "program/Edit.h"

namespace inflight {

std::string editText(const Edit &edit, const Isa &isa) {
  return edit.what == Edit::What::Nop ? "s_nop " + std::to_string(edit.immediate)
                                      : isa.counters().encoding.text(edit.wait);
}

} // namespace inflight
