// The global memory that waves may meet in: the arena and what is registered, without what the device library shares
// out.
#pragma once

#include "machine/check/inflight/InFlight.h"
#include "machine/memory/Memory.h"

namespace inflight::machine::check {

class SharedMemory {
public:
  explicit SharedMemory(const Memory &memory);
  /// Of ranges in the order of their addresses.
  explicit SharedMemory(llvm::ArrayRef<Allocation> of);
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  bool covers(uint64_t address, uint64_t bytes) const { return last->contains(address, bytes) || find(address, bytes); }
  /// Each lane's bytes, in whatever ranges. Scratch, which belongs to one lane, isn't covered.
  bool covers(const AccessRecord &record) const {
    return record.low < record.high && (covers(record.low, record.high - record.low) || coversLanes(record));
  }

private:
  bool find(uint64_t address, uint64_t bytes) const;
  bool coversLanes(const AccessRecord &record) const;
  std::vector<Allocation> ranges;           ///< by address; never empty
  mutable const Allocation *last = nullptr; ///< the one looked at last
};

} // namespace inflight::machine::check
