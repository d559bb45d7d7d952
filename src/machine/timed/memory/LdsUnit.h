// The LDS of a compute unit: ports, queues and banks.
//
// Two SIMDs share a port. An instruction occupies the port while its addresses and data come in, 64 lanes of a dword in
// four cycles, and then waits in the pair's queue, of which there are two: one of commands and one of what came in. The
// pair serves one command after another, of the two SIMDs in turn, so many lanes a cycle as the rule of the access
// says, or slower if banks conflict. Both pairs want the same banks.
#pragma once

#include "isa/timing/TimingData.h"
#include "machine/timed/memory/BankCalendar.h"
#include "machine/timed/memory/LdsBanks.h"
#include <deque>

namespace inflight::machine::timed {

using timing::TimingData;

struct LdsTiming {
  uint64_t begin = 0, end = 0; ///< of being served
  uint64_t returned = 0;
  unsigned conflicts = 0; ///< cycles of the banks beyond those of the same access without conflicts
  unsigned phases = 0;
};

class LdsUnit {
public:
  /// `hasNoConflicts`: every access is as fast as if its banks didn't conflict.
  explicit LdsUnit(const TimingData &data LLVM_LIFETIME_BOUND, bool hasNoConflicts = false)
      : data(data), hasNoConflicts(hasNoConflicts) {}

  /// When the SIMD's port takes an instruction that brings in so many dwords a lane, addresses included.
  uint64_t accepts(unsigned simd, uint64_t now, unsigned dwordsIn);
  /// An instruction with these accesses (none: it only exchanges lanes) issued at `now`.
  LdsTiming issue(unsigned simd, uint64_t now, llvm::ArrayRef<Capture::Access> accesses, unsigned dwordsIn);
  /// Data of LDS DMA issued at `now` that arrive at `time`: when they are there.
  uint64_t write(uint64_t now, uint64_t time, const Capture::Access &access);

private:
  struct Port {
    std::deque<uint64_t> commands; ///< when they leave their queue
    std::deque<uint64_t> slots;    ///< when what came in has left
    uint64_t inFree = 0, serves = 0;
    uint64_t waitsSince[2] = {never, never}; ///< by SIMD: an instruction that the port hasn't taken
  };
  static constexpr uint64_t never = ~uint64_t(0);

  BankCycles cyclesOf(const Capture::Access &access, const LdsRule &rule);

  const TimingData &data;
  const bool hasNoConflicts;
  LdsBanks banks;
  Port ports[2];
  BankCalendar bankTime;
};

} // namespace inflight::machine::timed
