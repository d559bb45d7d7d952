// Pairs of vector operations (VOPD) that read one register in both. From gfx12 on that is no conflict of banks, but
// LLVM 22's parser refuses it: it gets another register to read, and the instruction the one that was written.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class MCCodeEmitter;
}

namespace inflight {

class SharedSources {
public:
  /// Changes the parser's text. All stands where it stood.
  SharedSources(const Isa &isa LLVM_LIFETIME_BOUND, llvm::StringRef text);

  /// Gives an instruction that the parser made of such a pair the register that was written.
  void restore(llvm::MCInst &inst) const;
  /// An emitter that does so first.
  std::unique_ptr<llvm::MCCodeEmitter> restoring(std::unique_ptr<llvm::MCCodeEmitter> emitter) const
      LLVM_LIFETIME_BOUND;

private:
  const Isa &isa;
  llvm::DenseMap<const char *, uint8_t> pairs; ///< by where the instruction stands: bits of the sources
};

} // namespace inflight
