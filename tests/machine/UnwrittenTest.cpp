#include "machine/memory/Unwritten.h"

#include "gtest/gtest.h"
#include <vector>

using namespace inflight::machine;

namespace {
/// 200 zeros, which begin and end in the middle of 64 bytes.
struct UnwrittenTest : testing::Test {
  std::vector<uint8_t> memory = std::vector<uint8_t>(512);
  uint64_t base = reinterpret_cast<uint64_t>(memory.data()) + 24;
  Unwritten bytes;
  void SetUp() override { bytes.add(base, 200); }
};

TEST_F(UnwrittenTest, WritesLeaveWhatIsAround) {
  bytes.write(base + 60, 10); // over the end of a word
  EXPECT_EQ(bytes.at(base + 56, 16), 0xc00fu);
  EXPECT_EQ(bytes.at(base + 60, 10), 0u);
  EXPECT_EQ(bytes.longestIn(base, 200).begin, base + 70);
  EXPECT_EQ(bytes.longestIn(base, 200).bytes, 130u);
  EXPECT_EQ(bytes.longestIn(base, 62).bytes, 60u);
}

TEST_F(UnwrittenTest, OutsideNothingIsUnwritten) {
  EXPECT_FALSE(bytes.mayBeIn(base - 8, base));
  EXPECT_FALSE(bytes.mayBeIn(base + 200, base + 300));
  EXPECT_TRUE(bytes.mayBeIn(base - 8, base + 1));
  EXPECT_EQ(bytes.at(base - 1, 1), 0u);
  bytes.write(base - 20, 300);
  EXPECT_FALSE(bytes.mayBeIn(base, base + 200));
  EXPECT_EQ(bytes.longestIn(base, 200).bytes, 0u);
  bytes.remove(base);
  EXPECT_TRUE(bytes.empty());
}

TEST_F(UnwrittenTest, BytesThatAreNotZeroWereWritten) {
  memory[24 + 5] = 1;
  EXPECT_EQ(bytes.at(base, 16), 0xffdfu);
  EXPECT_EQ(bytes.longestIn(base, 16).begin, base + 6);
}

TEST_F(UnwrittenTest, CopiesTakeAlongWhatIsUnwritten) {
  std::vector<uint8_t> other(100);
  const auto to = reinterpret_cast<uint64_t>(other.data());
  bytes.add(to, 100);
  bytes.write(base + 10, 20);
  bytes.write(to, 100);
  bytes.copy(to + 1, base, 40);
  EXPECT_EQ(bytes.longestIn(to, 100).begin, to + 1);
  EXPECT_EQ(bytes.longestIn(to, 100).bytes, 10u);
  EXPECT_EQ(bytes.longestIn(to + 11, 60).begin, to + 31);
  EXPECT_EQ(bytes.longestIn(to + 11, 60).bytes, 10u);
  bytes.copy(to, reinterpret_cast<uint64_t>(memory.data()), 16); // from where nobody looks
  EXPECT_EQ(bytes.at(to, 16), 0u);
  // Onto itself, further on.
  bytes.copy(base + 5, base, 40);
  EXPECT_EQ(bytes.at(base + 5, 16), 0x3ffu);
  EXPECT_EQ(bytes.longestIn(base + 15, 30).begin, base + 35);
}

TEST_F(UnwrittenTest, ValuesThatAreUndefinedUnwrite) {
  bytes.write(base, 200);
  bytes.unwrite(base + 58, 0x8421);
  EXPECT_EQ(bytes.at(base + 58, 16), 0x8421u);
  EXPECT_TRUE(bytes.mayBeIn(base, base + 200));
  bytes.write(base + 58, 16);
  EXPECT_FALSE(bytes.mayBeIn(base, base + 200));
}
} // namespace
