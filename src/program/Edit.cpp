#include "program/Edit.h"

namespace inflight {

std::string editText(const Edit &edit, const TargetInfo &target) {
  if (edit.what == Edit::What::Nop)
    return "s_nop " + std::to_string(edit.immediate);
  const WaitcntFields fields = decodeWaitcnt(edit.immediate);
  std::string text = "s_waitcnt";
  const bool waitsForNothing = fields == WaitcntFields{target.vmcntMax, target.expcntMax, target.lgkmcntMax};
  auto add = [&](const char *name, unsigned value, unsigned maximum) {
    if (value < maximum || waitsForNothing)
      text += std::string(" ") + name + "(" + std::to_string(value) + ")";
  };
  add("vmcnt", fields.vmcnt, target.vmcntMax);
  add("expcnt", fields.expcnt, target.expcntMax);
  add("lgkmcnt", fields.lgkmcnt, target.lgkmcntMax);
  return text;
}

} // namespace inflight
