// What comes after register allocation: waits, wait states, the scratch prologue.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

/// Places s_waitcnt (waits/Waits.h) and turns fences into what they need. Afterwards the function
/// has no pseudo instructions.
void insertWaits(Function &function);

/// Inserts s_nop where the ISA asks for wait states between two instructions.
llvm::Error insertWaitStates(Function &function);

/// gfx90a sets FLAT_SCRATCH in software when the kernel uses scratch memory.
void insertScratchPrologue(Function &function);

/// Registers an instruction reads and writes after allocation, special ones included.
struct PhysicalAccess {
  llvm::SmallVector<RegRange, 6> reads, writes;
};
/// The operand's registers; empty if it has none.
RegRange physicalRange(const Function &function, const Operand &operand);
PhysicalAccess physicalAccess(const Function &function, const Inst &inst);

} // namespace inflight::lir
