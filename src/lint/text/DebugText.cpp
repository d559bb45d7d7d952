#include "lint/text/DebugText.h"

#include "lint/text/Where.h"
#include "waits/flow/Engine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace inflight::lint {

using namespace waits;

namespace {

class DebugText {
public:
  DebugText(raw_ostream &os, const Program &program, const Graph &graph)
      : os(os), program(program), graph(graph), where(program) {}

  void write() {
    os << program.name() << ": ages are operations of the same class issued since, at least\n";
    Engine engine(graph, {});
    engine.onVisit = [&](uint32_t round, uint32_t block, const State &entry, const State &exit) {
      os << formatv("visit {0}{1}: block {2} ({3})\n", ++visits, round ? formatv(", round {0}", round + 1).str() : "",
                    block, range(block));
      writeState("in ", entry);
      writeState("out", exit);
    };
    engine.solve();
    os << "fixpoint after " << visits << " visits\n";
    std::vector<uint32_t> all(graph.blocks.size());
    std::iota(all.begin(), all.end(), 0);
    for (const Need &need : engine.needs(all)) {
      const uint32_t instruction = graph.ops[need.op].instruction;
      os << "missing before " << where.brief(instruction) << ' ' << StringRef(program.text(instruction)).trim() << ": "
         << graph.counters->text(need.counts) << '\n';
    }
  }

private:
  std::string range(uint32_t block) const {
    const GraphBlock &b = graph.blocks[block];
    return b.begin == b.end ? "empty" : where.brief(graph.ops[b.begin].instruction, graph.ops[b.end - 1].instruction);
  }

  void writeState(StringRef label, const State &state) {
    std::string text;
    raw_string_ostream line(text);
    for (Counter counter : graph.counters->all())
      writeAges(line, queueName(counter), state.inOrder[counter], state.outstanding[counter]);
    for (const auto &[i, queue] : enumerate(outOfOrderQueues(*graph.counters)))
      if (state.pending >> i & 1)
        writeUnits(line, queueName(queue), state, 1 << i);
    if (state.writeBack != notPending)
      line << "  write-back age " << unsigned(state.writeBack);
    writeAccesses(line, "dma", state.dma);
    writeAccesses(line, "lds bytes", state.accesses);
    writeAccesses(line, "late", state.late);
    os << "  " << label << (text.empty() ? "  nothing in flight" : text) << '\n';
  }

  static void writeAges(raw_ostream &line, StringRef name, ArrayRef<UnitAge> ages, unsigned outstanding) {
    if (outstanding)
      line << "  " << name << " (" << outstanding << ")";
    forEachRun(
        ages, [](const UnitAge &a) { return true; },
        [&](RegRange range, unsigned age) { line << ' ' << regName(range) << ':' << age; });
  }

  /// The counter's queue, named by the kind of its operations when there is only one.
  std::string queueName(Counter counter) const {
    const CounterInfo &info = (*graph.counters)[counter];
    const auto *first = find(info.completion, Completion::InOrder);
    if (count(info.completion, Completion::InOrder) != 1)
      return info.shortName().str();
    return orderClassName(OrderClass(first - info.completion.begin())).str();
  }

  std::string queueName(const OutOfOrderQueue &queue) const {
    const bool isOnOne =
        count_if(graph.counters->counters, [&](const CounterInfo &info) { return info.counts(queue.kind); }) == 1;
    const std::string name = orderClassName(queue.kind).str();
    return isOnOne ? name : name + " on " + (*graph.counters)[queue.counter].shortName().str();
  }

  static void writeUnits(raw_ostream &line, StringRef name, const State &state, uint16_t bit) {
    line << "  " << name;
    forEachRun(
        state.other, [&](const UnitAge &a) { return a.bits & bit; },
        [&](RegRange range, unsigned) { line << ' ' << regName(range); });
  }

  /// Runs of neighbours of the same age.
  static void forEachRun(ArrayRef<UnitAge> ages, function_ref<bool(const UnitAge &)> isWanted,
                         function_ref<void(RegRange, unsigned)> visit) {
    for (size_t i = 0; i < ages.size();) {
      size_t end = i + 1;
      if (isWanted(ages[i])) {
        while (end < ages.size() && isWanted(ages[end]) && ages[end].age == ages[i].age &&
               ages[end].unit == ages[i].unit + (end - i))
          ++end;
        visit({ages[i].unit, uint16_t(end - i)}, ages[i].age);
      }
      i = end;
    }
  }

  void writeAccesses(raw_ostream &line, StringRef name, const LdsAccesses &accesses) const {
    if (accesses.empty())
      return;
    line << "  " << name;
    for (const LdsAccess &access : accesses) {
      line << ' ' << where.brief(graph.ops[access.op].instruction) << ':' << access.stamp;
      if (access.barrier != ~0u)
        line << "@" << where.brief(graph.ops[access.barrier].instruction);
    }
  }

  raw_ostream &os;
  const Program &program;
  const Graph &graph;
  Where where;
  unsigned visits = 0;
};

} // namespace

void writeDebugText(raw_ostream &os, const Program &program, const Graph &graph) {
  DebugText(os, program, graph).write();
}

} // namespace inflight::lint
