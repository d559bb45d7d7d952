// Jumps, and the copy of the code that runs while a mode changes what vector instructions do.
#pragma once

#include "machine/handlers/Register.h"
#include "machine/wave/Indexing.h"

namespace inflight::machine::SIMD_LEVEL {

inline constexpr unsigned forkDepthShift = 29; ///< CSP of MODE, three bits

inline void jump(Wave &w, const Op &op) {
  const Op *target = &op + 1 + op.immediate;
  if (target < w.codeBegin || target >= w.codeEnd) {
    w.fault(op, "branch out of the code");
    return;
  }
  w.pc = target;
}
inline u64 addressOf(const Wave &w, const Op *op) { return w.codeAddress + 4 * u64(op - w.codeBegin); }
inline u64 addressAfter(const Wave &w, const Op &op) { return addressOf(w, &op + op.slots); }
inline void jumpTo(Wave &w, const Op &op, u64 address) {
  u64 offset = address - w.codeAddress;
  if (offset % 4 || offset / 4 >= u64(w.codeEnd - w.codeBegin)) {
    w.fault(op, "jump out of the code");
    return;
  }
  w.pc = w.codeBegin + offset / 4;
}

/// To be called after each change of MODE: goes on at the same place in the copy of the code that the mode needs.
inline void modeChanged(Wave &w) {
  const Op *code = w.indexedCode && w.mode & (GprIndex | VectorSkip) ? w.indexedCode : w.plainCode;
  if (code == w.codeBegin)
    return;
  w.pc = code + (w.pc - w.codeBegin);
  w.codeEnd = code + (w.codeEnd - w.codeBegin);
  w.codeBegin = code;
}

} // namespace inflight::machine::SIMD_LEVEL
