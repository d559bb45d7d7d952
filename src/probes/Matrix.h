// The matrix instructions of a chip as probes run them.
#pragma once

#include "probes/Bench.h"

namespace inflight::probes {

struct MatrixOp {
  std::string mnemonic, name; ///< the name also says the formats where they matter
  std::string text;           ///< sums in registers from D on
  bool isNarrow = false;      ///< neither factor is of 8 bits
  unsigned sumRegisters = 0;
  double operations = 0;      ///< of a wave
  unsigned listedCycles = 0;  ///< of data/latency/matrix.json; 0: not listed
  unsigned listedBlocked = 0; ///< cycles without VALU issue, of the same file
};

std::vector<MatrixOp> matrixOps(llvm::StringRef chip);
Work mfmaWork(const MatrixOp &op, bool chained);
/// `other`, with operands A and D, `beside` times after each.
Work mfmaShadowWork(const MatrixOp &op, const std::string &other, unsigned beside);

} // namespace inflight::probes
