#include "machine/check/checks/AccessCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

void AccessCheck::access(Wave &wave, const AccessRecord &record) {
  if (record.kind != AccessKind::Atomic)
    return;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (const uint64_t at = record.address(lane);
        at % record.bytes && context.isNew(Kind::Memory, *context.op, nullptr))
      context.report(
          Kind::Memory, wave.number, *context.op, nullptr, -1, lane,
          formatv("misaligned atomic of {0} bytes: {1}", record.bytes,
                  record.isLds ? formatv("LDS byte {0}", context.ldsByte(at)).str() : context.memory.describe(at)));
}

void AccessCheck::outOfLds(Wave &wave, uint64_t lanes) {
  if (context.isNew(Kind::Memory, *context.op, nullptr))
    context.report(Kind::Memory, wave.number, *context.op, nullptr, -1, countr_zero(lanes),
                   formatv("LDS access beyond the {0} bytes that the workgroup has", context.group->lds.size()));
}

void AccessCheck::outOfBuffer(Wave &wave, const AccessObserver::OutOfBuffer &dropped) {
  const Op &op = *context.op;
  if (dropped.stray && context.isNew(Kind::Memory, op, nullptr)) {
    const int lane = countr_zero(dropped.stray);
    context.report(Kind::Memory, wave.number, op, nullptr, -1, lane,
                   formatv("buffer access outside every allocation, lane {0}: {1}", lane,
                           context.memory.describe(dropped.base, dropped.offset)),
                   "no mask is off here: the index is negative, or larger than 32 bits of bytes hold. The hardware "
                   "gives zero for a load and drops a store, without a fault");
  }
  if (context.isNew(Kind::BufferRange, op, nullptr))
    context.report(Kind::BufferRange, wave.number, op, nullptr, -1, countr_zero(dropped.lanes),
                   "out of the buffer's range: loads give zero, stores are dropped");
}

void AccessCheck::memoryFault(const Wave &wave) {
  const Workgroup &group = *context.group;
  if (context.isNew(Kind::Memory, *group.faultOp, nullptr))
    context.report(Kind::Memory, wave.number, *group.faultOp, nullptr, -1, -1, group.fault);
}

} // namespace inflight::machine::check
