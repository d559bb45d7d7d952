// Machine code to MCInst, through LLVM's disassembler.
#pragma once

#include "isa/Isa.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

namespace inflight {

class DecodedWords;

/// Decodes instructions of one chip, in the thread that made it. Cheap enough to make one a thread.
class Decoder {
public:
  explicit Decoder(const Isa &isa LLVM_LIFETIME_BOUND);
  ~Decoder();

  /// Decodes the instruction at the start of `bytes`. Returns its size in bytes, or 0 when the
  /// bytes are no instruction of this chip (then `inst` is meaningless).
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t address, llvm::MCInst &inst);
  /// The same by LLVM, whatever was decoded before.
  unsigned decodeAnew(llvm::ArrayRef<uint8_t> bytes, uint64_t address, llvm::MCInst &inst);
  const Isa &isa() const { return theIsa; }

private:
  const Isa &theIsa;
  DecodedWords &words; ///< of the thread that made it
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
};

} // namespace inflight
