// Who defines and reads each virtual register, and what may take its place.
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

/// Whether the instruction reads or writes a piece of it.
bool touches(const Inst &inst, Reg reg);

/// Whether what a whole vector register holds may be in a part of another one instead: a tuple in the middle of another
/// may be misaligned.
bool fitsInto(const Function &function, Reg from, Reg to);

/// Whether a three-operand instruction takes these: no literals, and one scalar register at most.
bool takesThree(const Function &function, llvm::ArrayRef<Operand> operands);

/// Removes the instructions that have been erased.
void sweep(Function &function);

} // namespace inflight::lir
