#include "waits/graph/OpTraits.h"

using namespace llvm;

namespace inflight::waits {

uint8_t traitsOf(const Op &op, const InstrDesc &desc) {
  const bool isMemory = desc.isVmem() || desc.isDs() || desc.isSmem(), isLoad = isMemory && desc.mayLoad;
  uint8_t traits = trait::IsInstruction;
  auto add = [&](uint8_t bit, bool has) { traits |= has ? bit : 0; };
  add(trait::Decides, desc.isConditionalBranch);
  add(trait::IsVectorMemory, isMemory && !desc.isSmem());
  add(trait::Stops, isLoad || (isMemory && !desc.isDs()));
  add(trait::KeepsHalf, isMemory && desc.access.halves != 3);
  add(trait::LoadsByAddress, isLoad && !desc.isSmem());
  add(trait::IsNoted, op.kind != Kind::None || op.isBarrier || op.isBarrierWait || op.tellsSome || desc.isTrap ||
                          desc.invalidatesScalarCache || desc.invalidatesVectorCache ||
                          desc.invalidatesInstructionCache);
  return traits;
}

uint8_t traitsOf(const Op &op, uint8_t ofOpcode, const InstrDesc &desc, ArrayRef<RegRange> ranges) {
  static constexpr RegRange exec{regunit::ExecLo, 2};
  uint8_t traits = ofOpcode;
  if (any_of(op.writes(ranges), [](RegRange range) { return range.overlaps(exec); }))
    traits |= trait::WritesExec | trait::Decides;
  if (desc.isBranch && op.readCount)
    traits |= trait::Decides;
  if (op.fencesResults)
    traits |= trait::IsNoted;
  return traits;
}

OpTraits traitsOf(const Graph &graph, const Program &program) {
  OpTraits traits;
  traits.of.resize(graph.ops.size());
  for (uint32_t i = 0; i < graph.ops.size(); ++i) {
    const Op &op = graph.ops[i];
    traits.note(op);
    if (const InstrDesc *desc = program.instructions()[op.instruction].desc)
      traits.of[i] = traitsOf(op, traitsOf(op, *desc), *desc, graph.ranges);
  }
  return traits;
}

} // namespace inflight::waits
