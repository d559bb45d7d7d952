// Where a scalar load reads, of which its handler reports nothing.
#pragma once

#include "machine/Wave.h"
#include <algorithm>

namespace inflight::machine::timed {

struct ScalarLoad {
  uint64_t address = 0;
  unsigned bytes = 0;
};

/// Of s_load and s_buffer_load, before they execute. No bytes: beyond the buffer.
inline ScalarLoad scalarLoad(const Wave &wave, const Op &op, bool isBuffer) {
  const Source &offset = op.source[1];
  const uint32_t added = !(op.flags & flag::HasSaddr) ? 0 : offset.kind == Source::Scalar ? wave.s[offset.index] : uint32_t(offset.value);
  const unsigned bytes = 4u * op.aux;
  if (!isBuffer)
    return {(wave.s64(op.source[0].index) + uint64_t(int64_t(op.immediate)) + added) & ~uint64_t(3), bytes};
  const uint32_t *descriptor = &wave.s[op.source[0].index];
  const uint64_t base = descriptor[0] | uint64_t(descriptor[1] & 0xffff) << 32, stride = descriptor[1] >> 16 & 0x3fff;
  const uint64_t size = stride ? descriptor[2] * stride : descriptor[2], at = (uint32_t(op.immediate) + added) & ~3u;
  return {base + at, at < size ? unsigned(std::min<uint64_t>(bytes, size - at)) : 0};
}

} // namespace inflight::machine::timed
