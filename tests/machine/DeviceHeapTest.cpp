// The heap of malloc in kernels, as the host hands it out, and memory that is hidden from kernels.
#include "machine/memory/DeviceHeap.h"
#include "machine/memory/Memory.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace inflight::machine;

namespace {
constexpr uint64_t mebibyte = uint64_t(1) << 20;
std::unique_ptr<DeviceHeap> made(Memory &memory, uint64_t bytes) {
  llvm::Expected<std::unique_ptr<DeviceHeap>> heap = DeviceHeap::create(memory, bytes);
  return heap ? std::move(*heap) : (llvm::consumeError(heap.takeError()), nullptr);
}
} // namespace

TEST(DeviceHeap, BlocksAreApartAlignedAndReused) {
  Memory memory;
  const std::unique_ptr<DeviceHeap> heap = made(memory, 16 * mebibyte);
  ASSERT_TRUE(heap);
  std::map<uint64_t, uint64_t> taken; // sizes by address
  std::mt19937 random(7);
  unsigned refused = 0;
  for (unsigned step = 0; step < 20000; ++step) {
    if (random() % 2 && !taken.empty()) {
      const auto found = std::next(taken.begin(), random() % taken.size());
      heap->free(found->first);
      taken.erase(found);
      continue;
    }
    const uint64_t bytes = random() % 8 ? 1 + random() % 40000 : random() % (3 * mebibyte) + 1;
    const uint64_t at = heap->allocate(bytes);
    refused += at == 0;
    if (!at)
      continue;
    EXPECT_EQ(at % (bytes < 2 * mebibyte ? 4096 : 2 * mebibyte), 0u);
    EXPECT_TRUE(memory.contains(at, bytes));
    EXPECT_GE(at, heap->address() + 128 * 1024); // behind the control block
    const auto after = taken.lower_bound(at);
    EXPECT_TRUE(after == taken.end() || at + bytes <= after->first);
    EXPECT_TRUE(after == taken.begin() || std::prev(after)->first + std::prev(after)->second <= at);
    taken[at] = bytes;
  }
  EXPECT_GT(refused, 0u);
  for (const auto &[at, bytes] : taken)
    heap->free(at);
  // All of it in one piece again.
  EXPECT_NE(heap->allocate(15 * mebibyte), 0u);
}

TEST(DeviceHeap, WhatThereIsntIsRefused) {
  Memory memory;
  const std::unique_ptr<DeviceHeap> heap = made(memory, mebibyte);
  ASSERT_TRUE(heap);
  EXPECT_EQ(heap->allocate(0), 0u);
  EXPECT_EQ(heap->allocate(~uint64_t(0)), 0u);
  EXPECT_EQ(heap->allocate(uint64_t(1) << 60), 0u);
  const uint64_t at = heap->allocate(100);
  heap->free(at + 8); // not a beginning
  EXPECT_NE(heap->allocate(100), at);
  heap->free(at);
  heap->free(at);
  EXPECT_EQ(heap->allocate(100), at);
  EXPECT_NE(heap->allocate(100), at);
  EXPECT_FALSE(made(memory, uint64_t(1) << 63));
}

TEST(DeviceHeap, IsTheMemorysOwnUnlessOneIsSet) {
  Memory memory;
  EXPECT_EQ(memory.heapInUse(), nullptr);
  const uint64_t before = memory.totalBytes();
  llvm::Expected<DeviceHeap *> own = memory.heap();
  ASSERT_TRUE(bool(own));
  EXPECT_EQ(memory.heapInUse(), *own);
  EXPECT_EQ(memory.totalBytes(), before); // what kernels might touch of it isn't known
  {
    const std::unique_ptr<DeviceHeap> other = made(memory, mebibyte);
    memory.setHeap(other.get());
    EXPECT_EQ(memory.heapInUse(), other.get());
    memory.setHeap(nullptr);
    EXPECT_EQ(memory.sharedRanges().size(), 2u);
  }
  EXPECT_EQ(memory.heapInUse(), *own);
  EXPECT_EQ(memory.sharedRanges().size(), 1u);
}

TEST(Memory, HiddenRangesAreOutOfReachAndSayWhy) {
  Memory memory;
  alignas(64) static char bytes[256];
  const auto at = reinterpret_cast<uint64_t>(bytes);
  ASSERT_FALSE(bool(memory.registerRange(at, sizeof(bytes), "it")));
  EXPECT_FALSE(memory.show(at));
  EXPECT_TRUE(memory.hide(at + 100, "another's"));
  EXPECT_FALSE(memory.hide(at, "another's"));
  EXPECT_FALSE(memory.contains(at, 4));
  EXPECT_EQ(memory.describe(at + 16), "it + 0x10, another's");
  EXPECT_EQ(memory.describe(at + 256), "it + 0x100, beyond its 256 bytes");
  EXPECT_TRUE(memory.show(at + 255));
  EXPECT_TRUE(memory.contains(at, 4));
  EXPECT_EQ(memory.describe(at + 16), "it + 0x10");
  EXPECT_TRUE(memory.hide(at, "another's"));
  EXPECT_TRUE(memory.unregisterRange(at));
  EXPECT_FALSE(memory.show(at));
  ASSERT_FALSE(bool(memory.registerRange(at, sizeof(bytes), "it")));
  EXPECT_TRUE(memory.contains(at, 4));
}
