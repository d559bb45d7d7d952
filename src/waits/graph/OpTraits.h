// What the analyses before the engine ask of each operation, in a byte: its opcode, and whether it writes EXEC.
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"

namespace inflight::waits {

namespace trait {
inline constexpr uint8_t IsInstruction = 1 << 0;  ///< data isn't
inline constexpr uint8_t Decides = 1 << 1;        ///< where control goes or which lanes are active, by what it reads
inline constexpr uint8_t WritesExec = 1 << 2;     ///< or a part of it
inline constexpr uint8_t IsVectorMemory = 1 << 3; ///< or of LDS
inline constexpr uint8_t Stops = 1 << 4;          ///< what it reads isn't in its result, as far as is followed
inline constexpr uint8_t KeepsHalf = 1 << 5;      ///< writes half a register
inline constexpr uint8_t LoadsByAddress = 1 << 6; ///< that is in vector registers
inline constexpr uint8_t IsNoted = 1 << 7; ///< other waves may observe it, or it may be ordered after what they do
} // namespace trait

struct OpTraits {
  std::vector<uint8_t> of;     ///< by op: bits of trait
  bool mayChangeModes = false; ///< some op may have others skipped, or have them touch other registers
  // Whether the program has any.
  bool hasLdsReads = false, changesLds = false, hasBarriers = false, hasSmem = false;
  void note(const Op &op) {
    hasLdsReads |= op.readsLds;
    changesLds |= op.writesLds;
    hasBarriers |= op.isBarrier;
    hasSmem |= op.kind == Kind::Smem;
  }
  uint8_t operator[](uint32_t op) const { return of[op]; }
};

/// Of all that its opcode decides.
uint8_t traitsOf(const Op &op, const InstrDesc &desc);
/// `ofOpcode`, and what the op's registers add.
uint8_t traitsOf(const Op &op, uint8_t ofOpcode, const InstrDesc &desc, llvm::ArrayRef<RegRange> ranges);
OpTraits traitsOf(const Graph &graph, const Program &program);

} // namespace inflight::waits
