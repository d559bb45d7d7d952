#include "waits/Ordering.h"

#include "program/Program.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace inflight::waits {

namespace {

class Ordering {
public:
  Ordering(Graph &graph, const Program &program) : graph(graph), program(program) {}

  void mark() {
    for (GraphBlock &block : graph.blocks)
      for (uint32_t i = block.begin; i < block.end; ++i) {
        Op &op = graph.ops[i];
        if (op.isWait && op.waitVm != 255)
          op.keepsWait = orders(block, i);
      }
  }

private:
  enum class Next { Nothing, Barrier, Publication };
  /// Before and behind it so many instructions are looked at; what is further away isn't its business.
  static constexpr unsigned reach = 256;

  bool orders(const GraphBlock &block, uint32_t wait) {
    Next next = Next::Nothing;
    unsigned left = reach;
    DenseSet<uint32_t> seen;
    lookBehind(block, wait + 1, next, left, seen);
    if (next == Next::Nothing && !followsWriteBack(block, wait))
      return false;
    // A release waits for everything; a count in front of an atomic is for a register.
    if (next == Next::Publication && graph.ops[wait].waitVm != 0 && !followsWriteBack(block, wait))
      return false;
    left = reach;
    seen.clear();
    return isPreceded(block, wait, next == Next::Barrier, left, seen);
  }

  bool followsWriteBack(const GraphBlock &block, uint32_t wait) const {
    for (uint32_t i = wait; i-- > block.begin;) {
      if (graph.ops[i].kind == Kind::WriteBack)
        return true;
      if (graph.ops[i].kind != Kind::None)
        return false;
    }
    return false;
  }

  bool isPublication(uint32_t i) const {
    const Op &op = graph.ops[i];
    const InstrDesc *desc = program.instructions()[op.instruction].desc;
    StringRef m = desc->mnemonic;
    if (op.kind == Kind::WriteBack || m.starts_with("buffer_inv") || m.starts_with("buffer_wbinv") || op.kind == Kind::Message)
      return true;
    if (op.kind != Kind::Vmem && op.kind != Kind::Flat)
      return false;
    if (desc->isAtomicRet || desc->isAtomicNoRet)
      return true;
    const std::string text = program.text(op.instruction);
    StringRef t = text;
    return t.contains(" sc0") || t.contains(" sc1") || t.contains(" glc") || t.contains(" scc");
  }

  /// What stands behind the wait before or as the next memory operation.
  void lookBehind(const GraphBlock &block, uint32_t from, Next &next, unsigned &left, DenseSet<uint32_t> &seen) {
    for (uint32_t i = from; i < block.end; ++i) {
      if (!left--) {
        left = 0;
        return;
      }
      const Op &op = graph.ops[i];
      if (op.isBarrier)
        next = std::max(next, Next::Barrier);
      if (op.kind == Kind::None && !op.isBarrier) {
        if (const InstrDesc *desc = program.instructions()[op.instruction].desc; !desc || !StringRef(desc->mnemonic).starts_with("buffer_"))
          continue;
      }
      if (op.isBarrier)
        continue;
      if (isPublication(i))
        next = Next::Publication;
      return;
    }
    for (uint32_t successor : block.successors)
      if (next != Next::Publication && left && seen.insert(successor).second)
        lookBehind(graph.blocks[successor], graph.blocks[successor].begin, next, left, seen);
  }

  /// Whether memory operations (stores, when `storesOnly`) come before it that nothing has waited for.
  bool isPreceded(const GraphBlock &block, uint32_t to, bool storesOnly, unsigned &left, DenseSet<uint32_t> &seen) const {
    for (uint32_t i = to; i-- > block.begin;) {
      if (!left--) {
        left = 0;
        return true;
      }
      const Op &op = graph.ops[i];
      if (op.isWait && op.waitVm == 0)
        return false;
      if (op.kind == Kind::WriteBack || (storesOnly ? op.isStore : op.kind == Kind::Vmem || op.kind == Kind::Flat || op.kind == Kind::LdsDma))
        return true;
    }
    for (uint32_t predecessor : block.predecessors)
      if (left && seen.insert(predecessor).second && isPreceded(graph.blocks[predecessor], graph.blocks[predecessor].end, storesOnly, left, seen))
        return true;
    return false;
  }

  Graph &graph;
  const Program &program;
};

} // namespace

void markOrdering(Graph &graph, const Program &program) { Ordering(graph, program).mark(); }

} // namespace inflight::waits
