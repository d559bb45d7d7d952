// What comes after register allocation: the scratch prologue, addresses of data, waits and wait states.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

/// Places s_waitcnt and s_nop as few and as weak as the code allows, by the analyses of src/waits and src/hazards, and
/// turns fences into what they need. Those of the source stay. Afterwards the function has no pseudo instructions.
/// Fails if an instruction has no encoding, and names it.
llvm::Error insertWaits(Function &function);

/// Bytes that a branch reaches in each direction (ISA manuals, SOPP: 16 bits of words, from the instruction behind it).
inline constexpr int64_t branchReach = 4 * 32767;

/// Branches over a block that is a branch become one. Of allocated code.
void invertBranches(Function &function);

/// No branch goes further than `reach`.
llvm::Error shortenBranches(Function &function, int64_t reach = branchReach);

/// Addresses of data become what the code is away from it: three instructions that nothing may come between.
void expandSymbolAddresses(Function &function);

/// Registers of tuples by numbers that only the wave knows: moves between two instructions that say so, with nothing
/// else between them.
void expandIndexedMoves(Function &function);

/// gfx90a sets FLAT_SCRATCH in software when the kernel uses scratch memory.
void insertScratchPrologue(Function &function);

} // namespace inflight::lir
