#include "machine/memory/Memory.h"

#include "machine/memory/DeviceHeap.h"
#include "machine/memory/Unwritten.h"
#include "support/Diagnostics.h"
#include "support/PageSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>

using namespace llvm;

namespace inflight::machine {

// Address space only: pages cost memory when they are touched.
static constexpr uint64_t arenaBytes = uint64_t(1) << 40, leastArenaBytes = uint64_t(1) << 24;
static constexpr uint64_t allocationAlignment = 256, gap = 2 * Memory::nearBytes;

/// Where nothing else is as a rule: addresses are then the same in each run.
static constexpr uint64_t usualBase = uint64_t(1) << 44;

static void *reserveAddresses(uint64_t bytes) {
  void *arena =
      mmap(hostMemory(usualBase), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return arena == MAP_FAILED ? nullptr : arena;
}

Memory::Memory() : unwrittenBytes(std::make_unique<Unwritten>()) {
  uint64_t bytes = arenaBytes;
  void *arena = reserveAddresses(bytes);
  while (!arena && bytes > leastArenaBytes)
    arena = reserveAddresses(bytes /= 2);
  // Where address space is limited, threads and the rest of the process need some, too.
  if (arena && bytes != arenaBytes) {
    munmap(arena, bytes);
    arena = reserveAddresses(bytes /= 2);
  }
  if (arena) {
    base = reinterpret_cast<uint64_t>(arena);
    next = base + gap;
    limit = base + bytes;
  }
  allocations.push_back({0, 0});
}

Memory::~Memory() {
  forgetOwnHeap(); // which unregisters its range
  if (base)
    munmap(hostMemory(base), limit - base);
}

/// Why there is no room.
static std::string limitOf(uint64_t bytes) {
  if (bytes == arenaBytes)
    return "";
  return ": of the address space only " + std::to_string(bytes >> 20) +
         " MiB could be reserved (ulimit -v, vm.overcommit_memory)";
}

static void insert(std::vector<Allocation> &list, Allocation made) {
  list.insert(partition_point(list, [&](const Allocation &a) { return a.end <= made.begin; }), made);
}

Error Memory::registerRange(uint64_t begin, uint64_t bytes, std::string name) {
  if (!begin || !bytes || bytes > ~begin)
    return makeError(formatv("no range of memory: {0} bytes at 0x{1:x-}", bytes, begin));
  const Allocation range{begin, begin + bytes};
  auto overlaps = [&](const Allocation &other) { return other.begin < range.end && range.begin < other.end; };
  if (overlaps({base, limit}) || any_of(registered, overlaps))
    return makeError(formatv("{0} bytes at 0x{1:x-} overlap with memory that is registered already", bytes, begin));
  erase_if(retired, [&](const Named &old) { return overlaps(old.place); });
  insert(allocations, range);
  insert(registered, range);
  rangeNames.push_back({range, std::move(name)});
  return Error::success();
}

bool Memory::unregisterRange(uint64_t begin) {
  auto isIt = [&](const Allocation &range) { return range.begin == begin; };
  if (none_of(registered, isIt))
    return false;
  erase_if(registered, isIt);
  erase_if(allocations, isIt);
  erase_if(hidden, [&](const Named &range) { return isIt(range.place); });
  erase_if(shared, isIt);
  erase_if(rangeNames, [&](const Named &range) { return isIt(range.place); });
  unwrittenBytes->remove(begin);
  return true;
}

bool Memory::isReadable(uint64_t address, uint64_t bytes) const {
  // Below the end of the last byte's page there is memory.
  return any_of(registered, [&](const Allocation &range) {
    if (any_of(hidden, [&](const Named &other) { return other.place.begin == range.begin; }))
      return false;
    const uint64_t end =
        std::min(range.begin + alignTo(range.end - range.begin, granule), alignTo(range.end, pageBytes()));
    return Allocation{range.begin, end}.contains(address, bytes);
  });
}

bool Memory::retireRange(uint64_t begin) {
  const auto named = find_if(rangeNames, [&](const Named &range) { return range.place.begin == begin; });
  if (named != rangeNames.end())
    retired.push_back(*named);
  return unregisterRange(begin);
}

void Memory::forgetRetired(uint64_t begin) {
  erase_if(retired, [&](const Named &range) { return range.place.begin == begin; });
}

bool Memory::hide(uint64_t address, std::string why) {
  const auto holder = find_if(allocations, [&](const Allocation &range) { return range.contains(address, 1); });
  if (holder == allocations.end())
    return false;
  hidden.push_back({*holder, std::move(why)});
  allocations.erase(holder);
  return true;
}

bool Memory::show(uint64_t address) {
  const auto holder = find_if(hidden, [&](const Named &range) { return range.place.contains(address, 1); });
  if (holder == hidden.end())
    return false;
  insert(allocations, holder->place);
  hidden.erase(holder);
  return true;
}

void Memory::release(const Mark &mark) {
  for (std::vector<Allocation> *list : {&allocations, &shared})
    erase_if(*list, [&](const Allocation &a) { return a.begin >= mark.next && a.end <= limit; });
  reserved.resize(mark.reserved);
  named.resize(mark.named);
  // What is allocated there next is zero again. Few pages are cheaper to write than to give back.
  constexpr uint64_t few = 1 << 16;
  if (next - mark.next <= few) {
    std::memset(pointer(mark.next), 0, next - mark.next);
  } else {
    const uint64_t first = alignTo(mark.next, pageBytes());
    std::memset(pointer(mark.next), 0, first - mark.next);
    madvise(pointer(first), next - first, MADV_DONTNEED);
  }
  next = mark.next;
}

void Memory::forget(uint64_t begin) {
  erase_if(allocations, [&](const Allocation &a) { return a.begin == begin; });
  erase_if(hidden, [&](const Named &h) { return h.place.begin == begin; });
  erase_if(named, [&](const Named &n) { return n.place.begin == begin; });
}

Expected<DeviceHeap *> Memory::heap() {
  if (heapInUse())
    return heapInUse();
  Expected<std::unique_ptr<DeviceHeap>> made = DeviceHeap::create(*this);
  if (!made)
    return made.takeError();
  ownHeap = std::move(*made);
  return ownHeap.get();
}

void Memory::forgetOwnHeap() { ownHeap.reset(); }

uint64_t Memory::totalBytes() const {
  uint64_t sum = 0;
  for (const Allocation &range : allocations)
    if (none_of(shared, [&](const Allocation &other) { return other.begin == range.begin; }))
      sum += range.end - range.begin;
  return sum;
}

Expected<uint64_t> Memory::allocate(uint64_t bytes, std::string name) {
  if (!base || next + gap > limit || bytes > limit - next - gap)
    return makeError("cannot allocate " + Twine(bytes) + " bytes of device memory" + limitOf(limit - base));
  uint64_t address = next;
  const Allocation made{address, address + bytes};
  insert(allocations, made);
  if (!name.empty())
    named.push_back({made, std::move(name)});
  next = alignTo(address + bytes + gap, allocationAlignment);
  return address;
}

Expected<uint64_t> Memory::reserve(std::string what, uint64_t bytes) {
  if (!base || next + gap > limit || bytes > limit - next - gap)
    return makeError("cannot reserve " + Twine(bytes) + " bytes of device addresses" + limitOf(limit - base));
  uint64_t address = next;
  reserved.push_back({{address, address + bytes}, std::move(what)});
  next = alignTo(address + bytes + gap, allocationAlignment);
  return address;
}

/// Whether the process has something there.
static bool isMapped(uint64_t address) {
  unsigned char isResident = 0;
  return mincore(hostMemory(alignDown(address, pageBytes())), 1, &isResident) == 0;
}

std::string Memory::describe(uint64_t address) const {
  const auto holder = find_if(hidden, [&](const Named &range) { return range.place.contains(address, 1); });
  const std::string why = holder == hidden.end() ? "" : ", " + holder->name;
  for (const Named &r : reserved)
    if (address - r.place.begin < r.place.end - r.place.begin)
      return r.name;
  // The host's memory has no gaps: what holds the address goes before what ends near it.
  for (uint64_t around : {uint64_t(0), nearBytes}) {
    for (const std::vector<Named> *list : {&named, &rangeNames})
      for (const auto &[place, name] : *list) {
        if (address + around < place.begin || address >= place.end + around || name.empty())
          continue;
        if (address < place.begin)
          return formatv("{0} - 0x{1:x-}", name, place.begin - address);
        const std::string at = formatv("{0} + 0x{1:x-}", name, address - place.begin);
        return address < place.end ? at + why : formatv("{0}, beyond its {1} bytes", at, place.end - place.begin).str();
      }
    for (const auto &[place, name] : retired)
      if (address - place.begin < place.end - place.begin)
        return formatv("{0} + 0x{1:x-}, which has been freed", name, address - place.begin);
  }
  const bool isHosts = address - base >= limit - base && isMapped(address);
  return formatv(isHosts ? "0x{0:x-}, memory of the host alone" : "0x{0:x-}", address);
}

std::string Memory::describe(uint64_t base, int64_t offset) const {
  for (const std::vector<Named> *list : {&named, &rangeNames})
    for (const auto &[place, name] : *list) {
      const int64_t from = int64_t(base - place.begin) + offset;
      if (base < place.begin || base >= place.end || name.empty())
        continue;
      if (from < 0)
        return formatv("{0} - 0x{1:x-}", name, uint64_t(-from));
      return formatv("{0} + 0x{1:x-}, beyond its {2} bytes", name, from, place.end - place.begin);
    }
  return describe(base + offset);
}

} // namespace inflight::machine
