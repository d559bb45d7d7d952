// A code object's instructions, decoded once.
#pragma once

#include "machine/wave/Handlers.h"
#include "machine/wave/RegisterLimits.h"
#include "object/CodeObject.h"
#include "program/decode/DecodedText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>
#include <memory>

namespace inflight::machine {

/// Decoded code; lives as long as waves run it. Immutable after construction.
class Code {
public:
  /// For the kernel with this descriptor: registers beyond those it allocates don't exist.
  static llvm::Expected<Code> decode(const CodeObject &object, const KernelDescriptor &descriptor);
  const RegisterLimits &limits() const LLVM_LIFETIME_BOUND { return registers; }
  const Op *at(uint64_t address) const LLVM_LIFETIME_BOUND { return ops.data() + (address - textAddress) / 4; }
  const Op *begin() const LLVM_LIFETIME_BOUND { return ops.data(); }
  const Op *end() const LLVM_LIFETIME_BOUND { return ops.data() + count; }
  /// The copy of the code that heeds MODE.VSKIP and MODE.GPR_IDX_EN, null if nothing sets these.
  const Op *indexedCode() const LLVM_LIFETIME_BOUND { return ops.size() > count ? ops.data() + count : nullptr; }
  /// Whether an instruction in these bytes reads or writes LDS; permutations between lanes use none.
  bool accessesLds(uint64_t address, uint64_t bytes) const;
  uint64_t addressOf(const Op *op) const { return textAddress + 4 * (size_t(op - ops.data()) % count); }
  /// For messages: "v_add_f32_e32 v0, v1, v2", or "data".
  std::string text(const Op *op) const;
  const InstrDesc *describe(const Op *op) const;                           ///< null for data
  const llvm::MCInst *instruction(const Op *op) const LLVM_LIFETIME_BOUND; ///< null for data
  const Isa &isa() const { return decoded->isa(); }
  /// Calls `visit` with each instruction, in order.
  void forEachInstruction(llvm::function_ref<void(const Op &, const Isa &, const llvm::MCInst &)> visit) const;

private:
  class Builder;
  Code(const RegisterLimits &limits, std::shared_ptr<const DecodedText> decoded)
      : registers(limits), decoded(std::move(decoded)) {}

  RegisterLimits registers;
  std::shared_ptr<const DecodedText> decoded;
  uint64_t textAddress = 0;
  size_t count = 0;
  std::vector<Op> ops;               ///< one for each 4 bytes, and one after them; then perhaps all again for modes
  std::deque<WrappedOp> wrapped;     ///< what DPP and SDWA wrap
  std::deque<ModeOp> modeOps;        ///< what MODE wraps
  std::deque<IndexableOp> indexable; ///< what the copy of the code has in the place of vector instructions
  std::vector<uint64_t> ldsAccesses; ///< addresses of instructions, sorted
  std::deque<std::string> messages;  ///< of instructions that can only fail
};

} // namespace inflight::machine
