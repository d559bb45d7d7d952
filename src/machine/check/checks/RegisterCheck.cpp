#include "machine/check/checks/RegisterCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

namespace {
/// Which operations a wait for some others makes sure of as well.
class Covered {
public:
  bool covers(const Pending &p) const { return !(p.awaits & ~(p.facts->inOrder ? newer : all)); }
  /// A wait for `p`, where only older operations will be asked about.
  void add(const Pending &p) {
    newer |= p.awaits;
    if (!p.facts->inOrder)
      all |= p.awaits;
  }

private:
  CounterSet newer = 0; ///< waited for as far as some operation
  CounterSet all = 0;   ///< waited for until it was 0
};
} // namespace

void RegisterCheck::registers(Wave &wave, const Op &op, const OpFacts &f, ArrayRef<RegRange> reads,
                              ArrayRef<RegRange> writes) {
  for (RegRange range : reads)
    check(wave, op, f, range, false);
  for (RegRange range : writes)
    check(wave, op, f, range, true);
}

void RegisterCheck::check(const Wave &wave, const Op &op, const OpFacts &f, RegRange range, bool isWrite) {
  const InFlight &flying = context.inFlight[wave.number];
  if (!flying.mayWrite(range))
    return;
  Covered reported;
  flying.forEachWriting(range, f.laneWise ? wave.exec() : ~uint64_t(0), [&](Pending &p, RegRange common) {
    if (reported.covers(p))
      return;
    if (any_of(p.reported, [&](RegRange earlier) { return earlier.overlaps(range); }))
      return reported.add(p);
    // Results of one kind arrive in order, so the later one stays.
    if (isWrite && f.resultsLater && f.inOrder && p.facts->inOrder && f.raises == p.facts->raises &&
        f.isLds == p.facts->isLds)
      return;
    if (isWrite && p.arrivesBefore(f))
      return;
    reported.add(p);
    p.reported.push_back(range);
    if (context.isNew(Kind::InFlight, op, p.op))
      report(wave, op, p, common, isWrite);
  });
}

void RegisterCheck::report(const Wave &wave, const Op &op, const Pending &p, RegRange range, bool isWrite) {
  context.report(Kind::InFlight, wave.number, op, p.op, wave.number, -1,
                 formatv("{0} {1} while its load may be in flight: no {2} wait in between",
                         isWrite ? "overwrites" : "reads", regName(range),
                         context.facts.counters.names(p.facts->raises)),
                 context.waitFor(wave.number, p) + " before it");
}

} // namespace inflight::machine::check
