// What must stand before which instruction so that no shadow lies over it.
#pragma once

#include "hazards/shadow/Rules.h"
#include "program/Edit.h"

namespace inflight::hazards::shadow {

struct Wanted {
  bool strips = false;   ///< takes out v_nop, s_nop and, where the hardware checks all else, waits for the ALU
  bool inserts = false;  ///< puts in what the rules want
  bool onlyLost = false; ///< ... but only what the pending edits take away
};

struct Result {
  std::vector<Edit> edits; ///< by instruction
  std::vector<std::string> problems;
};

/// `pending` are edits of waits that will be made as well.
Result plan(const Program &program, const Table &table, const Wanted &wanted, llvm::ArrayRef<Edit> pending);

} // namespace inflight::hazards::shadow
