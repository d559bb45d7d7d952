#include "values/flow/WaveBranches.h"

#include "support/BlockOrder.h"
#include "values/flow/SameInWaves.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace llvm;

namespace inflight::values {

WaveBranches::WaveBranches(const Program &program) : flow(program) {
  joins.assign(program.blocks().size(), never);
  ends.assign(program.blocks().size(), false);
  parts.assign(program.blocks().size(), false);
  findJoins();
  findParting(program);
}

/// Of the edges turned round, from each end; marks what comes to one.
std::vector<uint32_t> WaveBranches::findEnds() {
  std::vector<SmallVector<uint32_t, 2>> from(joins.size());
  std::vector<uint32_t> work;
  for (uint32_t block : flow.order()) {
    for (const Flow::Step &step : flow.steps(block))
      from[step.to].push_back(block);
    if (flow.steps(block).empty())
      work.push_back(block);
  }
  std::vector<uint32_t> postorder;
  std::vector<std::pair<uint32_t, unsigned>> stack;
  for (uint32_t end : work) {
    if (ends[end])
      continue;
    ends[end] = true;
    stack.push_back({end, 0});
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == from[block].size()) {
        postorder.push_back(block);
        stack.pop_back();
        continue;
      }
      const uint32_t before = from[block][next++];
      if (!ends[before]) {
        ends[before] = true;
        stack.push_back({before, 0});
      }
    }
  }
  return postorder;
}

/// Cooper, Harvey and Kennedy's dominators of the edges turned round, over places in a postorder; where control ends
/// hangs on one root.
void WaveBranches::findJoins() {
  const std::vector<uint32_t> postorder = findEnds();
  const uint32_t root = postorder.size();
  std::vector<uint32_t> place(joins.size(), never), above(root + 1, never);
  for (uint32_t i = 0; i < root; ++i)
    place[postorder[i]] = i;
  above[root] = root;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (a < b)
        a = above[a];
      while (b < a)
        b = above[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = root; i-- > 0;) {
      const uint32_t block = postorder[i];
      uint32_t found = flow.steps(block).empty() ? root : never;
      for (const Flow::Step &step : flow.steps(block))
        if (const uint32_t to = place[step.to]; to != never && above[to] != never)
          found = found == never ? to : meet(found, to);
      if (found != above[i]) {
        above[i] = found;
        changed = true;
      }
    }
  }
  for (uint32_t i = 0; i < root; ++i)
    if (above[i] < root)
      joins[postorder[i]] = postorder[above[i]];
}

SmallVector<uint32_t, 16> WaveBranches::beforeJoin(uint32_t block) const {
  SmallVector<uint32_t, 16> found;
  // Few of the program's blocks: a set of all would cost as much as the program is large, for each branch.
  SmallDenseSet<uint32_t, 32> seen;
  if (joins[block] != never)
    seen.insert(joins[block]);
  auto add = [&](uint32_t from) {
    for (const Flow::Step &step : flow.steps(from))
      if (seen.insert(step.to).second)
        found.push_back(step.to);
  };
  add(block);
  for (size_t i = 0; i < found.size(); ++i)
    add(found[i]);
  return found;
}

namespace {
/// What is known at the entry of each block, and which blocks are to be looked at again.
class BlockEntries {
public:
  using State = SameInWaves::State;
  explicit BlockEntries(const Flow &flow, size_t blocks) : flow(flow), entry(blocks), work(flow.order().size()) {}
  bool isReached(uint32_t block) const { return entry[block] != nullptr; }
  const State &operator[](uint32_t block) const { return *entry[block]; }
  bool empty() const { return work.empty(); }
  uint32_t pop() { return flow.order()[work.pop()]; }
  void enqueue(uint32_t block) {
    if (const unsigned position = flow.position(block); position != ~0u)
      work.push(position);
  }
  void send(uint32_t to, const State &state) {
    if (!entry[to]) {
      entry[to] = std::make_unique<State>(state);
      return enqueue(to);
    }
    bool changed = false;
    for (unsigned unit = 0; unit < state.size(); ++unit)
      if (const Same known = (*entry[to])[unit]; known != state[unit])
        if (const Same met = either(known, state[unit]); met != known) {
          (*entry[to])[unit] = met;
          changed = true;
        }
    if (changed)
      enqueue(to);
  }
  void sendToFunctions(const Program &program);

private:
  const Flow &flow;
  std::vector<std::unique_ptr<State>> entry;
  OrderedWorklist work;
};
} // namespace

void BlockEntries::sendToFunctions(const Program &program) {
  for (uint32_t block : flow.order()) {
    const uint32_t function = flow.functionAt(block);
    if (function == ~0u) {
      // Reached by jumps that aren't known.
      if (program.blocks()[block].predecessors.empty())
        send(block, SameInWaves::nothing());
      continue;
    }
    for (const Function &f : program.functions())
      if (f.entry == block && (f.isKernel || f.isOpen))
        send(block, f.isKernel ? SameInWaves::kernelEntry() : SameInWaves::nothing());
  }
}

/// Registers that the block may write.
void WaveBranches::addWritten(const Program &program, uint32_t block, BitVector &into) const {
  for (const Flow::Step &step : flow.steps(block))
    if (step.isCall)
      into.set();
  for (uint32_t index = program.blocks()[block].begin; index < program.blocks()[block].end; ++index)
    for (RegRange range : program.writes(program.instructions()[index]))
      if (range.first < SameInWaves::unitCount)
        into.set(range.first, std::min<unsigned>(range.first + range.count, SameInWaves::unitCount));
}

void WaveBranches::findParting(const Program &program) {
  using State = SameInWaves::State;
  SameInWaves effects(program);
  std::vector<std::unique_ptr<BitVector>> changedBefore(
      joins.size()); ///< of joins: registers that one path there may write
  BlockEntries entries(flow, joins.size());
  entries.sendToFunctions(program);
  while (!entries.empty()) {
    const uint32_t block = entries.pop();
    State state = entries[block];
    if (changedBefore[block])
      for (unsigned unit : changedBefore[block]->set_bits())
        state[unit] = afterParting(state[unit]);
    const Block &source = program.blocks()[block];
    for (uint32_t index = source.begin; index < source.end; ++index)
      effects.run(index, state);
    const ArrayRef<Flow::Step> steps = flow.steps(block);
    const bool branches = any_of(steps, [&](const Flow::Step &step) { return step.to != steps[0].to; });
    if (branches && !parts[block] && !effects.isTakenAlike(source.end - 1, state)) {
      parts[block] = true;
      if (const uint32_t join = joins[block]; join != never) {
        auto &changed = changedBefore[join];
        if (!changed)
          changed = std::make_unique<BitVector>(SameInWaves::unitCount);
        for (uint32_t between : beforeJoin(block))
          addWritten(program, between, *changed);
        if (entries.isReached(join))
          entries.enqueue(join);
      }
    }
    if (parts[block]) {
      ScalarTerms::Units &units = same[block];
      for (unsigned unit = 0; unit < ScalarTerms::unitCount; ++unit)
        units[unit] = state[unit] == Same::Bits || state[unit] == Same::Flag;
    }
    if (source.ending == BlockEnd::UnknownCall)
      SameInWaves::callUnknown(state);
    for (const Edge &edge : source.successors)
      entries.send(edge.block, state);
  }
}

} // namespace inflight::values
