#include "machine/check/checks/SameValues.h"

#include "machine/wave/KernelBytes.h"

namespace inflight::machine::check {

void SameValues::keep(const Context &context, const LdsRaces &lds, const Wave &wave) {
  const AccessRecord &record = context.accesses.back();
  if (record.isLds ? !lds.isRepeated(record, context.op - context.codeBegin, wave.number)
                   : !context.shared.covers(record))
    return;
  const size_t first = bytes.size();
  overwritten.push_back({context.accesses.size() - 1, first});
  bytes.resize(first + size_t(Lanes) * record.bytes); // of which all are used only if all lanes write
  uint8_t *to = bytes.data() + first;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (const uint64_t at = record.address(lane)) {
      copyKernelBytes(to, hostMemory(at), record.bytes);
      to += record.bytes;
    }
}

void SameValues::find(Context &context, const LdsRaces &lds, const Wave &wave) const {
  for (const Overwritten &before : overwritten) {
    AccessRecord &record = context.accesses[before.access];
    const uint8_t *old = bytes.data() + before.first;
    bool same = true;
    int first = -1;
    for (unsigned lane = 0; lane < Lanes && same; ++lane)
      if (const uint64_t at = record.address(lane)) {
        first = first < 0 ? int(lane) : first;
        same = areKernelBytes(hostMemory(at), old, record.bytes) ||
               (record.isLds && !lds.othersWrote(at, record.bytes, wave.number));
        old += record.bytes;
      }
    record.isSameValue = same;
    const Op &op = *context.op;
    if (same && record.isLds && context.isNew(Kind::SameValue, op, &op))
      context.report(Kind::SameValue, wave.number, op, &op, -1, first,
                     "writes to LDS what another wave has written by the same instruction: no barrier in between");
  }
}

} // namespace inflight::machine::check
