// Which addresses count as allocated.
#include "machine/Memory.h"
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
