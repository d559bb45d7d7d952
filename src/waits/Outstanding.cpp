// How many operations the program's waits leave outstanding: min(n, count) at a wait, n + 1 at an issue, the most over all ways in.
// Unlike the engine's states, which give up counting at loops, this is exact up to the counter's range.
#include "waits/Engine.h"

#include <queue>

using namespace llvm;

namespace inflight::waits {

namespace {

struct Count {
  unsigned vm = 0, lds = 0;
  bool flatOnVm = false, flatOnLgkm = false;
  bool isScalarPending = false, isWriteBackPending = false;
  bool mayVmBePending = false, mayLdsBePending = false; ///< of what may be skipped; not among the numbers
  bool operator==(const Count &) const = default;
};

class Counting {
public:
  explicit Counting(const Graph &graph) : graph(graph), most(graph.target->vmcntMax + 1) {}

  std::vector<Outstanding> run() {
    const std::vector<uint32_t> order = graph.order();
    const std::vector<uint32_t> place = graph.placesIn(order);
    std::vector<Count> entry(graph.blocks.size());
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> work;
    std::vector<bool> isQueued(order.size(), true);
    for (uint32_t i = 0; i < order.size(); ++i) {
      work.push(i);
      if (graph.blocks[order[i]].isOpenEntry)
        entry[order[i]] = {most, most, true, true, true, true, true, true};
    }
    while (!work.empty()) {
      const uint32_t i = work.top();
      work.pop();
      isQueued[i] = false;
      const GraphBlock &block = graph.blocks[order[i]];
      const Count exit = walk(block, entry[order[i]], nullptr);
      for (uint32_t successor : block.successors) {
        Count &known = entry[successor];
        const Count met{std::max(known.vm, exit.vm), std::max(known.lds, exit.lds), known.flatOnVm || exit.flatOnVm, known.flatOnLgkm || exit.flatOnLgkm,
                        known.isScalarPending || exit.isScalarPending, known.isWriteBackPending || exit.isWriteBackPending,
                        known.mayVmBePending || exit.mayVmBePending, known.mayLdsBePending || exit.mayLdsBePending};
        if (met == known)
          continue;
        known = met;
        if (place[successor] != ~0u && !isQueued[place[successor]]) {
          isQueued[place[successor]] = true;
          work.push(place[successor]);
        }
      }
    }
    std::vector<Outstanding> outstanding(graph.ops.size());
    for (uint32_t b : order)
      walk(graph.blocks[b], entry[b], &outstanding);
    return outstanding;
  }

private:
  Count walk(const GraphBlock &block, Count count, std::vector<Outstanding> *into) const {
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Op &op = graph.ops[i];
      if (into)
        (*into)[i] = {uint8_t(count.vm), uint8_t(count.lds), count.flatOnVm || count.flatOnLgkm,
                      count.vm || count.flatOnVm || count.isWriteBackPending || count.mayVmBePending,
                      count.lds || count.flatOnLgkm || count.isScalarPending || count.mayLdsBePending};
      if (op.completesAll) {
        count = {};
        continue;
      }
      if (op.isWait) {
        count.vm = std::min<unsigned>(count.vm, op.waitVm);
        count.lds = std::min<unsigned>(count.lds, op.waitLgkm);
        count.flatOnVm &= op.waitVm != 0;
        count.flatOnLgkm &= op.waitLgkm != 0;
        count.isScalarPending &= op.waitLgkm != 0;
        count.isWriteBackPending &= op.waitVm != 0;
        count.mayVmBePending &= op.waitVm != 0;
        count.mayLdsBePending &= op.waitLgkm != 0;
      }
      if (isInOrder(op, Counter::Vm)) {
        count.vm = std::min(count.vm + !op.mayBeSkipped, most);
        count.mayVmBePending |= op.mayBeSkipped;
      }
      if (isInOrder(op, Counter::Lgkm)) {
        count.lds = std::min(count.lds + !op.mayBeSkipped, most);
        count.mayLdsBePending |= op.mayBeSkipped;
      }
      if (op.kind == Kind::Flat)
        count.flatOnVm = count.flatOnLgkm = true;
      count.isScalarPending |= op.kind == Kind::Smem || op.kind == Kind::Message;
      count.isWriteBackPending |= op.kind == Kind::WriteBack;
    }
    return count;
  }

  const Graph &graph;
  unsigned most; ///< counted
};

} // namespace

std::vector<Outstanding> findOutstanding(const Graph &graph) { return Counting(graph).run(); }

} // namespace inflight::waits
