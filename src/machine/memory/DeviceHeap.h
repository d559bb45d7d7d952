// What malloc and new in kernels hand out.
//
// The device library (ockl, dm.cl) keeps blocks in slabs and all that it knows of them in a control block, whose
// address is the hidden argument `hidden_heap_v1` and which begins as zeros. Slabs, and what is larger than a block, it
// asks of the host (Hostcalls).
#pragma once

#include "llvm/Support/Compiler.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>

namespace inflight::machine {

class Memory;

/// Device memory for one device's kernels, from launch to launch.
class DeviceHeap {
public:
  static constexpr uint64_t usualBytes = uint64_t(256) << 20;

  static llvm::Expected<std::unique_ptr<DeviceHeap>> create(Memory &memory, uint64_t bytes = usualBytes);
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap &) = delete;
  DeviceHeap &operator=(const DeviceHeap &) = delete;

  /// The value of `hidden_heap_v1`.
  uint64_t address() const { return begin; }
  /// For the check `uninitialised`: what is handed out has not been written to.
  void followWrites();
  /// 0: there is no more. What has a slab's size or more is aligned to it, other memory to a page.
  uint64_t allocate(uint64_t bytes);
  /// Takes back what allocate() gave; other addresses are ignored.
  void free(uint64_t address);
  /// Sizes by address. What has them goes with the contents of the memory.
  struct Blocks {
    std::map<uint64_t, uint64_t> unused, used;
  };
  const Blocks &blocks() const LLVM_LIFETIME_BOUND { return all; }
  void restore(const Blocks &blocks) { all = blocks; }

private:
  DeviceHeap(Memory &memory, uint64_t mapped, uint64_t mappedBytes, uint64_t begin, uint64_t bytes);

  Memory &memory;
  const uint64_t mapped, mappedBytes; ///< of the host
  const uint64_t begin, bytes;        ///< from a slab's boundary on
  Blocks all;
};

} // namespace inflight::machine
