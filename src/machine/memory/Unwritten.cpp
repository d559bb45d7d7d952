#include "machine/memory/Unwritten.h"

#include "machine/memory/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine {

static constexpr uint64_t wordBytes = ByteBits::wordBytes;

Unwritten::Unwritten() = default;
Unwritten::~Unwritten() = default;

Unwritten::Range::Range(uint64_t begin, uint64_t bytes)
    : begin(begin), end(begin + bytes), written(bytes), left(bytes) {}

void Unwritten::Range::set(uint64_t word, uint64_t bits) {
  const uint64_t old = written[word].load(std::memory_order_relaxed);
  if ((old & bits) == bits)
    return;
  const uint64_t before = written[word].fetch_or(bits, std::memory_order_release);
  left.fetch_sub(popcount(bits & ~before), std::memory_order_relaxed);
}

void Unwritten::Range::clear(uint64_t word, uint64_t bits) {
  const uint64_t before = written[word].fetch_and(~bits, std::memory_order_release);
  left.fetch_add(popcount(bits & before), std::memory_order_relaxed);
}

void Unwritten::add(uint64_t begin, uint64_t bytes) {
  auto made = std::make_unique<Range>(begin, bytes);
  ranges.insert(partition_point(ranges, [&](const auto &range) { return range->begin < begin; }), std::move(made));
}

void Unwritten::remove(uint64_t begin) {
  erase_if(ranges, [&](const auto &range) { return range->begin == begin; });
  noted.remove(begin);
}

bool Unwritten::anyLeftIn(uint64_t low, uint64_t high) const {
  for (auto range = partition_point(ranges, [&](const auto &r) { return r->end <= low; });
       range != ranges.end() && (*range)->begin < high; ++range)
    if ((*range)->left.load(std::memory_order_relaxed))
      return true;
  return false;
}

Unwritten::Range *Unwritten::find(uint64_t address) const {
  const auto after = partition_point(ranges, [&](const auto &range) { return range->begin <= address; });
  if (after == ranges.begin())
    return nullptr;
  Range *const range = std::prev(after)->get();
  return address < range->end ? range : nullptr;
}

/// Of up to 16 bytes from bit `offset` of a row of words.
static uint32_t window(const ByteBits &words, uint64_t offset) {
  const std::atomic<uint64_t> *const at = &words[offset / wordBytes];
  const unsigned shift = offset % wordBytes;
  uint64_t bits = at[0].load(std::memory_order_acquire) >> shift;
  if (shift > wordBytes - 16)
    bits |= at[1].load(std::memory_order_acquire) << (wordBytes - shift);
  return uint32_t(bits);
}

uint32_t Unwritten::at(uint64_t address, unsigned bytes) const {
  const Range *const range = find(address);
  if (!range || !range->left.load(std::memory_order_relaxed))
    return 0;
  uint32_t bits = ~window(range->written, address - range->begin) & ((1u << bytes) - 1);
  for (unsigned byte = 0; byte < bytes && bits; ++byte)
    if (bits >> byte & 1 && *hostMemory(address + byte))
      bits &= ~(1u << byte);
  return bits;
}

void Unwritten::unwrite(uint64_t address, uint32_t which) {
  Range *const range = find(address);
  if (!range || !which)
    return;
  const uint64_t offset = address - range->begin;
  const unsigned shift = offset % wordBytes;
  range->clear(offset / wordBytes, uint64_t(which) << shift);
  if (shift && uint64_t(which) >> (wordBytes - shift))
    range->clear(offset / wordBytes + 1, uint64_t(which) >> (wordBytes - shift));
}

void Unwritten::write(uint64_t begin, uint64_t bytes) {
  for (const uint64_t end = begin + bytes; begin < end;) {
    const auto range = partition_point(ranges, [&](const auto &r) { return r->end <= begin; });
    if (range == ranges.end() || (*range)->begin >= end)
      return;
    Range &in = **range;
    const uint64_t until = std::min(end, in.end);
    begin = std::max(begin, in.begin);
    if (!in.left.load(std::memory_order_relaxed))
      begin = until;
    if (begin < until)
      ByteBits::forEachWord(begin - in.begin, until - begin, [&](uint64_t word, uint64_t bits) { in.set(word, bits); });
    begin = until;
  }
}

void Unwritten::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  // What comes from elsewhere is written, also where the ranges overlap.
  std::vector<uint32_t> unwritten;
  constexpr unsigned step = 16;
  const bool isTracked = mayBeIn(from, from + bytes);
  for (uint64_t done = 0; isTracked && done < bytes; done += step)
    unwritten.push_back(at(from + done, unsigned(std::min<uint64_t>(step, bytes - done))));
  write(to, bytes);
  for (uint64_t i = 0; i < unwritten.size(); ++i)
    unwrite(to + i * step, unwritten[i]);
}

Unwritten::Run Unwritten::longestIn(uint64_t begin, uint64_t bytes) const {
  Run longest, run;
  const Range *const range = mayBeIn(begin, begin + bytes) ? find(begin) : nullptr;
  if (!range)
    return longest;
  for (const uint64_t end = std::min(begin + bytes, range->end); begin < end;) {
    const uint64_t offset = begin - range->begin, until = std::min(end, begin + wordBytes - offset % wordBytes);
    const uint64_t written = range->written[offset / wordBytes].load(std::memory_order_relaxed);
    if (written == ~uint64_t(0)) {
      run.bytes = 0;
      begin = until;
      continue;
    }
    for (; begin < until; ++begin) {
      const bool isWritten = written >> (begin - range->begin) % wordBytes & 1 || *hostMemory(begin);
      if (!isWritten && !run.bytes)
        run.begin = begin;
      run.bytes = isWritten ? 0 : run.bytes + 1;
      if (run.bytes > longest.bytes)
        longest = run;
    }
  }
  return longest;
}

} // namespace inflight::machine
