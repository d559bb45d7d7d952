// The LDS of a compute unit: queues, ports and banks.
//
// Two SIMDs share a port. Requests wait in the port's queue; a request's addresses and data come in by the port, one after
// another, its lanes go to the banks in groups, and what it reads goes out by the port. The banks serve both ports.
#pragma once

#include "isa/TargetInfo.h"
#include "machine/timed/Capture.h"
#include "machine/timed/TimingData.h"
#include <deque>

namespace inflight::machine::timed {

struct LdsTiming {
  uint64_t begin = 0, end = 0; ///< at the port
  uint64_t returned = 0;
  unsigned conflicts = 0;      ///< cycles of the banks beyond those of the same access without conflicts
  unsigned phases = 0;
};

class LdsUnit {
public:
  LdsUnit(const TimingData &data, const TargetInfo &target) : data(data), banks(target.ldsBanks) {}

  /// When the queue of the SIMD's port takes one more.
  uint64_t accepts(unsigned simd, uint64_t now);
  /// An instruction with these accesses (none: it only exchanges lanes) issued at `now`.
  LdsTiming issue(unsigned simd, uint64_t now, llvm::ArrayRef<Capture::Access> accesses, uint64_t ldsBegin, bool returns);
  /// Data of LDS DMA that arrives.
  uint64_t write(uint64_t now, const Capture::Access &access, uint64_t ldsBegin);

private:
  struct Port {
    std::deque<uint64_t> leaves; ///< when requests leave the queue
    uint64_t inFree = 0, outFree = 0;
  };
  /// Cycles of the banks for one access.
  unsigned bankCycles(const Capture::Access &access, uint64_t ldsBegin, unsigned &phases) const;

  const TimingData &data;
  const unsigned banks;
  Port ports[2];
  uint64_t banksFree = 0;
};

} // namespace inflight::machine::timed
