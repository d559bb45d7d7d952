// Who defines and reads each virtual register.
#pragma once

#include "compiler/lir/Lir.h"

namespace inflight::lir {

struct InstPosition {
  unsigned block = ~0u, index = 0;
  bool valid() const { return block != ~0u; }
  bool operator==(const InstPosition &) const = default;
};

class Uses {
public:
  explicit Uses(const Function &function);

  /// The definition, if there is exactly one.
  InstPosition definition(RegId reg) const { return definitions[reg] == 1 ? lastDefinition[reg] : InstPosition(); }
  /// Operands that write it.
  unsigned definitionsOf(RegId reg) const { return definitions[reg]; }
  /// Operands that read it. An instruction that keeps inactive lanes doesn't count as a reader.
  unsigned readers(RegId reg) const { return reads[reg]; }

private:
  std::vector<unsigned> definitions, reads;
  std::vector<InstPosition> lastDefinition;
};

/// Whether neither EXEC nor any of the registers is written between the instructions `from` and `to`.
bool unchangedBetween(llvm::ArrayRef<Inst> insts, unsigned from, unsigned to, llvm::ArrayRef<Reg> regs);

/// Removes the instructions that have been erased.
void sweep(Function &function);

} // namespace inflight::lir
