// Vector and scalar memory in time.
#include "TimedSnippet.h"
#include "machine/timed/memory/MemoryPath.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::machine;
using namespace inflight::machine::test;
using namespace inflight::machine::timed;
using events::Level;
using Kind = AccessObserver::Kind;

namespace {

constexpr uint64_t begin = 1 << 20;

template <typename Place> Capture::Access access(unsigned bytes, Kind kind, Place place) {
  return accessAt(bytes, kind, [&](unsigned lane) { return begin + place(lane); });
}

/// Of a dword.
Capture::Access ofOneLane(uint64_t place) {
  Capture::Access made = access(4, Kind::Read, [&](unsigned) { return place; });
  std::fill(std::begin(made.address) + 1, std::end(made.address), 0);
  return made;
}

struct Path : testing::Test {
  explicit Path(bool hasTranslations = true)
      : data(llvm::cantFail(TimingData::load("gfx942"))), memory(data, shares(hasTranslations), begin) {}
  Shares shares(bool hasTranslations) {
    Shares shares;
    shares.l2 = shares.l2Write = 64, shares.mall = 32, shares.memory = shares.memorySustained = 16;
    shares.l2Bytes = data.l2Bytes, shares.mallBytes = 1 << 24, shares.l2Dirty = 1 << 16;
    shares.hasTranslations = hasTranslations;
    shares.writtenBegin = begin + (1 << 20), shares.writtenEnd = shares.writtenBegin + 256;
    return shares;
  }
  VmemTiming load(uint64_t now, uint64_t first, unsigned bytes = 4, unsigned stride = 0, bool bypassesL1 = false) {
    const Capture::Access one =
        access(bytes, Kind::Read, [&](unsigned lane) { return first + uint64_t(stride ? stride : bytes) * lane; });
    return memory.issue(now, {one, true, bypassesL1, false, {}});
  }
  VmemTiming store(uint64_t now, uint64_t first, unsigned bytes = 4) {
    const Capture::Access one = access(bytes, Kind::Write, [&](unsigned lane) { return first + bytes * lane; });
    return memory.issue(now, {one, false, false, false, {}});
  }
  TimingData data;
  MemoryPath memory;
};

/// TCP_TOTAL_CACHE_ACCESSES counts requests of 64 bytes, two a line where both halves are wanted.
TEST_F(Path, RequestsAreHalfALine) {
  EXPECT_EQ(load(0, 0).requests, 4u);
  EXPECT_EQ(load(0, 0, 16).requests, 16u);
  EXPECT_EQ(load(0, 32).requests, 5u);
  EXPECT_EQ(load(0, 0, 4, 128).requests, 64u); // one half of each line
  EXPECT_EQ(load(0, 0, 4, 64).requests, 64u);
  EXPECT_EQ(load(0, 60, 8, 128).requests, 128u);
  EXPECT_EQ(store(0, 0, 8).requests, 8u);
}

TEST_F(Path, LanesOfALineAreOneRequest) {
  EXPECT_EQ(load(0, 0).lines, 2u);
  EXPECT_EQ(load(0, 0, 16).lines, 8u);
  EXPECT_EQ(load(0, 64).lines, 3u);
  EXPECT_EQ(load(0, 0, 4, 128).lines, 64u);
  EXPECT_EQ(load(0, 0, 4, 256).lines, 64u);
  EXPECT_EQ(load(0, 4096 - 8, 16).lines, 9u);
}

TEST_F(Path, TheAddressUnitTakesALineACycle) {
  auto cycles = [&](const VmemTiming &t) { return t.end - t.begin; };
  EXPECT_EQ(cycles(load(0, 0)), data.textureAddressCycles);
  EXPECT_EQ(cycles(load(10000, 0, 16)), 16u);
  EXPECT_EQ(cycles(load(20000, 0, 4, 128)), 64u);
}

struct PathWithoutTranslations : Path {
  PathWithoutTranslations() : Path(false) {}
};

TEST_F(PathWithoutTranslations, APageIsTranslatedOnceWhileThereIsRoom) {
  uint64_t now = 0;
  // Lines of memory's, whose times differ by a few cycles of the links before it.
  auto took = [&](uint64_t place) {
    now += 20000;
    return double(load(now, place).returned - now);
  };
  const uint64_t page = data.tlbPageBytes;
  const double first = took(0), miss = data.tlbMiss, few = 8;
  EXPECT_NEAR(took(4096), first - miss, few);
  EXPECT_NEAR(took(page), first, few);
  // A load of a page whose translation is on its way waits for the rest.
  load(now += 20000, 2 * page);
  EXPECT_NEAR(double(load(now + miss / 2, 2 * page + 4096).returned - now), first + 16, 16 + few);
  for (uint64_t i = 3; i <= data.tlbPages; ++i)
    took(i * page);
  EXPECT_NEAR(took(8192), first, few); // the oldest has given way
  EXPECT_NEAR(took(12288), first - miss, few);
}

TEST_F(Path, EachLevelHasItsLatency) {
  const uint64_t memoryTime = load(0, 0).returned;
  const uint64_t l1Time = load(10000, 0).returned - 10000;
  EXPECT_EQ(l1Time, data.l1Latency + data.textureAddressCycles + 4);
  memory.invalidateL1();
  const uint64_t l2Time = load(20000, 0).returned - 20000;
  EXPECT_GE(l2Time, data.l2Latency + data.textureAddressCycles + 4);
  EXPECT_LT(l2Time, data.l2Latency + 20);
  EXPECT_GE(memoryTime, data.memoryLatency + data.textureAddressCycles + 4);
}

TEST_F(Path, ALineInFlightIsNoHitYet) {
  const VmemTiming first = load(0, 0), second = load(8, 0);
  EXPECT_EQ(second.level, Level::L1);
  EXPECT_GE(second.returned, first.returned);
  EXPECT_LT(load(5000, 0).returned, 5000 + first.returned);
}

TEST_F(Path, ResultsComeInOrder) {
  load(0, 0);
  const VmemTiming far = load(10000, 1 << 19), near = load(10008, 0);
  EXPECT_EQ(near.level, Level::L1);
  EXPECT_GT(near.returned, far.returned);
}

TEST_F(Path, StoresDontHoldLoadsBack) {
  load(0, 0);
  const VmemTiming stored = store(10000, 1 << 19), loaded = load(10020, 0);
  EXPECT_LT(loaded.returned, stored.returned);
}

TEST_F(Path, DataOfStoresComeInOneAfterAnother) {
  store(0, 0, 16);
  EXPECT_EQ(memory.accepts(4, true), 16u);
  EXPECT_EQ(memory.accepts(4, false), 4u);
}

TEST_F(Path, MemoryAfterStoresMakesThemWait) {
  // 4 MiB stay in L2; the next 4 MiB have others leave it, at 16 bytes a cycle in 2^18 cycles, of which 2^12 are
  // hidden.
  uint64_t last = 0;
  for (unsigned i = 0; i < 8192; ++i)
    last = store(memory.accepts(i * 16, true), i * 1024, 16).returned;
  EXPECT_NEAR(double(last), double(4096 * 16 + (1 << 18)), double(1 << 13));
}

TEST_F(Path, AtomicsOnOneWordAreDoneOneAfterAnother) {
  auto atomic = [&](uint64_t now, uint64_t first, unsigned stride, LineSharing sharing = {}) {
    const Capture::Access one = access(4, Kind::Atomic, [&](unsigned lane) { return first + stride * lane; });
    return memory.issue(now, {one, true, false, false, sharing}).returned - now;
  };
  const uint64_t apart = atomic(0, 0, 4);
  EXPECT_EQ(atomic(100000, 0, 0), apart - data.l2StoreLine + 63 * data.l2AtomicLane);
  // One that seven other units change as well.
  const LineSharing eight{~0u / 8, ~0u};
  atomic(200000, 4096, 0, eight);
  EXPECT_GT(atomic(200010, 4096, 0, eight), apart + 7 * 64 * data.l2AtomicLane - 100);
}

TEST_F(Path, PoliciesPassL1By) {
  load(0, 0);
  const VmemTiming passing = load(10000, 0, 4, 0, true);
  EXPECT_EQ(passing.level, Level::L2);
}

TEST_F(Path, AtomicsAreDoneInL2) {
  load(0, 0);
  const Capture::Access add = access(4, Kind::Atomic, [](unsigned lane) { return 4 * lane; });
  const VmemTiming done = memory.issue(10000, {add, true, false, false, {}});
  EXPECT_EQ(done.level, Level::L2);
  EXPECT_GE(done.returned - 10000, data.l2Latency + data.l2AtomicExtra);
  EXPECT_EQ(load(20000, 0).level, Level::L2);
}

TEST_F(Path, L1AsksForSoManyLinesAtATime) {
  // Without returns all but the last of these lines fill what may be in flight.
  const unsigned most = data.l1InFlightBytes / data.l1Line;
  uint64_t now = 0;
  VmemTiming timing;
  for (unsigned i = 0; i <= most / 64; ++i, now = timing.end)
    timing = load(now, i * 64 * 128, 4, 128);
  EXPECT_GT(timing.end, data.memoryLatency);
}

TEST_F(Path, ScalarLinesInFlightAreNoHitsYet) {
  const Capture::Access one = ofOneLane(0);
  const uint64_t first = memory.scalar(0, one, {}).returned;
  EXPECT_GE(memory.scalar(4, one, {}).returned, first);
  EXPECT_EQ(memory.scalar(10000, one, {}).returned, 10000 + data.smemLatency);
  memory.invalidateScalar();
  EXPECT_GT(memory.scalar(20000, one, {}).returned, 20000 + data.smemLatency);
}

TEST_F(Path, LaterLinesOfTheArgumentsHaveTheirPagesTranslation) {
  const auto argument = [&](uint64_t now, uint64_t offset) {
    return memory.scalar(now, ofOneLane((1 << 20) + offset), {}).returned - now;
  };
  EXPECT_EQ(argument(0, 0), data.kernargLatency);
  EXPECT_EQ(argument(10, 64), data.kernargLatency - 10) << "both wait for the same translation";
  EXPECT_EQ(argument(10000, 128), data.kernargLatency - data.tlbMiss);
}

TEST_F(Path, LinesThatOtherUnitsBroughtAreInL2) {
  const Capture::Access one = access(4, Kind::Read, [](unsigned lane) { return 128 * lane; });
  const VmemTiming shared = memory.issue(0, {one, true, false, false, {0, ~0u}});
  EXPECT_EQ(shared.hits[size_t(Level::L2)], 64u);
  const Capture::Access other = access(4, Kind::Read, [](unsigned lane) { return (1 << 16) + 128 * lane; });
  const VmemTiming half = memory.issue(100000, {other, true, false, false, {1u << 31, 0}});
  EXPECT_NEAR(half.hits[size_t(Level::L2)], 32, 12);
  EXPECT_EQ(half.hits[size_t(Level::Mall)], 64u - half.hits[size_t(Level::L2)]);
}

/// Where the last operation of `body` found its data; what is before it was a second ago.
Level levelOfLast(const char *chip, const std::string &body) {
  Recording r = runTimed({.chip = chip, .body = body});
  return r.operations.back().level;
}

TEST(MemoryInstructions, CachePoliciesAndInvalidations) {
  const std::string first = "global_load_dword v10, v1, s[2:3]\ns_waitcnt vmcnt(0)\n",
                    again = "global_load_dword v10, v1, s[2:3]";
  EXPECT_EQ(levelOfLast("gfx942", first + again), Level::L1);
  EXPECT_EQ(levelOfLast("gfx942", first + again + " sc0"), Level::L1);
  EXPECT_EQ(levelOfLast("gfx942", first + again + " sc1"), Level::L2);
  EXPECT_EQ(levelOfLast("gfx942", first + again + " nt"), Level::L2);
  EXPECT_EQ(levelOfLast("gfx90a", first + again + " glc"), Level::L2);
  EXPECT_EQ(levelOfLast("gfx942", first + "buffer_inv sc1\ns_waitcnt vmcnt(0)\n" + again), Level::L2);
  EXPECT_EQ(levelOfLast("gfx90a", first + "buffer_wbinvl1_vol\ns_waitcnt vmcnt(0)\n" + again), Level::L2);
  EXPECT_EQ(levelOfLast("gfx942", first + "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\n" + again), Level::L1);
  EXPECT_EQ(levelOfLast("gfx942", "s_load_dword s8, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\ns_load_dword s8, s[2:3], 0x0"),
            Level::Scalar);
  EXPECT_NE(levelOfLast("gfx942", "s_load_dword s8, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\ns_dcache_inv\ns_waitcnt "
                                  "lgkmcnt(0)\ns_load_dword s8, s[2:3], 0x0"),
            Level::Scalar);
}

TEST(MemoryInstructions, LoadsToLdsReturnWhenLdsHasThem) {
  Recording r = runTimed({.body = "s_mov_b32 m0, 0\nglobal_load_lds_dword v1, s[2:3]\ns_waitcnt vmcnt(0)"});
  EXPECT_TRUE(r.operations.back().isLdsDma);
  EXPECT_EQ(r.operations.back().requests, 4u); // of 64 bytes
  EXPECT_GT(r.operations.back().returned, r.operations.back().issued + 500);
}

} // namespace
