// How long instructions take, as schedules and prices see it: data/latency/CHIP.json and, for matrix instructions,
// data/latency/matrix.json.
#pragma once

#include "isa/MatrixPasses.h"

namespace inflight {

/// The pipeline that is busy while an instruction issues.
enum class Pipe : uint8_t { None, Valu, Matrix, Salu, ScalarMemory, Memory, Lds };

struct Timing {
  Pipe pipe = Pipe::None;
  unsigned issue = 0;         ///< cycles until the pipe takes the next instruction
  unsigned latency = 0;       ///< cycles until a vector result can be read
  unsigned scalarLatency = 0; ///< cycles until a scalar result can be read
};

class LatencyTable {
public:
  static llvm::Expected<const LatencyTable *> get(llvm::StringRef chip);
  Timing timing(llvm::StringRef mnemonic, bool isMatrix, bool isTrans) const;
  Timing timing(const InstrDesc &desc) const { return timing(desc.mnemonic, desc.isMfma, desc.isTrans); }
  Timing timing(llvm::StringRef mnemonic) const;
  unsigned issueSlot() const { return value.issueSlot; } ///< cycles an instruction of a wave takes at least

private:
  llvm::Error load(llvm::StringRef chip);
  struct Values {
    unsigned issueSlot, valu, valuScalarResult, transIssue, trans, salu, smem, ldsNarrow, ldsWide, ldsIssueNarrow,
        ldsIssueWide, vmem, vmemIssue, matrixExtraPasses;
  } value = {};
  const MatrixPasses *passes = nullptr;
  const Isa *isa = nullptr;
};

} // namespace inflight
