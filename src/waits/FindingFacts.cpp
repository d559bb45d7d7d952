#include "waits/FindingFacts.h"

#include "program/Program.h"
#include "waits/flow/Translations.h"
#include "waits/graph/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

bool anyBetween(const Graph &graph, const Finding &finding, function_ref<bool(const Op &)> isDone) {
  const Producer &producer = *finding.producer;
  for (size_t i = 0; i < producer.path.size(); ++i) {
    const GraphBlock &block = graph.blocks[producer.path[i]];
    const uint32_t begin = i == 0 ? producer.op + 1 : block.begin,
                   end = i + 1 == producer.path.size() ? finding.need.op : block.end;
    if (any_of(ArrayRef(graph.ops).slice(begin, end - begin), isDone))
      return true;
  }
  return false;
}

bool isOfOneField(const Graph &graph, Counter a, Counter b) {
  const CounterTable &counters = *graph.counters;
  return counters.firstOf(a) == counters.firstOf(b) && counters[a].isOfSources == counters[b].isOfSources;
}

bool isCountedInField(const Graph &graph, const Op &op, Counter counter) {
  return any_of(graph.counters->all(),
                [&](Counter other) { return isOfOneField(graph, other, counter) && graph.isCounted(op, other); });
}

/// Whether a wait between finishes the operation, if so many as `counted` says of each are behind it on that counter.
static bool isFinished(const Graph &graph, const Finding &finding, Counter counter,
                       function_ref<unsigned(const Op &)> counted) {
  unsigned age = 0;
  return anyBetween(graph, finding, [&](const Op &op) {
    if (op.isWait && graph.waitOf(op)[counter].finishes(age))
      return true;
    age += counted(op);
    return false;
  });
}

bool isOneOrderEnough(const Graph &graph, const Finding &finding) {
  return isFinished(graph, finding, finding.counter, [&](const Op &op) {
    return isCountedInField(graph, op, finding.counter) ? 1u + op.mayCountTwice : 0u;
  });
}

bool isOrderOfItsKindEnough(const Graph &graph, const Finding &finding) {
  const Kind kind = graph.ops[finding.producer->op].kind;
  if (kind != Kind::Sample && kind != Kind::Bvh)
    return false;
  return isFinished(graph, finding, finding.counter,
                    [&](const Op &op) { return op.kind == kind && graph.isCounted(op, finding.counter); });
}

bool isTranslationEnough(const Graph &graph, const Finding &finding) {
  const std::optional<Counter> addresses = Translations::counterOf(*graph.counters);
  if (!addresses || !(*graph.counters)[finding.counter].isOfSources ||
      !graph.isCounted(graph.ops[finding.producer->op], *addresses))
    return false;
  return isFinished(graph, finding, *addresses, [&](const Op &op) { return graph.isCounted(op, *addresses); });
}

bool isBarrierEnough(const Program &program, const Graph &graph, const Finding &finding) {
  const uint32_t signal = graph.ops[finding.producer->op].instruction;
  if (program.instructions()[signal].desc->id != Mnemonic::s_barrier_signal_isfirst)
    return false;
  auto barrierOf = [&](uint32_t instruction) -> std::optional<int16_t> {
    const MCInst &inst = program.inst(instruction);
    return inst.getNumOperands() && inst.getOperand(0).isImm() ? std::optional(int16_t(inst.getOperand(0).getImm()))
                                                               : std::nullopt;
  };
  const std::optional<int16_t> barrier = barrierOf(signal);
  return barrier && anyBetween(graph, finding, [&](const Op &op) {
           const InstrDesc *desc = program.instructions()[op.instruction].desc;
           return desc && desc->isBarrierWait && barrierOf(op.instruction) == barrier;
         });
}

} // namespace inflight::waits
