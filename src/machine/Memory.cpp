#include "machine/Memory.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <sys/mman.h>

using namespace llvm;

namespace inflight::machine {

// Address space only: pages cost memory when they are touched.
static constexpr uint64_t arenaBytes = uint64_t(1) << 40;
static constexpr uint64_t allocationAlignment = 256, gap = 4096;

Memory::Memory() {
  void *arena = mmap(nullptr, arenaBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena != MAP_FAILED) {
    base = reinterpret_cast<uint64_t>(arena);
    next = base + gap;
    limit = base + arenaBytes;
  }
  allocations.push_back({0, 0});
}

Memory::~Memory() {
  if (base)
    munmap(reinterpret_cast<void *>(base), arenaBytes);
}

Expected<uint64_t> Memory::allocate(uint64_t bytes) {
  if (!base || bytes > limit - next - gap)
    return makeError("cannot allocate " + Twine(bytes) + " bytes of device memory");
  uint64_t address = next;
  allocations.push_back({address, address + bytes});
  next = alignTo(address + bytes + gap, allocationAlignment);
  return address;
}

Expected<uint64_t> Memory::reserve(std::string what, uint64_t bytes) {
  if (!base || bytes > limit - next - gap)
    return makeError("cannot reserve " + Twine(bytes) + " bytes of device addresses");
  uint64_t address = next;
  reserved.push_back({{address, address + bytes}, std::move(what)});
  next = alignTo(address + bytes + gap, allocationAlignment);
  return address;
}

std::string Memory::describe(uint64_t address) const {
  for (const Reserved &r : reserved)
    if (address - r.place.begin < r.place.end - r.place.begin)
      return ": " + r.what;
  return "";
}

bool Memory::findSlow(uint64_t address, uint64_t bytes) const {
  auto it = partition_point(allocations, [&](const Allocation &a) { return a.end <= address; });
  if (it == allocations.end() || !it->contains(address, bytes))
    return false;
  lastHit = it - allocations.begin();
  return true;
}

} // namespace inflight::machine
