// What a trace knows of an instruction only by its text: event files and thread traces hold instructions as text.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace inflight::trace {

/// s_endpgm.
bool endsWave(llvm::StringRef instruction);
/// s_waitcnt, s_barrier.
bool waitsForOthers(llvm::StringRef instruction);
/// scratch_*: registers that were spilled, and arrays of a lane.
bool isOfScratch(llvm::StringRef instruction);
/// Whether two disassemblers mean the same instruction, whatever spaces and bases of numbers they write. Of a branch's
/// target some write the distance, some a name.
bool isSameInstruction(llvm::StringRef a, llvm::StringRef b, bool isBranch);

} // namespace inflight::trace
