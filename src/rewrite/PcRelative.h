// What in code depends on where it stands: branches, and addresses made from s_getpc_b64.
#pragma once

#include "rewrite/CodeLayout.h"
#include <functional>

namespace inflight {

/// One place that code computes from its own.
struct PcReference {
  enum class Kind : uint8_t {
    Branch, ///< a word offset in the lower half of an instruction
    Sum,    ///< s_getpc_b64 and a constant added to, or subtracted from, it
  };
  Kind kind = Kind::Branch;
  uint32_t base = 0;      ///< the branch, or the s_getpc_b64
  uint64_t target = 0;    ///< unified address; meaningless with a relocation
  uint32_t low = ~0u;     ///< the instruction whose constant holds the distance
  uint32_t high = ~0u;    ///< that whose constant holds its upper half, if one does
  uint32_t fixedHigh = 0; ///< the upper half where it isn't in a constant of its own
  uint32_t lowValue = 0;  ///< what is added to, or subtracted from, the lower half
  bool isSubtracted = false, isNegated = false,
       isAbsolute = false;  ///< negated: what is added is minus the constant, but for a sum
  bool isRelocated = false; ///< the linker puts in the distance
};

/// All places that code computes from its own, in order. `relocated` says whether the linker writes the constant of an
/// instruction. An error names the address of an s_getpc_b64 or a jump of which it isn't understood where it goes.
llvm::Expected<std::vector<PcReference>> findPcReferences(const Program &program, const CodeLayout &layout,
                                                          const std::function<bool(uint32_t)> &relocated);

/// Changes the code of `layout` so that `reference` gets to where its target is now.
llvm::Error retarget(const PcReference &reference, const Program &program, CodeLayout &layout);

} // namespace inflight
