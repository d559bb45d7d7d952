// Allocated LIR as LLVM's machine code instructions: which of an opcode's encodings takes the operands, and their order
// there.
#pragma once

#include "compiler/lir/Lir.h"
#include <functional>
#include <optional>

namespace inflight::lir {

/// The operand's registers after allocation; empty if it has none.
RegRange physicalRange(const Function &function, const Operand &operand);

class Encoder {
public:
  /// `reference` makes the operand that stands for a block or a symbol.
  Encoder(const Function &function LLVM_LIFETIME_BOUND, std::function<llvm::MCOperand(const Operand &)> reference);

  /// The shortest encoding; none if no encoding takes these operands.
  std::optional<llvm::MCInst> encode(const Inst &inst);
  /// The same; that there is none is an error which names the instruction.
  llvm::Expected<llvm::MCInst> require(const Inst &inst);

private:
  struct Registers;
  struct Candidate {
    const InstrDesc *desc;
    unsigned bytes;
    bool isOffen, isOtherBuffer; ///< buffers: the address is an offset; an index is in it
  };
  llvm::ArrayRef<Candidate> candidates(const InstrDesc &desc);
  bool fits(const Candidate &candidate, const Inst &inst) const;
  llvm::MCRegister registerFor(const Operand &operand, const llvm::MCOperandInfo &info) const;
  std::optional<llvm::MCInst> tryEncoding(const Candidate &candidate, const Inst &inst) const;

  const Function &function;
  const Isa &isa;
  const Registers &registers; ///< the chip's
  std::function<llvm::MCOperand(const Operand &)> reference;
  llvm::DenseMap<unsigned, llvm::SmallVector<Candidate, 4>> known; ///< by Mnemonic
};

} // namespace inflight::lir
