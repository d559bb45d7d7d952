#include "machine/timed/memory/MemoryPath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine::timed {

using events::Level;
using Kind = AccessObserver::Kind;

MemoryPath::MemoryPath(const TimingData &data, Shares shares, uint64_t memoryBegin)
    : data(data),
      memoryBegin(memoryBegin),
      writeCost(shares.writeCost),
      fabricWriteCost(shares.fabricWriteCost),
      mixedCost(std::max(0.0, shares.mixedCost)),
      fabricMixedCost(shares.fabricMixedCost),
      l2Dirty(shares.l2Dirty),
      leftInL2(uint32_t(shares.leftInL2 * 0xffffffff)),
      leftInMall(uint32_t(shares.leftInMall * 0xffffffff)),
      writtenBegin(shares.writtenBegin - memoryBegin),
      writtenEnd(shares.writtenEnd - memoryBegin),
      unit(shares.unit),
      l1(data.l1Bytes, data.l1Line, data.l1Ways),
      l2(unsigned(shares.l2Bytes), data.l2Line, data.l2Ways),
      mall(unsigned(shares.mallBytes), data.l2Line, data.l2Ways),
      scalarCache(data.scalarCacheBytes, data.scalarCacheLine, data.scalarCacheWays),
      translations(data, shares.hasTranslations) {
  set(shares);
  sustainedLink.lag = data.memoryBurst;
  l2WriteLink.lag = data.l2WriteBurst;
}

void MemoryPath::set(const Rates &rates) {
  l2Link.bytesPerCycle = std::max(1e-3, rates.l2);
  l2WriteLink.bytesPerCycle = std::max(1e-3, rates.l2Write);
  mallLink.bytesPerCycle = std::max(1e-3, rates.mall);
  memoryLink.bytesPerCycle = std::max(1e-3, rates.memory);
  sustainedLink.bytesPerCycle = std::max(1e-3, rates.memorySustained);
  sustainedLink.share = std::max(sustainedLink.bytesPerCycle, rates.memoryShare);
}

uint64_t MemoryPath::accepts(uint64_t now, bool isStore) {
  if (isStore)
    now = std::max(now, storeFree);
  while (!leaves.empty() && leaves.front() <= now)
    leaves.pop_front();
  return leaves.size() < data.vmemQueue ? now : leaves[leaves.size() - data.vmemQueue];
}

uint64_t MemoryPath::throughFabric(uint64_t now, double bytes, bool isWrite) {
  return mallLink.pass(now, bytes * (isWrite ? fabricWriteCost : 1) * mallLink.turning(isWrite, fabricMixedCost));
}

uint64_t MemoryPath::throughMemory(uint64_t now, double bytes, bool isWrite) {
  bytes *= (isWrite ? writeCost : 1) * memoryLink.turning(isWrite, mixedCost);
  return sustainedLink.pass(memoryLink.pass(now, bytes), bytes);
}

/// Spreads neighbouring lines over all values but 0, for each unit in another way.
static uint32_t hashOf(uint64_t line, uint32_t unit) {
  line = (line + (uint64_t(unit) << 40)) * 0x9e3779b97f4a7c15u;
  return uint32_t((line ^ line >> 29) * 0xbf58476d1ce4e5b9u >> 32) | 1;
}

uint64_t Translations::wait(uint64_t now, uint64_t address) {
  const uint64_t page = address >> kept.lineShift();
  if (kept.access(page) || hasAll) {
    const uint64_t here = arrivals.of(page);
    return here > now ? here - now : 0;
  }
  arrivals.set(page, now + miss);
  return miss;
}

/// Where a line is that L1 doesn't have; the levels on the way to it have it afterwards.
Level MemoryPath::levelOf(uint64_t line, LineSharing sharing) {
  const uint32_t draw = hashOf(line, unit), kept = hashOf(line, ~0u);
  const bool inL2 = l2.access(line);
  if (inL2 || draw > sharing.missesL2 || kept < leftInL2)
    return Level::L2;
  if (!data.mallBytes)
    return Level::Memory;
  const uint32_t missesBoth = uint32_t(uint64_t(sharing.missesL2) * sharing.missesMall >> 32);
  return mall.access(line) || draw > missesBoth || kept < leftInMall ? Level::Mall : Level::Memory;
}

uint64_t MemoryPath::beyondL1(uint64_t now, uint64_t address, unsigned bytes, LineSharing sharing, VmemTiming &timing) {
  uint64_t here = l2Link.pass(now, bytes);
  const uint64_t line = address >> l2.lineShift();
  const Level level = levelOf(line, sharing);
  writeBack(here);
  ++timing.hits[size_t(level)];
  timing.level = std::max(timing.level, level);
  if (level == Level::L2)
    return std::max(here + data.l2Latency, l2Arrivals.of(line));
  here = throughFabric(here, data.l2Line, false);
  if (level == Level::Memory)
    here = throughMemory(here, data.l2Line, false);
  readsThrough = std::max(readsThrough, here);
  here += level == Level::Mall ? data.mallLatency : memoryLatency(now, sharing);
  l2Arrivals.set(line, here);
  return here;
}

/// Requests queue up before all of the bandwidth is used. Of a line that many want, one asks first: for the others it
/// is on its way.
uint64_t MemoryPath::memoryLatency(uint64_t now, LineSharing sharing) {
  const double used = sustainedLink.utilisation(now, data.l2Line, std::max(1u, data.memoryLatency));
  const double alone = double(sharing.missesL2) * double(sharing.missesMall) * 0x1p-64;
  return uint64_t(data.memoryLatency *
                  (1 + 0.01 * data.memoryLoadPercent * used - 0.01 * data.memorySharedPercent * (1 - alone)));
}

void MemoryPath::writeBack(uint64_t now) {
  if (!l2.evictedDirty())
    return;
  writtenBack += data.l2Line;
  throughFabric(now, data.l2Line, true);
  throughMemory(now, data.l2Line, true);
}

uint64_t MemoryPath::writeL2(uint64_t now, uint64_t address, unsigned bytes) {
  // It is acknowledged after the reads before it have left L2.
  const uint64_t here = std::max(l2WriteLink.pass(now, bytes), readsThrough) + data.l2Latency;
  // If memory falls behind by more than waits in L2 to be written back, the store waits.
  l2.write(address >> l2.lineShift());
  writeBack(now);
  const double backlog = std::max(memoryLink.free, sustainedLink.free) - l2Dirty / memoryLink.bytesPerCycle;
  return std::max(here, backlog > 0 ? uint64_t(backlog) : 0);
}

uint64_t MemoryPath::serialised(uint64_t here, uint64_t line, const Capture::Access &access, LineSharing sharing) {
  // The most lanes that want one word.
  SmallVector<uint64_t, Lanes> words;
  for (uint64_t at : access.address)
    if (at && (at - memoryBegin) >> l1.lineShift() == line)
      words.push_back(at);
  sort(words);
  unsigned most = 1;
  for (size_t i = 1, same = 1; i < words.size(); ++i)
    most = std::max<unsigned>(most, same = words[i] == words[i - 1] ? same + 1 : 1);
  constexpr double all = 0xffffffff;
  const double units = all / std::max(1u, sharing.missesL2) * all / std::max(1u, sharing.missesMall);
  here = std::max(here, atomicsDone.of(line)) + uint64_t((most - 1) * data.l2AtomicLane);
  atomicsDone.set(line, here + uint64_t(double(most * data.l2AtomicLane) * (units - 1)));
  return here;
}

unsigned MemoryPath::findLines(const Capture::Access &access) {
  const unsigned shift = l1.lineShift(), pieceShift = std::min(shift, Log2_32(data.l1RequestBytes));
  // Most often all lanes' bytes follow each other.
  uint64_t other = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    other |= access.address[lane] ^ (access.address[0] + uint64_t(access.bytes) * lane);
  if (!other && access.address[0]) {
    const uint64_t first = access.address[0] - memoryBegin, last = first + uint64_t(access.bytes) * Lanes - 1;
    for (uint64_t line = first >> shift; line <= last >> shift; ++line)
      lines.push_back(line);
    return unsigned((last >> pieceShift) - (first >> pieceShift) + 1);
  }
  const auto add = [](std::vector<uint64_t> &to, uint64_t value) {
    const bool isNew = to.empty() || (to.back() != value && !is_contained(to, value));
    if (isNew)
      to.push_back(value);
    return isNew;
  };
  pieces.clear();
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (const uint64_t at = access.address[lane]) {
      const uint64_t first = (at - memoryBegin) >> pieceShift,
                     last = (at - memoryBegin + access.bytes - 1) >> pieceShift;
      for (uint64_t piece = first; piece <= last; ++piece)
        if (add(pieces, piece))
          add(lines, piece >> (shift - pieceShift));
    }
  return unsigned(pieces.size());
}

uint64_t MemoryPath::writeLine(uint64_t asked, uint64_t line, unsigned bytes, const Capture::Access &access,
                               const VmemRequest &request, VmemTiming &timing) {
  // Written through; atomics are done in L2.
  uint64_t here = writeL2(asked, line << l1.lineShift(), bytes);
  if (access.kind == Kind::Atomic) {
    here = serialised(here, line, access, request.sharing) + data.l2AtomicExtra;
    l1.drop(line);
  }
  ++timing.hits[size_t(Level::L2)];
  timing.level = std::max(timing.level, Level::L2);
  return here;
}

MemoryPath::LineTimes MemoryPath::readLine(uint64_t asked, uint64_t line, const VmemRequest &request,
                                           VmemTiming &timing) {
  if (!request.bypassesL1 && l1.access(line)) {
    ++timing.hits[size_t(Level::L1)];
    timing.level = std::max(timing.level, Level::L1);
    return {timing.begin, std::max(asked + data.l1Latency, l1Arrivals.of(line))};
  }
  // Requests hold their places until those before them are done.
  uint64_t begin = asked;
  while (!missesEnd.empty() && missesEnd.front() <= begin)
    missesEnd.pop_front();
  const size_t most = std::max(1u, data.l1InFlightBytes / data.l1Line);
  if (missesEnd.size() >= most)
    begin = std::max(begin, missesEnd[missesEnd.size() - most]);
  const uint64_t here = beyondL1(begin, line << l1.lineShift(), data.l1Line, request.sharing, timing);
  missesEnd.push_back(missesEnd.empty() ? here : std::max(here, missesEnd.back()));
  if (!request.bypassesL1)
    l1Arrivals.set(line, here);
  return {begin, here};
}

VmemTiming MemoryPath::issue(uint64_t now, const VmemRequest &request) {
  VmemTiming timing;
  timing.begin = std::max(now, addressFree);
  while (!loadsEnd.empty() && loadsEnd.front() <= timing.begin)
    loadsEnd.pop_front();
  if (loadsEnd.size() >= data.vmemInFlight)
    timing.begin = loadsEnd[loadsEnd.size() - data.vmemInFlight];
  const unsigned addressCycles = data.textureAddressCycles;
  unsigned cycles = 0, bytesOut = 0, bytesIn = 0;
  uint64_t ready = timing.begin + addressCycles;
  bool reads = false, writes = false;
  for (const Capture::Access &access : request.accesses) {
    const bool isRead = access.kind == Kind::Read, isAtomic = access.kind == Kind::Atomic;
    const unsigned bytes = Lanes * std::max(4u, access.bytes);
    reads |= isRead;
    writes |= !isRead;
    if (isRead || (isAtomic && request.returns))
      bytesOut += bytes;
    if (!isRead)
      bytesIn += bytes;
    lines.clear();
    timing.requests += findLines(access);
    timing.lines += lines.size();
    // A line a cycle if L1 may have it, and no more bytes a cycle than L1 moves.
    const unsigned lineCycles = isRead && request.bypassesL1 ? lines.size() * data.textureBypassCycles : lines.size();
    const unsigned before = cycles;
    cycles += std::max<unsigned>({request.accesses.size() > 1 ? 1 : addressCycles, lineCycles,
                                  unsigned(divideCeil(bytes, data.textureReturnBytes))});
    const unsigned written = lines.empty() ? 0 : std::min<unsigned>(data.l1Line, divideCeil(bytes, lines.size()));
    for (size_t i = 0; i < lines.size(); ++i) {
      const uint64_t line = lines[i], asked = timing.begin + before + (cycles - before) * (i + 1) / lines.size();
      if (!isRead) {
        ready = std::max(ready, writeLine(asked, line, written, access, request, timing) + (i + 1) * data.l2StoreLine +
                                    translations.wait(asked, line << l1.lineShift()));
        continue;
      }
      const auto [begin, here] = readLine(asked, line, request, timing);
      ready = std::max(ready, here + translations.wait(asked, line << l1.lineShift()));
      // The address unit can't run ahead of requests that wait for a place.
      cycles = std::max<unsigned>(cycles, begin - timing.begin);
    }
  }
  cycles = std::max(cycles, request.isLdsDma ? std::max(addressCycles, data.ldsDmaCycles) : addressCycles);
  timing.end = addressFree = timing.begin + cycles;
  if (bytesIn)
    storeFree = std::max(now, storeFree) + divideCeil(bytesIn, data.textureStoreBytes);
  // Results come in the order of the requests, and what stores report in the order of the stores.
  if (reads || !writes)
    loadsEnd.push_back(timing.returned = returnFree =
                           std::max(ready, returnFree) + divideCeil(bytesOut, data.textureReturnBytes));
  else
    timing.returned = lastWrite = std::max(ready, lastWrite) + divideCeil(bytesOut, data.textureReturnBytes);
  leaves.push_back(timing.end);
  return timing;
}

VmemTiming MemoryPath::scalar(uint64_t now, ArrayRef<Capture::Access> accesses, LineSharing sharing) {
  VmemTiming timing;
  timing.begin = now;
  timing.end = now + data.issueSlot;
  timing.returned = now + (accesses.empty() ? data.clockLatency : data.smemLatency);
  for (const Capture::Access &access : accesses)
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (const uint64_t at = access.address[lane]) {
        const unsigned shift = scalarCache.lineShift();
        for (uint64_t line = (at - memoryBegin) >> shift; line <= (at - memoryBegin + access.bytes - 1) >> shift;
             ++line) {
          ++timing.lines;
          ++timing.requests;
          if (isNew(line << shift, data.scalarCacheLine) && !scalarCache.has(line)) {
            // What the host has written for the launch isn't in any cache, and L2 doesn't take it.
            scalarCache.access(line);
            ++timing.hits[size_t(Level::Memory)];
            timing.level = Level::Memory;
            argumentsTranslated = std::min(argumentsTranslated, now + data.tlbMiss);
            const uint64_t here = std::max(now, argumentsTranslated) + data.kernargLatency - data.tlbMiss;
            scalarArrivals.set(line, here);
            timing.returned = std::max(timing.returned, here);
          } else if (scalarCache.access(line)) {
            ++timing.hits[size_t(Level::Scalar)];
            timing.level = std::max(timing.level, Level::Scalar);
            timing.returned = std::max(timing.returned, scalarArrivals.of(line));
          } else {
            const uint64_t here =
                beyondL1(now, line << shift, data.scalarCacheLine, sharing, timing) + data.smemMissLatency;
            scalarArrivals.set(line, here);
            timing.returned = std::max(timing.returned, here);
          }
        }
      }
  return timing;
}

void MemoryPath::invalidateL1() {
  l1.clear();
  l1Arrivals.clear();
}

void MemoryPath::invalidateScalar() {
  scalarCache.clear();
  scalarArrivals.clear();
}

} // namespace inflight::machine::timed
