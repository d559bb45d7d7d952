#include "machine/check/races/Shadow.h"
#include "machine/check/races/SharedMemory.h"

#include "gtest/gtest.h"
#include <sys/resource.h>

using namespace inflight::machine;
using namespace inflight::machine::check;

namespace {

/// A dword written by one lane of a wave.
class Writes {
public:
  void beginEpoch() {
    ++epoch;
    shadow.beginEpoch();
  }
  /// Whether another wave has written it in this epoch.
  bool enter(uint64_t address, unsigned wave) {
    AccessRecord record;
    std::fill_n(record.at, Lanes, 0);
    record.at[5] = record.low = address;
    record.bytes = 4;
    record.high = address + 4;
    record.kind = AccessObserver::Kind::Write;
    record.isLds = false;
    Conflict conflict;
    return check::enter(shadow, {record, epoch, 7, wave, false, epoch}, conflict) && conflict.lane == 5 &&
           conflict.address == address;
  }
  Shadow shadow;

private:
  uint32_t epoch = 0;
};

constexpr Allocation range{uint64_t(1) << 20, uint64_t(1) << 40};

} // namespace

TEST(SharedMemory, Covers) {
  const Allocation ranges[] = {{0x1002, 0x1080}, {0x1082, 0x1100}, {0x2000, 0x2004}};
  const SharedMemory memory(ranges);
  EXPECT_TRUE(memory.covers(0x1000, 0x80));
  EXPECT_FALSE(memory.covers(0x10fc, 8));
  EXPECT_TRUE(memory.covers(0x2000, 4));
  EXPECT_FALSE(memory.covers(0x1ffc, 8));
  EXPECT_FALSE(SharedMemory(llvm::ArrayRef<Allocation>()).covers(0, 4));
}

TEST(Shadow, AllOfAnEpochAndNothingOfTheLast) {
  Writes writes;
  for (unsigned round = 0; round < 3; ++round) {
    writes.beginEpoch();
    for (unsigned wave = 0; wave < 2; ++wave)
      for (uint64_t i = 0; i < 1000; ++i)
        ASSERT_EQ(writes.enter(range.begin + 4 * i * (i + round), wave), wave > 0) << round << " " << i;
  }
}

TEST(Shadow, TakesNoMemoryForWhatIsOver) {
  Writes writes;
  auto faults = [] {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const auto before = faults();
  constexpr unsigned epochs = 20000;
  for (uint64_t i = 0; i < epochs; ++i) {
    writes.beginEpoch();
    EXPECT_FALSE(writes.enter(range.begin + 4096 * i, i % 2));
  }
  EXPECT_LT(faults() - before, epochs / 20);
}
