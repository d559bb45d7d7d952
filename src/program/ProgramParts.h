// What of a program can be looked at alone: kernels with the functions that they reach. Whoever shares a function is in
// one part.
#pragma once

#include "program/Program.h"

namespace inflight {

/// The parts of `program`, which must live longer; in the order of their code.
class ProgramParts {
public:
  explicit ProgramParts(const Program &program LLVM_LIFETIME_BOUND);

  size_t size() const { return blocksOf.size(); }
  /// A part as a program of its own. Its instructions are in the order of the whole's.
  std::unique_ptr<Program> extract(size_t part) const;

private:
  const Program &program;
  std::vector<std::vector<uint32_t>> blocksOf, functionsOf; ///< by part, sorted
  const bool hasUnknownTargets;                             ///< of the whole
};

} // namespace inflight
