// The mode in which M0 moves the vector registers of an instruction's operands.
#pragma once

#include "machine/wave/Wave.h"

namespace inflight::machine {

/// Bits of MODE.
inline constexpr uint32_t GprIndex = 1u << 27, VectorSkip = 1u << 28;

/// An instruction whose operands are the registers that M0 chose.
struct IndexedOp {
  Op op;
  WrappedOp wrapped; ///< of DPP
};

/// M0 has the index in its lowest byte and what it applies to in bits 15:12. A source beyond the allocation is v0;
/// false if the result is, which then isn't written.
inline bool applyIndex(const Wave &w, const IndexableOp &info, IndexedOp &to) {
  const uint32_t index = w.m0() & 0xff, enable = w.m0() >> 12 & 15;
  auto indexed = [&](unsigned reg, unsigned which) -> unsigned {
    return !(enable >> which & 1) ? reg : reg + index + info.words[which] > w.vgprs ? 0 : reg + index;
  };
  to.op = *info.plain;
  if (info.words[3] && enable >> 3 & 1) {
    if (to.op.destination + index + info.words[3] > w.vgprs)
      return false;
    to.op.destination += index;
  }
  for (unsigned i = 0; i < 3; ++i)
    if (Source &s = to.op.source[i]; info.words[i] && s.kind == Source::Vector && s.index < 256)
      s.index = indexed(s.index, i);
  if (info.isDpp) {
    to.wrapped = *static_cast<const WrappedOp *>(to.op.extra);
    to.op.extra = &to.wrapped;
    to.op.word[1] = (to.op.word[1] & ~0xffu) | indexed(to.op.word[1] & 0xff, 0);
    to.wrapped.inner.source[1] = to.op.source[1];
    to.wrapped.inner.destination = to.op.destination;
  }
  return true;
}

} // namespace inflight::machine
