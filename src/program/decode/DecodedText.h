// The code of a loaded code object, disassembled once: whatever symbols call data is looked at as well, as a wave could
// execute it.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace inflight {

class Decoder;

class DecodedText {
public:
  struct Instruction {
    uint64_t offset = 0; ///< bytes from the beginning
    unsigned size = 0;   ///< bytes
    llvm::MCInst inst;
  };

  /// A linear sweep over `bytes`, which stand at `address`. Words that are no instruction are left out.
  DecodedText(const Isa &isa LLVM_LIFETIME_BOUND, llvm::ArrayRef<uint8_t> bytes, uint64_t address);
  ~DecodedText();

  const Isa &isa() const { return theIsa; }
  uint64_t address() const { return theAddress; }
  llvm::ArrayRef<Instruction> instructions() const LLVM_LIFETIME_BOUND { return list; }
  /// The instruction that begins there; null when none does.
  const llvm::MCInst *at(uint64_t offset) const LLVM_LIFETIME_BOUND;

private:
  const Isa &theIsa;
  uint64_t theAddress;
  std::unique_ptr<Decoder> decoder; ///< owns what decoded instructions refer to
  std::vector<Instruction> list;    ///< by offset
};

} // namespace inflight
