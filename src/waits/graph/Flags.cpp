#include "waits/graph/Flags.h"

#include "support/BlockOrder.h"
#include "waits/graph/UnitSet.h"
#include <numeric>

using namespace llvm;

namespace inflight::waits {

namespace {

/// A register decides at a point when a branch, EXEC or an address after it depends on what it holds there.
class Backwards {
public:
  Backwards(const Graph &graph, const Program &program, const OpTraits &traits)
      : graph(graph), program(program), traits(traits) {
    for (uint8_t of : traits.of)
      all |= of;
    isOpen = any_of(graph.blocks, [&](const GraphBlock &block) { return isOpenAfter(block); });
    findFullExec();
  }

  /// Calls `found(op)` for each operation on memory through vector registers whose result decides until it returns
  /// true; for some more than once.
  template <typename Found> void run(bool withAddresses, Found found) {
    if (!findRelevant(withAddresses))
      return;
    deciding.assign(graph.blocks.size(), {});
    // From the last block on. What a block decides only grows: each visit finds what those before it found.
    const uint32_t last = graph.blocks.size() - 1;
    OrderedWorklist work(graph.blocks.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      work.push(b);
    while (!work.empty()) {
      const uint32_t b = last - work.pop();
      UnitSet registers = after(b);
      if (walk(b, registers, found))
        return;
      if (registers == deciding[b])
        continue;
      deciding[b] = registers;
      for (uint32_t predecessor : graph.blocks[b].predecessors)
        work.push(last - predecessor);
    }
  }

private:
  /// What isn't known may look at anything.
  bool isOpenAfter(const GraphBlock &block) const {
    const BlockEnd ending = program.blocks()[block.origin].ending;
    return ending == BlockEnd::UnknownCall || ending == BlockEnd::UnknownJump ||
           (ending == BlockEnd::Return && block.successors.empty());
  }

  /// How far into each block EXEC is as the wave began with: nobody has written it.
  void findFullExec() {
    execKeptUntil.resize(graph.blocks.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      execKeptUntil[b] = graph.blocks[b].end;
    if (!(all & trait::WritesExec) &&
        none_of(graph.blocks, [](const GraphBlock &block) { return block.hasUnknownCaller; }))
      return;
    std::vector<bool> isKept(graph.blocks.size(), true);
    SmallVector<uint32_t, 16> work;
    auto loses = [&](uint32_t b) {
      if (isKept[b]) {
        isKept[b] = false;
        work.push_back(b);
      }
    };
    for (uint32_t b = 0; b < graph.blocks.size(); ++b) {
      const GraphBlock &block = graph.blocks[b];
      if (block.hasUnknownCaller)
        loses(b);
      uint32_t &until = execKeptUntil[b] = block.begin;
      while (until < block.end && !(traits[until] & trait::WritesExec))
        ++until;
      if (until < block.end)
        for (uint32_t successor : block.successors)
          loses(successor);
    }
    while (!work.empty()) {
      const uint32_t b = work.pop_back_val();
      execKeptUntil[b] = graph.blocks[b].begin;
      for (uint32_t successor : graph.blocks[b].successors)
        loses(successor);
    }
  }

  UnitSet after(uint32_t b) const {
    const GraphBlock &block = graph.blocks[b];
    if (isOpenAfter(block))
      return UnitSet::all();
    UnitSet registers;
    for (uint32_t successor : block.successors)
      registers |= deciding[successor];
    return registers;
  }

public:
  /// Finds the ops that may take part: those that write what may decide anywhere in the program, whatever the order is.
  /// False when there is nothing to be found among them.
  bool findRelevant(bool withAddresses) {
    decides = trait::Decides | (withAddresses ? trait::LoadsByAddress : 0);
    if (!(all & trait::IsVectorMemory) || (!(all & decides) && !isOpen))
      return false;
    UnitSet anywhere = isOpen ? UnitSet::all() : UnitSet();
    for (uint32_t i = 0; i < graph.ops.size(); ++i)
      if (traits[i] & decides)
        addReads(graph.ops[i], anywhere);
    // Straight code is done after one pass; where it takes more, they are found by their writers.
    constexpr unsigned mostPasses = 2;
    bool hasMemory = false, isGrowing = true;
    for (unsigned pass = 0; isGrowing; ++pass) {
      if (!isOpen && (pass == mostPasses || !firstWriter.empty()))
        followWriters(anywhere);
      isGrowing = hasMemory = false;
      relevant.clear();
      for (uint32_t i = graph.ops.size(); i-- > 0;) {
        const Op &op = graph.ops[i];
        const bool isLookedAt = any_of(op.writes(graph.ranges), [&](RegRange range) { return anywhere.hasAny(range); });
        if (isLookedAt && (traits[i] & trait::IsInstruction)) {
          hasMemory |= (traits[i] & trait::IsVectorMemory) != 0;
          if (!(traits[i] & trait::Stops))
            isGrowing |= addReads(op, anywhere);
        }
        if (isLookedAt || (traits[i] & decides))
          relevant.push_back(i);
      }
    }
    std::reverse(relevant.begin(), relevant.end());
    return hasMemory;
  }

private:
  /// Fills `writers`: ops whose results depend on what they read, by the registers that they write.
  void findWriters() {
    auto forEach = [&](auto visit) {
      for (uint32_t i = 0; i < graph.ops.size(); ++i)
        if ((traits[i] & (trait::IsInstruction | trait::Stops)) == trait::IsInstruction)
          for (RegRange range : graph.ops[i].writes(graph.ranges))
            for (unsigned unit = range.first; unit < std::min<unsigned>(range.first + range.count, regunit::Count);
                 ++unit)
              visit(unit, i);
    };
    firstWriter.assign(regunit::Count + 1, 0);
    forEach([&](unsigned unit, uint32_t) { ++firstWriter[unit]; });
    std::partial_sum(firstWriter.begin(), firstWriter.end(), firstWriter.begin());
    writers.resize(firstWriter.back());
    forEach([&](unsigned unit, uint32_t op) { writers[--firstWriter[unit]] = op; });
  }

  bool addReads(const Op &op, UnitSet &registers) const {
    const UnitSet before = registers;
    for (RegRange range : op.reads(graph.ranges))
      registers.insert(range);
    return registers != before;
  }

  /// Adds what the registers depend on, wherever they are written.
  void followWriters(UnitSet &registers) {
    if (firstWriter.empty())
      findWriters();
    SmallVector<unsigned, 64> open;
    registers.forEach([&](unsigned unit) { open.push_back(unit); });
    std::vector<bool> isSeen(graph.ops.size());
    while (!open.empty()) {
      const unsigned unit = open.pop_back_val();
      for (uint32_t writer : ArrayRef(writers).slice(firstWriter[unit], firstWriter[unit + 1] - firstWriter[unit])) {
        if (isSeen[writer])
          continue;
        isSeen[writer] = true;
        for (RegRange range : graph.ops[writer].reads(graph.ranges))
          for (unsigned read = range.first; read < unsigned(range.first + range.count); ++read)
            if (!registers.contains(RegUnit(read))) {
              registers.insert({RegUnit(read), 1});
              open.push_back(read);
            }
      }
    }
  }

  /// Whether `found` has returned true.
  template <typename Found> bool walk(uint32_t b, UnitSet &registers, Found &found) const {
    const GraphBlock &block = graph.blocks[b];
    const auto begin = lower_bound(relevant, block.begin);
    for (auto at = std::lower_bound(begin, relevant.end(), block.end); at != begin;) {
      const uint32_t i = *--at;
      const Op &op = graph.ops[i];
      const uint8_t is = traits[i];
      if (!(is & trait::IsInstruction))
        continue;
      bool isLookedAt = false;
      for (RegRange range : op.writes(graph.ranges)) {
        if (!registers.hasAny(range))
          continue;
        isLookedAt = true;
        // Lanes that aren't active keep what they have.
        if (range.first < regunit::Vgpr0 || (i < execKeptUntil[b] && !(is & trait::KeepsHalf)))
          registers.erase(range);
      }
      if ((is & trait::IsVectorMemory) && isLookedAt && found(i))
        return true;
      if ((isLookedAt && !(is & trait::Stops)) || (is & decides))
        for (RegRange range : op.reads(graph.ranges))
          registers.insert(range);
    }
    return false;
  }

  const Graph &graph;
  const Program &program;
  const OpTraits &traits;
  uint8_t all = 0;                            ///< traits of some op
  bool isOpen = false;                        ///< what isn't known comes after some block
  uint8_t decides = 0;                        ///< whose registers decide whatever is done with the result
  std::vector<UnitSet> deciding;              ///< by block: registers at its beginning
  std::vector<uint32_t> execKeptUntil;        ///< by block: an op
  std::vector<uint32_t> relevant;             ///< ops, sorted
  std::vector<uint32_t> writers, firstWriter; ///< `firstWriter`: by register unit, where its ops begin
};

} // namespace

Deciders findDeciders(const Graph &graph, const Program &program, const OpTraits &traits, bool asksForLdsReads) {
  Deciders found;
  Backwards backwards(graph, program, traits);
  // What decides where control goes is a part of what does that or is an address.
  if (asksForLdsReads && !backwards.findRelevant(true))
    return found;
  backwards.run(false, [&](uint32_t op) {
    found.ofControl.resize(graph.ops.size());
    found.ofControl[op] = true;
    found.areLdsReads |= graph.ops[op].readsLds;
    return false;
  });
  if (asksForLdsReads && !found.areLdsReads)
    backwards.run(true, [&](uint32_t op) { return found.areLdsReads = graph.ops[op].readsLds; });
  return found;
}

} // namespace inflight::waits
