// A code object's instructions, decoded once.
#pragma once

#include "machine/Handlers.h"
#include "program/CodeObject.h"
#include <deque>

namespace inflight::machine {

/// Decoded code; lives as long as waves run it. Immutable after construction.
class Code {
public:
  static llvm::Expected<Code> decode(const CodeObject &object);
  const Op *at(uint64_t address) const { return ops.data() + (address - textAddress) / 4; }
  const Op *begin() const { return ops.data(); }
  const Op *end() const { return ops.data() + ops.size(); }
  uint64_t addressOf(const Op *op) const { return textAddress + 4 * (op - ops.data()); }
  /// The instruction's text, decoded again for messages.
  std::string text(const CodeObject &object, const Op *op) const;
  /// Its name, "v_add_f32", whatever its encoding.
  std::string mnemonic(const CodeObject &object, const Op *op) const;

private:
  uint64_t textAddress = 0;
  std::vector<Op> ops;       ///< one for each 4 bytes
  std::deque<WrappedOp> wrapped; ///< what DPP and SDWA wrap
  std::deque<ModeOp> modeOps;    ///< what MODE wraps
};

} // namespace inflight::machine
