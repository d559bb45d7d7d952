#include "lint/text/Verdict.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lint {

using namespace waits;

Verdict verdictOf(const CountReport &count) {
  if (!count.weakest)
    return Verdict::Superfluous;
  if (*count.weakest > count.value)
    return Verdict::Strict;
  return count.ordersMemory ? Verdict::Orders : Verdict::Exact;
}

Verdict verdictOf(const WaitReport &wait) {
  if (wait.counts.empty())
    return Verdict::Exact;
  const Verdict first = verdictOf(wait.counts.front());
  bool isSame = true, isKept = true;
  for (const CountReport &count : wait.counts) {
    const Verdict verdict = verdictOf(count);
    isSame &= verdict == first;
    isKept &= verdict == Verdict::Exact || verdict == Verdict::Orders;
  }
  return isSame ? first : isKept ? Verdict::Exact : Verdict::Strict;
}

StringRef verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Exact: return "exact";
  case Verdict::Strict: return "strict";
  case Verdict::Superfluous: return "superfluous";
  case Verdict::Orders: return "orders-memory";
  }
  return "";
}

std::string enoughText(const CounterTable &counters, const WaitReport &wait) {
  WaitCounts enough;
  for (const CountReport &count : wait.counts)
    if (verdictOf(count) != Verdict::Superfluous)
      enough[count.counter] = WaitCount(count.weakest.value_or(count.value));
  return counters.text(enough);
}

std::vector<OperationGroup> groupOperations(const Program &program, const Graph &graph, ArrayRef<InFlight> operations,
                                            uint32_t place) {
  const Where where(program);
  std::vector<OperationGroup> groups;
  const InstrDesc *previous = nullptr;
  uint32_t previousBlock = 0;
  for (const InFlight &operation : operations) {
    const uint32_t instruction = graph.ops[operation.op].instruction;
    const InstrDesc *desc = program.instructions()[instruction].desc;
    const bool isFromBefore = instruction >= place;
    const uint32_t block = where.blockOf(instruction);
    if (!groups.empty()) {
      OperationGroup &group = groups.back();
      if (previous->mnemonic == desc->mnemonic && previousBlock == block && group.isFromBefore == isFromBefore &&
          group.inOrder == operation.inOrder) {
        ++group.count;
        group.first = std::min(group.first, instruction);
        group.last = std::max(group.last, instruction);
        group.oldest = std::max(group.oldest, operation.age);
        group.youngest = std::min(group.youngest, operation.age);
        continue;
      }
    }
    previous = desc;
    previousBlock = block;
    groups.push_back({where.operation(graph, operation.op), 1, instruction, instruction, operation.age, operation.age,
                      operation.inOrder, isFromBefore});
  }
  return groups;
}

std::string groupText(const OperationGroup &group) {
  if (group.count == 1)
    return group.name;
  return std::to_string(group.count) + " × " + StringRef(group.name).split(' ').first.str();
}

} // namespace inflight::lint
