#include "machine/timed/LdsUnit.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine::timed {

uint64_t LdsUnit::accepts(unsigned simd, uint64_t now) {
  Port &port = ports[simd / 2];
  while (!port.leaves.empty() && port.leaves.front() <= now)
    port.leaves.pop_front();
  return port.leaves.size() < data.ldsQueue ? now : port.leaves[port.leaves.size() - data.ldsQueue];
}

unsigned LdsUnit::bankCycles(const Capture::Access &access, uint64_t ldsBegin, unsigned &phases) const {
  // Lanes in a row, as many as the banks could serve at once; a bank serves one dword a cycle to all lanes that want it.
  const unsigned lanesAtOnce = std::max<unsigned>(1, banks * 4 / std::max(4u, access.bytes));
  unsigned cycles = 0;
  for (unsigned first = 0; first < Lanes; first += lanesAtOnce) {
    uint32_t wanted[64][Lanes];
    uint8_t count[64] = {};
    unsigned most = 0;
    for (unsigned lane = first; lane < std::min(Lanes, first + lanesAtOnce); ++lane) {
      if (!access.address[lane])
        continue;
      const uint32_t at = uint32_t(access.address[lane] - ldsBegin);
      for (uint32_t word = at / 4; word <= (at + access.bytes - 1) / 4; ++word) {
        const unsigned bank = word % banks;
        uint32_t *list = wanted[bank];
        if (std::find(list, list + count[bank], word) == list + count[bank])
          list[count[bank]++] = word;
        most = std::max<unsigned>(most, count[bank]);
      }
    }
    cycles += most;
    phases += most != 0;
  }
  return cycles;
}

LdsTiming LdsUnit::issue(unsigned simd, uint64_t now, ArrayRef<Capture::Access> accesses, uint64_t ldsBegin, bool returns) {
  LdsTiming timing;
  Port &port = ports[simd / 2];
  unsigned bytesIn = Lanes * data.ldsAddressBytes, bytesOut = 0, bankTime = 0, extra = 0;
  for (const Capture::Access &access : accesses) {
    const unsigned all = Lanes * std::max(4u, access.bytes);
    if (access.kind != AccessObserver::Kind::Read)
      bytesIn += all;
    if (access.kind != AccessObserver::Kind::Write && returns)
      bytesOut += all;
    unsigned phases = 0;
    const unsigned cycles = bankCycles(access, ldsBegin, phases);
    bankTime += cycles;
    timing.phases += phases;
    timing.conflicts += cycles - phases;
    if (access.kind == AccessObserver::Kind::Atomic)
      extra = data.ldsAtomicExtra;
  }
  if (accesses.empty())
    bytesIn += Lanes * 4, bytesOut += Lanes * 4;
  const unsigned in = divideCeil(bytesIn, data.ldsPortBytes), out = divideCeil(bytesOut, data.ldsReturnBytes);
  const unsigned simdOut = divideCeil(bytesOut, data.ldsSimdReturnBytes);
  timing.begin = std::max(now, port.inFree);
  const uint64_t banksBegin = std::max(timing.begin, banksFree);
  banksFree = banksBegin + bankTime;
  // The port takes the next request when this one's last lanes are at the banks, or its results are on their way out.
  port.inFree = std::max({timing.begin + in, banksFree, port.outFree > timing.begin + data.ldsLatency ? port.outFree - data.ldsLatency : 0});
  timing.end = port.inFree;
  const uint64_t ready = std::max(timing.begin + data.ldsLatency, banksFree + data.ldsLatency - std::min(data.ldsLatency, bankTime ? 1u : 0u)) + extra;
  if (bytesOut) {
    const uint64_t outBegin = std::max(timing.begin + data.ldsLatency + (bankTime > out ? bankTime - out : 0) + extra, port.outFree);
    port.outFree = outBegin + out;
    timing.returned = outBegin + simdOut;
  } else {
    timing.returned = ready;
  }
  port.leaves.push_back(timing.end);
  return timing;
}

uint64_t LdsUnit::write(uint64_t now, const Capture::Access &access, uint64_t ldsBegin) {
  unsigned phases = 0;
  const unsigned cycles = bankCycles(access, ldsBegin, phases);
  banksFree = std::max(banksFree, now) + cycles;
  return banksFree;
}

} // namespace inflight::machine::timed
