#include "machine/memory/Noted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine {

Noted::Noted() = default;
Noted::~Noted() = default;

Noted::Range::Range(uint64_t begin, uint64_t bytes)
    : begin(begin), end(begin + bytes), read(bytes), written(bytes), low(end), high(begin) {}

void Noted::Range::forget() {
  const uint64_t from = low, to = high;
  if (from < to)
    ByteBits::forEachWord(from - begin, to - from, [&](uint64_t word, uint64_t) {
      read[word].store(0, std::memory_order_relaxed);
      written[word].store(0, std::memory_order_relaxed);
    });
  low = end;
  high = begin;
}

void Noted::add(uint64_t begin, uint64_t bytes) {
  auto made = std::make_unique<Range>(begin, bytes);
  ranges.insert(partition_point(ranges, [&](const auto &range) { return range->begin < begin; }), std::move(made));
  firstBegin = ranges.front()->begin;
  lastEnd = ranges.back()->end;
}

void Noted::remove(uint64_t begin) {
  erase_if(ranges, [&](const auto &range) { return range->begin == begin; });
  firstBegin = ranges.empty() ? 0 : ranges.front()->begin;
  lastEnd = ranges.empty() ? 0 : ranges.back()->end;
}

static void widen(std::atomic<uint64_t> &bound, uint64_t to, bool isLower) {
  uint64_t is = bound.load(std::memory_order_relaxed);
  while ((isLower ? to < is : to > is) && !bound.compare_exchange_weak(is, to, std::memory_order_relaxed)) {
  }
}

void Noted::note(uint64_t begin, uint64_t bytes, bool isWrite) {
  const auto range = partition_point(ranges, [&](const auto &r) { return r->end <= begin; });
  if (range == ranges.end() || begin < (*range)->begin)
    return;
  Range &in = **range;
  const uint64_t end = std::min(begin + bytes, in.end);
  const ByteBits &bits = isWrite ? in.written : in.read;
  ByteBits::forEachWord(begin - in.begin, end - begin, [&](uint64_t word, uint64_t which) {
    if ((bits[word].load(std::memory_order_relaxed) & which) != which)
      bits[word].fetch_or(which, std::memory_order_relaxed);
  });
  widen(in.low, begin, true);
  widen(in.high, end, false);
}

bool Noted::take(uint64_t pageBytes, function_ref<void(uint64_t begin, bool isWritten)> page) {
  for (const auto &range : ranges) {
    const uint64_t low = range->low, high = range->high;
    for (uint64_t at = alignDown(low, pageBytes); at < high; at += pageBytes) {
      const uint64_t from = std::max(at, range->begin), to = std::min(at + pageBytes, range->end);
      bool isTouched = true, isWritten = true;
      ByteBits::forEachWord(from - range->begin, to - from, [&](uint64_t word, uint64_t which) {
        const uint64_t written = range->written[word].load(std::memory_order_relaxed);
        isWritten &= (written & which) == which;
        isTouched &= ((written | range->read[word].load(std::memory_order_relaxed)) & which) == which;
      });
      if (isTouched)
        page(at, isWritten);
    }
    range->forget();
  }
  return hasSystemScope.exchange(false);
}

} // namespace inflight::machine
