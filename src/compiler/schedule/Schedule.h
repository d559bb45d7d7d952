// Instruction order within basic blocks, before register allocation.
//
// 1. Pairs of LDS accesses to one base become ds_read2 and ds_write2.
// 2. List scheduling: a graph of dependencies over each stretch between scheduling barriers, then
//    cycle by cycle the instruction on the longest remaining path whose operands are there.
//    Latencies come from data/latency/CHIP.json. While the registers in use would exceed what the
//    occupancy target leaves, instructions that free registers go first.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

/// Joins LDS reads, and LDS writes, of 4 or 8 bytes with one base register into one instruction. Those that are out of
/// its reach only if it `makesBases` for them, which take registers; whether it has made some.
bool mergeLdsAccesses(Function &function, bool makesBases = true);

/// One in so many of a wave's registers at the wanted occupancy stays free: aligned tuples that come and go leave
/// gaps.
constexpr unsigned usualSpareShare = 16;

/// Reorders each block. Keeps the vector registers in use within those of the original order or
/// of the waves that a SIMD holds anyway, whichever is more. The result: those waves, which what register
/// allocation makes of the order may fall short of.
llvm::Expected<unsigned> scheduleInstructions(Function &function, unsigned minWavesPerSimd = 0,
                                              unsigned spareShare = usualSpareShare);

/// The source's SCHED_GROUPs go, with a remark. False if there are none.
bool removeGroups(Function &function);

} // namespace inflight::lir
