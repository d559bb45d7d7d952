#include "machine/Memory.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <sys/mman.h>

using namespace llvm;

namespace inflight::machine {

// Address space only: pages cost memory when they are touched.
static constexpr uint64_t arenaBytes = uint64_t(1) << 40, leastArenaBytes = uint64_t(1) << 24;
static constexpr uint64_t allocationAlignment = 256, gap = 4096;

static void *reserveAddresses(uint64_t bytes) {
  void *arena = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return arena == MAP_FAILED ? nullptr : arena;
}

Memory::Memory() {
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

Expected<uint64_t> Memory::allocate(uint64_t bytes, std::string name) {
  if (!base || next + gap > limit || bytes > limit - next - gap)
    return makeError("cannot allocate " + Twine(bytes) + " bytes of device memory" + limitOf(limit - base));
  uint64_t address = next;
  allocations.push_back({address, address + bytes});
  if (!name.empty())
    named.push_back({allocations.back(), std::move(name)});
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

std::string Memory::describe(uint64_t address) const {
  for (const Named &r : reserved)
    if (address - r.place.begin < r.place.end - r.place.begin)
      return r.name;
  constexpr uint64_t near = gap / 2;
  for (const auto &[place, name] : named) {
    if (address + near < place.begin || address >= place.end + near)
      continue;
    if (address < place.begin)
      return formatv("{0} - 0x{1:x-}", name, place.begin - address);
    const std::string at = formatv("{0} + 0x{1:x-}", name, address - place.begin);
    return address < place.end ? at : formatv("{0}, beyond its {1} bytes", at, place.end - place.begin).str();
  }
  return formatv("0x{0:x-}", address);
}

bool Memory::findSlow(uint64_t address, uint64_t bytes) const {
  auto it = partition_point(allocations, [&](const Allocation &a) { return a.end <= address; });
  if (it == allocations.end() || !it->contains(address, bytes))
    return false;
  lastHit = it - allocations.begin();
  return true;
}

} // namespace inflight::machine
