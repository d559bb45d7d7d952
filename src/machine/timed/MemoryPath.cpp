#include "machine/timed/MemoryPath.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine::timed {

using events::Level;
using Kind = AccessObserver::Kind;

MemoryPath::MemoryPath(const TimingData &data, Shares shares, uint64_t memoryBegin)
    : data(data), memoryBegin(memoryBegin), l1(data.l1Bytes, data.l1Line, data.l1Ways), l2(data.l2Bytes, data.l2Line, data.l2Ways),
      mall(data.mallBytes, data.l2Line, data.l2Ways), scalarCache(data.scalarCacheBytes, data.scalarCacheLine, data.scalarCacheWays) {
  l2Link.bytesPerCycle = std::max(1e-3, shares.l2);
  mallLink.bytesPerCycle = std::max(1e-3, shares.mall);
  memoryLink.bytesPerCycle = std::max(1e-3, shares.memory);
  returnLink.bytesPerCycle = data.textureReturnBytes;
}

uint64_t MemoryPath::accepts(uint64_t now) {
  while (!leaves.empty() && leaves.front() <= now)
    leaves.pop_front();
  return leaves.size() < data.vmemQueue ? now : leaves[leaves.size() - data.vmemQueue];
}

uint64_t MemoryPath::beyondL1(uint64_t now, uint64_t address, unsigned bytes, bool isWrite, VmemTiming &timing) {
  const uint64_t through = l2Link.pass(now, bytes);
  const uint64_t line = address >> l2.lineShift();
  auto found = [&](Level level) {
    ++timing.hits[size_t(level)];
    timing.level = std::max(timing.level, level);
  };
  if (l2.access(line) || isWrite) {
    found(Level::L2);
    return through + data.l2Latency;
  }
  const uint64_t throughMall = mallLink.pass(through, data.l2Line);
  if (data.mallBytes && mall.access(line)) {
    found(Level::Mall);
    return throughMall + data.mallLatency;
  }
  found(Level::Memory);
  return memoryLink.pass(throughMall, data.l2Line) + data.memoryLatency;
}

VmemTiming MemoryPath::issue(uint64_t now, ArrayRef<Capture::Access> accesses) {
  VmemTiming timing;
  timing.begin = std::max(now, addressFree);
  unsigned addressCycles = divideCeil(Lanes, data.textureAddressLanes), bytesOut = 0;
  uint64_t ready = timing.begin + addressCycles + data.l1Latency;
  for (const Capture::Access &access : accesses) {
    const bool isWrite = access.kind != Kind::Read;
    if (access.kind != Kind::Write)
      bytesOut += Lanes * std::max(4u, access.bytes);
    // Lines in the order of the lanes that want them.
    SmallVector<uint64_t, 2 * Lanes> lines;
    const unsigned shift = l1.lineShift();
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (const uint64_t at = access.address[lane]) {
        const uint64_t first = (at - memoryBegin) >> shift, last = (at - memoryBegin + access.bytes - 1) >> shift;
        for (uint64_t line = first; line <= last; ++line)
          if (lines.empty() || (lines.back() != line && !is_contained(lines, line)))
            lines.push_back(line);
      }
    addressCycles = std::max<unsigned>(addressCycles, lines.size());
    timing.lines += lines.size();
    for (size_t i = 0; i < lines.size(); ++i) {
      const uint64_t asked = timing.begin + i + 1;
      if (!isWrite && l1.access(lines[i])) {
        ++timing.hits[size_t(Level::L1)];
        timing.level = std::max(timing.level, Level::L1);
        continue;
      }
      // L1 holds no more lines in flight than it has been found to.
      uint64_t begin = asked;
      while (!missesEnd.empty() && missesEnd.front() <= begin)
        missesEnd.pop_front();
      const size_t most = std::max(1u, data.l1InFlightBytes / data.l1Line);
      if (missesEnd.size() >= most)
        begin = std::max(begin, missesEnd[missesEnd.size() - most]);
      const uint64_t here = beyondL1(begin, lines[i] << shift, data.l1Line, isWrite, timing);
      missesEnd.insert(std::upper_bound(missesEnd.begin(), missesEnd.end(), here), here);
      ready = std::max(ready, here);
    }
  }
  timing.end = addressFree = timing.begin + addressCycles;
  timing.returned = bytesOut ? std::max(ready, returnLink.pass(timing.begin, bytesOut) + data.l1Latency) : ready;
  // Results come in the order of the requests.
  lastReturn = timing.returned = std::max(timing.returned, lastReturn);
  leaves.push_back(timing.end);
  return timing;
}

VmemTiming MemoryPath::scalar(uint64_t now, ArrayRef<Capture::Access> accesses) {
  VmemTiming timing;
  timing.begin = now;
  timing.end = timing.returned = now + data.issueSlot;
  timing.returned = now + data.smemLatency;
  for (const Capture::Access &access : accesses)
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (const uint64_t at = access.address[lane]) {
        const unsigned shift = scalarCache.lineShift();
        for (uint64_t line = (at - memoryBegin) >> shift; line <= (at - memoryBegin + access.bytes - 1) >> shift; ++line) {
          ++timing.lines;
          if (scalarCache.access(line)) {
            ++timing.hits[size_t(Level::Scalar)];
            timing.level = std::max(timing.level, Level::Scalar);
          } else {
            timing.returned = std::max(timing.returned, beyondL1(now, line << shift, data.scalarCacheLine, false, timing) + data.smemMissLatency);
          }
        }
      }
  return timing;
}

uint64_t MemoryPath::fetch(uint64_t now, uint64_t address) {
  VmemTiming ignored;
  return beyondL1(now, address - memoryBegin, data.l1Line, false, ignored) + data.fetchMiss;
}

} // namespace inflight::machine::timed
