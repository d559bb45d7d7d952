#include "machine/check/checks/LateStoreCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

void LateStoreCheck::begin(MutableArrayRef<Wave> waves) {
  owner = late.newOwners(waves.size());
  context.looksAlways |= context.options.randomDelivery;
}

void LateStoreCheck::step(Wave &wave, const Op &) {
  if (context.options.randomDelivery && (context.random() & 7) == 0)
    late.deliverSome(ownerOf(wave), context.random());
}

/// An access is in order with earlier stores of its workgroup, or with tg_split of its wave. Of a store it keeps what
/// is there.
void LateStoreCheck::access(Wave &wave, const AccessRecord &record) {
  if (record.isLds || !context.shared.covers(record))
    return;
  const uint64_t mine = ownerOf(wave);
  const bool seesOthers = scopeOf(*context.op).hasScope() || context.facts.of(*context.op).acquires;
  for (const uint64_t &at : record.at) {
    if (!at)
      continue;
    if (!late.empty()) {
      while (LateStores::Store *store = late.find(at, record.bytes, mine, false))
        late.deliver(store);
      if (record.kind == AccessKind::Read && !seesOthers)
        if (const LateStores::Store *store = late.find(at, record.bytes, mine, true))
          reportEarlyRead(wave, &at - record.at, at, *store);
    }
    if (record.kind == AccessKind::Write)
      storedOver.insert(storedOver.end(), hostMemory(at), hostMemory(at) + record.bytes);
  }
}

void LateStoreCheck::reportEarlyRead(const Wave &wave, unsigned lane, uint64_t at, const LateStores::Store &store) {
  if (!context.isNew(Kind::Race, *context.op, store.op))
    return;
  const CounterTable &counters = context.facts.counters;
  context.report(
      Kind::Race, wave.number, *context.op, store.op, -1, lane,
      formatv("reads global memory at {0} while a store of workgroup ({1}, {2}, {3}), wave {4}, may be in "
              "flight: no wait for it",
              context.memory.describe(at), store.group[0], store.group[1], store.group[2], store.wave),
      counters.encoding.text({WaitCounts::of(counters.of(OrderClass::Vmem), WaitCount(0)), WaitCount::none()}) +
          " between the store and what tells of it");
}

/// Puts back what a store has overwritten, until it is waited for.
void LateStoreCheck::issued(Wave &wave, Pending &p) {
  if (storedOver.empty())
    return;
  auto store = std::make_unique<LateStores::Store>();
  store->op = p.op;
  std::copy_n(context.group->id, 3, store->group);
  store->wave = wave.number;
  store->owner = ownerOf(wave);
  // All is read before anything is put back: lanes may store to the same bytes.
  auto forEachPlace = [&](auto &&see) {
    for (const AccessRecord &record : context.accesses)
      if (record.kind == AccessKind::Write && !record.isLds && context.shared.covers(record))
        for (unsigned lane = 0; lane < Lanes; ++lane)
          if (const uint64_t at = record.at[lane])
            see(hostMemory(at), record.bytes);
  };
  forEachPlace([&](uint8_t *at, uint8_t bytes) {
    LateStores::Store::Bytes &to = store->bytes.emplace_back();
    to.at = reinterpret_cast<uint64_t>(at);
    to.count = bytes;
    std::copy_n(at, bytes, to.values);
  });
  const uint8_t *before = storedOver.data();
  forEachPlace([&](uint8_t *at, uint8_t bytes) {
    std::copy_n(before, bytes, at);
    before += bytes;
  });
  p.late = late.add(std::move(store));
}

void LateStoreCheck::retired(Wave &, Pending &p) {
  if (p.late)
    late.deliverNumber(p.late);
}

} // namespace inflight::machine::check
