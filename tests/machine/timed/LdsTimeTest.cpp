// LDS in time: which lanes conflict, and what that costs.
#include "TimedSnippet.h"
#include "machine/timed/memory/LdsUnit.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::machine;
using namespace inflight::machine::test;
using namespace inflight::machine::timed;
using Kind = AccessObserver::Kind;

namespace {

constexpr uint64_t ldsBegin = 1 << 20;

template <typename Place> Capture::Access access(unsigned bytes, Kind kind, Place place) {
  return accessAt(bytes, kind, [&](unsigned lane) { return ldsBegin + place(lane); });
}

/// Cycles of the banks beyond those of the same access without conflicts.
template <typename Place> unsigned conflicts(const char *chip, unsigned bytes, Kind kind, Place place) {
  const LdsRules *rules = llvm::cantFail(LdsRules::get(chip));
  LdsBanks banks;
  const BankCycles of = banks.of(access(bytes, kind, place), rules->of(kind == Kind::Write, bytes));
  return of.cycles - of.groups;
}

/// Lanes that conflict with lane `with` when both want different rows of the same banks and the others one place
/// elsewhere: the experiment that found the groups.
std::vector<unsigned> groupOf(const char *chip, unsigned bytes, Kind kind, unsigned with) {
  std::vector<unsigned> found;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (lane == with || conflicts(chip, bytes, kind, [&](unsigned l) {
          return l == with ? bytes : l == lane ? bytes + 256 : 0;
        }))
      found.push_back(lane);
  return found;
}

std::vector<unsigned> ranges(std::initializer_list<std::pair<unsigned, unsigned>> list) {
  std::vector<unsigned> lanes;
  for (auto [first, last] : list)
    for (unsigned lane = first; lane <= last; ++lane)
      lanes.push_back(lane);
  return lanes;
}

TEST(LdsGroups, AreThoseThatWereMeasured) {
  // tingqli/pyhip on MI300.
  EXPECT_EQ(groupOf("gfx942", 16, Kind::Read, 0), ranges({{0, 3}, {20, 23}}));
  EXPECT_EQ(groupOf("gfx942", 16, Kind::Read, 63), ranges({{40, 43}, {60, 63}}));
  EXPECT_EQ(groupOf("gfx942", 8, Kind::Read, 17), ranges({{16, 31}}));
  // Composable Kernel.
  EXPECT_EQ(groupOf("gfx942", 16, Kind::Write, 9), ranges({{8, 15}}));
  // HipKittens on MI355X.
  EXPECT_EQ(groupOf("gfx950", 16, Kind::Read, 0), ranges({{0, 3}, {12, 15}, {20, 27}}));
  EXPECT_EQ(groupOf("gfx950", 16, Kind::Read, 40), ranges({{36, 43}, {48, 51}, {60, 63}}));
  EXPECT_EQ(groupOf("gfx950", 8, Kind::Read, 5), ranges({{0, 31}}));
  EXPECT_EQ(groupOf("gfx950", 8, Kind::Write, 5), ranges({{0, 15}}));
  EXPECT_EQ(groupOf("gfx950", 12, Kind::Read, 12), ranges({{12, 15}, {24, 27}}));
}

TEST(LdsGroups, BanksAreThoseThatWereMeasured) {
  // The distance of two lanes, in dwords, at which they conflict first.
  auto banks = [](const char *chip, unsigned bytes, Kind kind) {
    for (unsigned distance = 4; distance <= 128; ++distance)
      if (conflicts(chip, bytes, kind, [&](unsigned lane) { return lane == 1 ? 4 * distance : 0; }))
        return distance + bytes / 4 - 1; // the first one to reach round
    return 0u;
  };
  EXPECT_EQ(banks("gfx942", 4, Kind::Read), 32u);
  EXPECT_EQ(banks("gfx942", 16, Kind::Read), 32u);
  EXPECT_EQ(banks("gfx950", 16, Kind::Read), 64u);
  EXPECT_EQ(banks("gfx950", 8, Kind::Read), 64u);
  EXPECT_EQ(banks("gfx950", 8, Kind::Write), 32u);
  EXPECT_EQ(banks("gfx950", 12, Kind::Read), 32u);
}

/// A tile of rows of `rowBytes`; lanes read it as factors of a 16-row MFMA: lane % 16 is the row, lane / 16 the piece
/// of 16 bytes.
unsigned rowOf(unsigned lane) { return lane % 16; }
unsigned pieceOf(unsigned lane) { return lane / 16; }

TEST(LdsSwizzles, ARowOf128BytesConflictsAndTheXorOfCompositeKernelDoesNot) {
  auto plain = [](unsigned lane) { return rowOf(lane) * 128 + pieceOf(lane) * 16; };
  auto swizzled = [](unsigned lane) { return rowOf(lane) * 128 + (pieceOf(lane) ^ rowOf(lane) % 8) * 16; };
  EXPECT_GT(conflicts("gfx942", 16, Kind::Read, plain), 0u);
  EXPECT_EQ(conflicts("gfx942", 16, Kind::Read, swizzled), 0u);
  EXPECT_GT(conflicts("gfx950", 16, Kind::Read, plain), 0u);
  EXPECT_EQ(conflicts("gfx950", 16, Kind::Read, swizzled), 0u);
}

TEST(LdsSwizzles, WritingRowByRowDoesNotConflict) {
  // A wave writes eight rows of 128 bytes, 16 bytes a lane, with the same swizzle.
  auto swizzled = [](unsigned lane) { return lane / 8 * 128 + (lane % 8 ^ lane / 8) * 16; };
  for (const char *chip : {"gfx942", "gfx950"}) {
    EXPECT_EQ(conflicts(chip, 16, Kind::Write, [](unsigned lane) { return lane * 16; }), 0u);
    EXPECT_EQ(conflicts(chip, 16, Kind::Write, swizzled), 0u);
  }
}

TEST(LdsSwizzles, PaddingOfRowsBy16BytesHelpsReads) {
  // ROCm/rocm-libraries, rocke attention_dense: rows of 128 bf16 padded to 136, read for 32x32 products.
  auto read = [](unsigned rowBytes) { return [=](unsigned lane) { return lane % 32 * rowBytes + lane / 32 * 16; }; };
  for (const char *chip : {"gfx942", "gfx950"}) {
    EXPECT_GT(conflicts(chip, 16, Kind::Read, read(256)), 0u);
    EXPECT_EQ(conflicts(chip, 16, Kind::Read, read(272)), 0u);
  }
}

TEST(LdsSwizzles, TheTileOfHipKittensOnGfx950) {
  // 16 rows of 32 bf16 in 1 KiB, read with ds_read_b128; bits 9 of the offset flip bits 5.
  auto plain = [](unsigned lane) { return rowOf(lane) * 64 + pieceOf(lane) * 16; };
  EXPECT_EQ(conflicts("gfx950", 16, Kind::Read, plain), 4u);
  EXPECT_EQ(conflicts("gfx950", 16, Kind::Read, [&](unsigned lane) { return plain(lane) ^ (plain(lane) >> 9 << 5); }),
            0u);
}

TEST(LdsSwizzles, TheTileOfModularOnGfx950) {
  // Rows of 128 bytes of FP8 for 16x16x128, read in two halves; bits 8 to 10 flip bits 4 to 6.
  for (unsigned half : {0, 64}) {
    auto plain = [&](unsigned lane) { return rowOf(lane) * 128 + pieceOf(lane) * 16 + half; };
    EXPECT_EQ(conflicts("gfx950", 16, Kind::Read, plain), 12u);
    EXPECT_EQ(
        conflicts("gfx950", 16, Kind::Read, [&](unsigned lane) { return plain(lane) ^ (plain(lane) >> 8 & 7) << 4; }),
        0u);
  }
}

TEST(LdsBanks, LanesThatWantTheSameDwordShareIt) {
  EXPECT_EQ(conflicts("gfx942", 4, Kind::Read, [](unsigned) { return 64; }), 0u);
  EXPECT_EQ(conflicts("gfx942", 1, Kind::Read, [](unsigned lane) { return lane; }), 0u);
  EXPECT_EQ(conflicts("gfx942", 4, Kind::Write, [](unsigned) { return 64; }), 0u);
}

TEST(LdsBanks, AtomicsOnOneAddressTakeTurns) {
  EXPECT_EQ(conflicts("gfx942", 4, Kind::Atomic, [](unsigned) { return 64; }), 62u);
  EXPECT_EQ(conflicts("gfx942", 4, Kind::Atomic, [](unsigned lane) { return 4 * lane; }), 0u);
}

TEST(LdsBanks, StridesOfPowersOfTwoConflictAsOften) {
  for (unsigned stride : {1, 2, 4, 8, 16, 32})
    EXPECT_EQ(conflicts("gfx942", 4, Kind::Read, [&](unsigned lane) { return 4 * stride * lane; }), 2 * stride - 2)
        << stride;
  for (unsigned stride : {3, 5, 9, 17, 33})
    EXPECT_EQ(conflicts("gfx942", 4, Kind::Read, [&](unsigned lane) { return 4 * stride * lane; }), 0u) << stride;
}

TEST(LdsBanks, FullConflictsAreAt128BytesOnGfx942AndAt256OnGfx950) {
  auto stride = [](const char *chip, unsigned bytes) {
    return conflicts(chip, 8, Kind::Read, [&](unsigned lane) { return bytes * lane; });
  };
  EXPECT_EQ(stride("gfx942", 128), 60u);
  EXPECT_EQ(stride("gfx942", 256), 60u);
  EXPECT_EQ(stride("gfx950", 256), 62u);
  EXPECT_EQ(stride("gfx950", 128), 30u);
}

TEST(LdsBanks, InactiveLanesTakeNoTime) {
  Capture::Access one = access(16, Kind::Read, [](unsigned lane) { return 16 * lane; });
  for (unsigned lane = 4; lane < Lanes; ++lane)
    one.address[lane] = 0;
  LdsBanks banks;
  const BankCycles of = banks.of(one, llvm::cantFail(LdsRules::get("gfx942"))->of(false, 16));
  EXPECT_EQ(of.cycles, 1u);
  EXPECT_EQ(of.groups, 1u);
}

TEST(LdsBanks, WhereAPatternBeginsDoesNotMatter) {
  LdsBanks banks;
  const LdsRule &rule = llvm::cantFail(LdsRules::get("gfx950"))->of(false, 16);
  for (unsigned first : {0, 4, 64, 4096})
    EXPECT_EQ(banks.of(access(16, Kind::Read, [&](unsigned lane) { return first + 64 * lane; }), rule).cycles, 16u);
}

struct Unit : testing::Test {
  Unit() : data(llvm::cantFail(TimingData::load("gfx942"))), lds(data) {}
  TimingData data;
  LdsUnit lds;
  LdsTiming read(unsigned simd, uint64_t now, unsigned stride = 16) {
    return lds.issue(simd, now, access(16, Kind::Read, [&](unsigned lane) { return stride * lane; }), 1);
  }
};

TEST_F(Unit, APairOfSimdsSharesAPortTheOtherPairHasItsOwn) {
  EXPECT_EQ(read(0, 0).returned, 56u);
  EXPECT_EQ(read(2, 0).returned, 56u);
  EXPECT_EQ(read(1, 0).returned, 72u);
  EXPECT_EQ(read(3, 0).returned, 72u);
}

TEST_F(Unit, BanksServeBothPorts) {
  // 64 lanes on one bank: the other pair's takes as long and comes after.
  const LdsTiming first = read(0, 0, 128), second = read(2, 0, 128);
  EXPECT_EQ(first.conflicts, 64u - 8u);
  EXPECT_GE(second.returned, first.returned + 56);
}

TEST_F(Unit, EightReadsWaitInTheQueue) {
  uint64_t time = 0;
  unsigned count = 0;
  while (lds.accepts(0, time, 1) == time) {
    read(0, time);
    time += 4;
    ++count;
  }
  // One of 16 cycles leaves while four come in.
  EXPECT_EQ(count, 10u);
  EXPECT_EQ(lds.accepts(2, time, 1), time);
}

TEST_F(Unit, DataOfLdsDmaTakesTheBanksWhenItArrives) {
  const Capture::Access data = access(16, Kind::Write, [](unsigned lane) { return 16 * lane; });
  EXPECT_EQ(lds.write(0, 1000, data), 1008u);
  EXPECT_EQ(read(0, 0).returned, 56u);
  EXPECT_EQ(lds.write(0, 1000, data), 1016u);
}

TEST(LdsCalendar, GivesAwayEachCycleOnce) {
  BankCalendar calendar;
  EXPECT_EQ(calendar.take(0, 100, 4), 104u);
  EXPECT_EQ(calendar.take(0, 98, 4), 106u); // 98, 99, 104, 105
  EXPECT_EQ(calendar.take(0, 98, 1), 107u);
  EXPECT_EQ(calendar.take(0, 60, 70), 139u);
  EXPECT_EQ(calendar.take(100000, 100000, 3), 100003u);
  EXPECT_EQ(calendar.take(100000, 100000, 0), 100000u);
}

/// Issue of the instruction after `body`, after its own.
uint64_t issueCycles(const std::string &body) {
  Recording r = runTimed({.body = "v_mov_b32 v5, 0\ns_mov_b32 s20, 0\n.Lloop:\n.p2align 6\n" + body +
                                  "\ns_nop 0\ns_add_u32 s20, s20, 1\ns_cmp_lt_u32 s20, 2\ns_cbranch_scc1 .Lloop"});
  return r.of("s_nop 0").back().arrived - r.of("ds_").back().issued;
}

TEST(LdsInstructions, IssueTakesFourCyclesForAddressesAndAsMuchForEachDwordOfData) {
  EXPECT_EQ(issueCycles("ds_read_b128 v[12:15], v5"), 4u);
  EXPECT_EQ(issueCycles("ds_write_b32 v5, v6"), 8u);
  EXPECT_EQ(issueCycles("ds_write_b64 v5, v[6:7]"), 12u);
  EXPECT_EQ(issueCycles("ds_write_b128 v5, v[8:11]"), 20u);
  EXPECT_EQ(issueCycles("ds_write2_b32 v5, v6, v7 offset1:1"), 12u);
  EXPECT_EQ(issueCycles("ds_bpermute_b32 v6, v5, v7"), 8u);
}

TEST(LdsInstructions, TwoReadsInOneAreTwoOfTheirWidth) {
  auto phases = [](const char *chip, const std::string &body) {
    Recording r = runTimed({.chip = chip, .body = "v_lshlrev_b32 v5, 1, v1\n" + body + "\ns_waitcnt lgkmcnt(0)"});
    return r.operations.back().requests;
  };
  EXPECT_EQ(phases("gfx942", "ds_read2_b32 v[6:7], v5 offset1:1"), 4u);
  EXPECT_EQ(phases("gfx942", "ds_read2_b64 v[8:11], v5 offset1:64"), 8u);
  EXPECT_EQ(phases("gfx942", "ds_read_b64 v[6:7], v5"), 4u);
  EXPECT_EQ(phases("gfx950", "ds_read_b64_tr_b16 v[6:7], v5"), 2u);
}

} // namespace
