#include "lint/text/ReportText.h"

#include "lint/text/Verdict.h"
#include "waits/Price.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lint {

using namespace waits;

static json::Object instructionObject(const Program &program, uint32_t instruction) {
  const ProgramPlace place = placeOf(program, instruction);
  json::Object object{{"instruction", place.instruction}};
  if (place.address)
    object["address"] = *place.address;
  if (!place.source.file.empty()) {
    object["line"] = place.source.line;
    if (!program.isAssembly())
      object["source"] = place.source.file;
  }
  return object;
}

static json::Object countObject(const Program &program, const Graph &graph, const CountReport &count, uint32_t wait) {
  json::Object object{{"counter", (*graph.counters)[count.counter].name},
                      {"value", count.value},
                      {"verdict", verdictName(verdictOf(count))}};
  if (count.weakest)
    object["enough"] = *count.weakest;
  json::Array operations;
  for (const InFlight &operation : count.waitsFor) {
    const uint32_t instruction = graph.ops[operation.op].instruction;
    json::Object o = instructionObject(program, instruction);
    if (operation.inOrder)
      o["age"] = operation.age;
    else
      o["outOfOrder"] = true;
    if (instruction >= wait)
      o["previousIteration"] = true;
    operations.push_back(std::move(o));
  }
  object["operations"] = std::move(operations);
  if (count.reasonOp != ~0u)
    object["because"] = json::Object{{"operation", instructionObject(program, graph.ops[count.reasonOp].instruction)},
                                     {"use", instructionObject(program, graph.ops[count.reasonUser].instruction)}};
  if (!count.alsoWaitedAt.empty()) {
    json::Array others;
    for (uint32_t other : count.alsoWaitedAt)
      others.push_back(instructionObject(program, other));
    object["alsoWaitedAt"] = std::move(others);
  }
  if (count.isPartial)
    object["partial"] = true;
  return object;
}

void addReportJson(json::Object &into, const Program &program, const Reported &reported, const Prices *prices) {
  const Where where(program);
  auto addKernel = [&](json::Object &object, uint32_t instruction) {
    if (const Function *function = where.functionOf(instruction))
      object["kernel"] = function->name;
  };
  const CounterTable &counters = *reported.graph->counters;
  json::Array waits;
  for (const WaitReport &wait : reported.waits) {
    json::Object object = instructionObject(program, wait.instruction);
    addKernel(object, wait.instruction);
    object["verdict"] = verdictName(verdictOf(wait));
    if (verdictOf(wait) == Verdict::Strict)
      object["enough"] = enoughText(counters, wait);
    json::Array counts;
    for (const CountReport &count : wait.counts)
      counts.push_back(countObject(program, *reported.graph, count, wait.instruction));
    object["counts"] = std::move(counts);
    if (prices)
      if (const WaitPrice *price = prices->find(wait.instruction))
        object["cycles"] = price->cycles;
    waits.push_back(std::move(object));
  }
  into["waits"] = std::move(waits);
  json::Array unjudged;
  for (const uint32_t instruction : unjudgedIn(program, reported)) {
    json::Object object = instructionObject(program, instruction);
    addKernel(object, instruction);
    unjudged.push_back(std::move(object));
  }
  if (!unjudged.empty())
    into["unjudged"] = std::move(unjudged);
  json::Array loops;
  for (const LoopReport &loop : reported.loops) {
    json::Object object{{"first", instructionObject(program, loop.firstInstruction)},
                        {"last", instructionObject(program, loop.lastInstruction)}};
    addKernel(object, loop.firstInstruction);
    json::Object atBackEdge, deepest;
    for (Counter counter : counters.all()) {
      atBackEdge[counters[counter].name] = counters.sumOf(counters.firstOf(counter), loop.atBackEdge);
      deepest[counters[counter].name] = counters.sumOf(counters.firstOf(counter), loop.deepest);
    }
    object["atBackEdge"] = std::move(atBackEdge);
    object["deepest"] = std::move(deepest);
    json::Array drains;
    for (uint32_t drain : loop.drains)
      drains.push_back(instructionObject(program, drain));
    object["drains"] = std::move(drains);
    if (prices)
      for (const LoopPrice &price : prices->loops)
        if (price.firstInstruction == loop.firstInstruction && price.lastInstruction == loop.lastInstruction)
          object["cycles"] = json::Object{{"waiting", price.waiting}, {"issuing", price.issuing}};
    loops.push_back(std::move(object));
  }
  into["loops"] = std::move(loops);
}

} // namespace inflight::lint
