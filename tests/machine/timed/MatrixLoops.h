// Loops of one matrix instruction, for each that data/latency/matrix.json lists.
#pragma once

#include "TimedSnippet.h"

namespace inflight::machine::test {

struct MatrixRow {
  std::string name;
  unsigned cycles = 0;
  bool narrow = false; ///< f8f6f4 with factors of four or six bits
};

/// Read from `file`, the truth to compare with: an array of objects with arch, name and cycles.
std::vector<MatrixRow> matrixRows(const std::string &chip);

/// Two rounds of `count` such instructions that don't depend on each other.
std::string matrixLoop(const MatrixRow &row, unsigned count);

/// Cycles between instructions of the second round.
double periodOfLastRound(const Recording &recording, const std::string &name, unsigned count);

} // namespace inflight::machine::test
