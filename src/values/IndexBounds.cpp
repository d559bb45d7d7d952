#include "values/IndexBounds.h"

#include "values/SymbolicRun.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

VectorModes::IndexBounds indexBounds(const Program &program, const WaveBranches &branches) {
  VectorModes::IndexBounds bounds;
  // What such a jump leads to, and from where, isn't followed.
  if (any_of(program.blocks(), [](const Block &block) { return block.ending == BlockEnd::UnknownJump; }))
    return bounds;
  Expressions exprs;
  const PhaseTrace trace = SymbolicRun(program, exprs, branches).run();
  for (const auto &[instruction, known] : trace.indexes)
    bounds.try_emplace(instruction, VectorModes::Indexes{known.least, known.greatest});
  return bounds;
}

} // namespace inflight::values
