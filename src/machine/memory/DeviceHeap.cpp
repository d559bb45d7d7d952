#include "machine/memory/DeviceHeap.h"

#include "machine/memory/Memory.h"
#include "machine/memory/Unwritten.h"
#include "support/Diagnostics.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <iterator>
#include <sys/mman.h>

using namespace llvm;

namespace inflight::machine {

// ROCm-Device-Libs, ockl/src/dm.cl: slabs are found by the upper bits of a block's address, and what isn't in a slab by
// its being on a page. clr, rocclr/device/rocm/rocdevice.cpp (HiddenHeapAlloc) has the control block's size.
static constexpr uint64_t slabBytes = uint64_t(1) << 21, blockPage = 4096, controlBytes = uint64_t(128) << 10;

Expected<std::unique_ptr<DeviceHeap>> DeviceHeap::create(Memory &memory, uint64_t wanted) {
  const uint64_t bytes = alignTo(std::max(wanted, controlBytes), slabBytes) + slabBytes,
                 mappedBytes = bytes + slabBytes;
  void *const mapped = wanted > UINT64_MAX / 2 ? MAP_FAILED
                                               : mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE,
                                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return makeError("cannot reserve " + Twine(wanted) + " bytes for malloc in kernels");
  const auto place = reinterpret_cast<uint64_t>(mapped);
  std::unique_ptr<DeviceHeap> made(new DeviceHeap(memory, place, mappedBytes, alignTo(place, slabBytes), bytes));
  if (Error error = memory.registerRange(made->begin, bytes, "the heap of malloc in kernels"))
    return std::move(error);
  memory.addShared(made->begin, bytes);
  return made;
}

DeviceHeap::DeviceHeap(Memory &memory, uint64_t mapped, uint64_t mappedBytes, uint64_t begin, uint64_t bytes)
    : memory(memory), mapped(mapped), mappedBytes(mappedBytes), begin(begin), bytes(bytes) {
  all.unused[begin + controlBytes] = bytes - controlBytes;
}

DeviceHeap::~DeviceHeap() {
  (void)memory.unregisterRange(begin);
  munmap(hostMemory(mapped), mappedBytes);
}

void DeviceHeap::followWrites() {
  memory.unwritten().add(begin, bytes);
  memory.unwritten().write(begin, controlBytes);
}

uint64_t DeviceHeap::allocate(uint64_t wanted) {
  if (!wanted || wanted > bytes)
    return 0;
  const uint64_t size = alignTo(wanted, blockPage), alignment = wanted < slabBytes ? blockPage : slabBytes;
  for (auto [place, room] : all.unused) {
    const uint64_t at = alignTo(place, alignment), before = at - place;
    if (before > room || size > room - before)
      continue;
    all.unused.erase(place);
    if (before)
      all.unused[place] = before;
    if (const uint64_t after = room - before - size)
      all.unused[at + size] = after;
    all.used[at] = size;
    return at;
  }
  return 0;
}

void DeviceHeap::free(uint64_t address) {
  const auto found = all.used.find(address);
  if (found == all.used.end())
    return;
  uint64_t place = address, size = found->second;
  all.used.erase(found);
  // Joined with its neighbours.
  auto after = all.unused.lower_bound(place);
  if (after != all.unused.end() && after->first == place + size) {
    size += after->second;
    after = all.unused.erase(after);
  }
  if (after != all.unused.begin())
    if (const auto before = std::prev(after); before->first + before->second == place) {
      place = before->first;
      size += before->second;
    }
  all.unused[place] = size;
}

} // namespace inflight::machine
