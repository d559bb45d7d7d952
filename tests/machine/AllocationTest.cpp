// Which addresses count as allocated.
#include "machine/memory/Memory.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace inflight::machine;

TEST(Allocation, AccessesLieInsideWhole) {
  Memory memory;
  llvm::Expected<uint64_t> buffer = memory.allocate(16);
  ASSERT_TRUE(bool(buffer));
  EXPECT_TRUE(memory.contains(*buffer, 16));
  EXPECT_TRUE(memory.contains(*buffer + 12, 4));
  EXPECT_FALSE(memory.contains(*buffer + 13, 4));
  EXPECT_FALSE(memory.contains(*buffer - 1, 4));
}

// The end of such an access is a small number, below the end of the allocation.
TEST(Allocation, AccessesDontWrapAround) {
  Memory memory;
  llvm::Expected<uint64_t> buffer = memory.allocate(16);
  ASSERT_TRUE(bool(buffer));
  ASSERT_TRUE(memory.contains(*buffer, 16));
  EXPECT_FALSE(memory.contains(~uint64_t(0) - 3, 8));
  EXPECT_FALSE(memory.contains(*buffer, ~uint64_t(0)));
}

TEST(Allocation, GapsDontCount) {
  Memory memory;
  ASSERT_TRUE(memory.allocate(16) && memory.allocate(100));
  EXPECT_EQ(memory.totalBytes(), 116u);
}

TEST(Allocation, MessagesNameThePlace) {
  Memory memory;
  llvm::Expected<uint64_t> buffer = memory.allocate(16, "argument 2"), other = memory.allocate(16);
  ASSERT_TRUE(buffer && other);
  EXPECT_EQ(memory.describe(*buffer + 8), "argument 2 + 0x8");
  EXPECT_EQ(memory.describe(*buffer + 32), "argument 2 + 0x20, beyond its 16 bytes");
  EXPECT_EQ(memory.describe(*buffer - 4), "argument 2 - 0x4");
  EXPECT_EQ(memory.describe(*other), llvm::formatv("0x{0:x-}", *other).str());
}
