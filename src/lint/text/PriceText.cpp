#include "lint/text/PriceText.h"

#include "lint/text/Verdict.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::lint {

using namespace waits;

void writePriceText(raw_ostream &os, const Program &program, const Reported &reported, const Prices &prices) {
  const Where where(program);
  const Graph &graph = *reported.graph;
  auto text = [&](uint32_t instruction) { return StringRef(program.text(instruction)).trim().str(); };
  const Function *current = nullptr;
  for (const WaitPrice &wait : prices.waits) {
    const Function *function = where.functionOf(wait.instruction);
    if (&wait == prices.waits.data() || function != current)
      os << program.name() << ": " << (function ? function->name : "code that no function reaches") << " ("
         << program.isa().target().chip << "): cycles of waiting, as the timed model has them\n";
    current = function;
    os << formatv("{0,7}  {1} {2}", wait.cycles, where.brief(wait.instruction), text(wait.instruction));
    if (wait.slowest != ~0u)
      os << formatv(" for {0} {1}: {2} cycles, {3} of them since its issue",
                    where.brief(graph.ops[wait.slowest].instruction), where.operation(graph, wait.slowest),
                    wait.latency, wait.covered);
    if (wait.isOnce)
      os << "; in the first iteration alone";
    os << '\n';
  }
  for (const LoopPrice &loop : prices.loops)
    if (loop.waiting + loop.issuing)
      os << formatv("{0,7}  of {1} cycles per iteration in the loop {2}\n", loop.waiting, loop.waiting + loop.issuing,
                    where.brief(loop.firstInstruction, loop.lastInstruction));
}

} // namespace inflight::lint
