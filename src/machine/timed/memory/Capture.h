// The addresses of one instruction, as its handler reports them.
#pragma once

#include "machine/wave/Wave.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::machine::timed {

/// Accesses of the instruction that executes; cleared before each. One for all waves of a compute unit.
class Capture final : public AccessObserver {
public:
  struct Access {
    uint64_t address[Lanes]; ///< host addresses; 0: none
    unsigned bytes;          ///< of a lane
    Kind kind;
  };

  void clear() { count = 0; }
  llvm::ArrayRef<Access> accesses() const LLVM_LIFETIME_BOUND { return llvm::ArrayRef(held).take_front(count); }

  void lanes(Wave &, const uint64_t *addresses, unsigned bytes, Kind kind) override {
    if (count == held.size())
      held.emplace_back();
    Access &access = held[count++];
    std::memcpy(access.address, addresses, sizeof(access.address));
    access.bytes = bytes;
    access.kind = kind;
  }
  void scalar(Wave &wave, uint64_t address, unsigned bytes) override {
    const uint64_t addresses[Lanes] = {bytes ? address : 0};
    lanes(wave, addresses, bytes, Kind::Read);
  }
  void outOfLds(Wave &, uint64_t) override {}
  void outOfBuffer(Wave &, const OutOfBuffer &) override {}

private:
  std::vector<Access> held;
  size_t count = 0;
};

} // namespace inflight::machine::timed
