// Which values give up their registers where more are live than a file has.
//
// Pressure, the number of 32-bit registers live at a slot, is kept for each file and slot. The slots are walked in
// layout order. Where the pressure is above the limit, clusters that are live there and not used there leave their
// file, cheapest first, until it isn't (after Braun and Hack, "Register Spilling and Live-Range Splitting for SSA-Form
// Programs": pressure is brought down before registers are assigned). A cluster's price is what its mentions will cost
// where it goes, each by its loop depth, over the slots above the limit that it frees. Where it goes, in this order:
//
//   again    constants are made again before each use
//   AGPRs    for vector registers, as long as the other half of the unified file has room. Loads, stores and matrix
//            instructions take AGPRs as they are; what doesn't works on a copy
//   memory   scratch for vector registers, lanes of a vector register for scalar ones
//
// A cluster is considered once at each slot above the limit that it is live at, and leaves at most once.
#pragma once

#include "compiler/regalloc/Clusters.h"
#include "compiler/regalloc/RegAlloc.h"

namespace inflight::lir {

struct Victim {
  unsigned cluster;
  bool toAgprs = false; ///< else memory; constants are made again in any case
};

/// By RegId the instructions that set each word of a register to a constant, for registers of up to a double; empty if
/// a word has another definition.
using ConstantWords = llvm::SmallVector<const Inst *, 2>;
std::vector<ConstantWords> findConstants(const Function &function);

/// Whether the operand may name an AGPR where it names a VGPR now, with nothing else changed.
bool acceptsAgpr(const Inst &inst, unsigned operand);

/// The 32-bit registers of each file live at each slot.
struct SlotPressure {
  std::vector<int> live[3]; ///< by file and slot
};

/// `pressure` becomes what is left when they have gone, each of their mentions with a temporary.
std::vector<Victim> chooseVictims(const Function &function, const Clusters &clusters, const FileLimits &limits,
                                  SlotPressure &pressure);

} // namespace inflight::lir
