#include "waits/Prologue.h"

#include "program/Program.h"

namespace inflight::waits {

bool isPreloadPrologue(const Program &program, const Graph &graph, const GraphBlock &block) {
  if (!block.isEntry || block.begin == block.end || block.exitCount != 1)
    return false;
  bool loads = false;
  for (uint32_t i = block.begin; i < block.end; ++i) {
    const Op &op = graph.ops[i];
    const InstrDesc *desc = program.instructions()[op.instruction].desc;
    if (!desc)
      return false;
    if (i + 1 == block.end)
      return loads && desc->isBranch && !desc->isConditionalBranch;
    loads |= op.kind == Kind::Smem;
    if (!op.isWait && op.kind != Kind::Smem && !desc->isNop)
      return false;
  }
  return false;
}

} // namespace inflight::waits
