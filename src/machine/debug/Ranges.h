// Bytes that the user names: in LDS, in a buffer of the launch, or at addresses.
#pragma once

#include "machine/PreparedLaunch.h"
#include "machine/debug/Request.h"

namespace inflight::machine::debug {

struct PlacedRange {
  bool isLds = false;
  std::string name;  ///< "lds", "argument 2 ('out')", "global"
  uint64_t base = 0; ///< the address of the buffer's first byte; 0 for LDS and addresses
  uint64_t begin = 0, end = 0;
  uint64_t bytes() const { return end - begin; }
  /// What the wave sees of it.
  const uint8_t *at(const Wave &wave) const {
    return isLds ? wave.group->lds.data() + begin : hostMemory(base + begin);
  }
  /// "lds:0x100", "argument 2 ('out') + 0x10", "0x7f0000001000".
  std::string place(uint64_t offset) const;
};

/// Errors say what the launch has instead.
llvm::Expected<PlacedRange> placeRange(const MemoryRange &range, const PreparedLaunch &launch);

} // namespace inflight::machine::debug
