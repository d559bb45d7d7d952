#include "machine/check/checks/BarrierCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

/// Waves that have ended no longer count at a barrier, so the hardware goes on; the source meant all to come.
void BarrierCheck::barrier(ArrayRef<Wave> waves) {
  const auto *waiting = find_if(waves, [](const Wave &wave) { return wave.status == Status::AtBarrier; });
  const Op *barrier = waiting->pc - 1; // s_barrier and s_endpgm have four bytes
  for (const Wave &wave : waves) {
    const Op *place = wave.pc - 1;
    if (wave.status == Status::Ended) {
      if (context.isNew(Kind::Barrier, *barrier, place))
        context.report(
            Kind::Barrier, waiting->number, *barrier, place, wave.number, -1,
            formatv("waits for all waves of the workgroup, but wave {0} has ended without coming to this barrier",
                    wave.number));
    } else if (place != barrier && context.isNew(Kind::BarrierPlaces, *barrier, place)) {
      context.report(Kind::BarrierPlaces, waiting->number, *barrier, place, wave.number, -1,
                     formatv("meets wave {0}, which waits at another barrier", wave.number));
    }
  }
}

} // namespace inflight::machine::check
