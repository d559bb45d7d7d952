#include "program/Edit.h"

#include "isa/Counters.h"

namespace inflight {

std::string editText(const Edit &edit, const TargetInfo &target) {
  if (edit.what == Edit::What::Nop)
    return "s_nop " + std::to_string(edit.immediate);
  return "s_waitcnt " + waitcntText(decodeWaitcnt(edit.immediate), target);
}

} // namespace inflight
