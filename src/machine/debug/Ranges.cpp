#include "machine/debug/Ranges.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::debug {

std::string PlacedRange::place(uint64_t offset) const {
  if (isLds)
    return formatv("lds:0x{0:x-}", offset);
  return base ? name + formatv(" + 0x{0:x-}", offset).str() : formatv("0x{0:x-}", offset).str();
}

static Expected<PlacedRange> inLds(const MemoryRange &range, const PreparedLaunch &launch) {
  const uint64_t bytes = uint64_t(launch.kernel->descriptor.groupSegmentFixedSize) + launch.config->dynamicLdsBytes;
  if (!bytes)
    return makeError("kernel '" + launch.kernel->name + "' has no LDS");
  if (range.end > bytes)
    return makeError(formatv("kernel '{0}' has {1} bytes of LDS: 0x0-0x{1:x-}", launch.kernel->name, bytes));
  return PlacedRange{true, "lds", 0, range.begin, range.end};
}

static Expected<PlacedRange> inBuffer(const MemoryRange &range, const PreparedLaunch &launch) {
  std::string known;
  for (const NamedBuffer &buffer : launch.config->buffers) {
    known += (known.empty() ? "" : ", ") + buffer.number + (buffer.name.empty() ? "" : " ('" + buffer.name + "')");
    if (range.buffer != buffer.number && (buffer.name.empty() || range.buffer != buffer.name))
      continue;
    const uint64_t bytes = buffer.place.end - buffer.place.begin, end = range.end ? range.end : bytes;
    if (end > bytes)
      return makeError(formatv("{0} has {1} bytes: 0x0-0x{1:x-}", buffer.text, bytes));
    return PlacedRange{false, buffer.text, buffer.place.begin, range.begin, end};
  }
  return makeError("no buffer '" + range.buffer + "'" +
                   (known.empty() ? ": the launch has none" : "; there are " + known));
}

Expected<PlacedRange> placeRange(const MemoryRange &range, const PreparedLaunch &launch) {
  switch (range.space) {
  case MemoryRange::Space::Lds: return inLds(range, launch);
  case MemoryRange::Space::Buffer: return inBuffer(range, launch);
  case MemoryRange::Space::Address: break;
  }
  if (!launch.memory->contains(range.begin, range.end - range.begin))
    return makeError("no allocation holds it");
  return PlacedRange{false, "global", 0, range.begin, range.end};
}

} // namespace inflight::machine::debug
