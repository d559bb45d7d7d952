#include "values/flow/Loops.h"

#include "support/BlockOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

Flow::Flow(const Program &program) {
  ArrayRef<Block> blocks = program.blocks();
  const unsigned count = blocks.size();
  DenseMap<uint32_t, uint32_t> blockAt; // by first instruction
  for (unsigned b = 0; b < count; ++b)
    if (blocks[b].begin < blocks[b].end)
      blockAt.try_emplace(blocks[b].begin, b);
  firstStep.push_back(0);
  for (const Block &block : blocks) {
    bool calls = block.ending == BlockEnd::UnknownCall;
    for (const Edge &edge : block.successors)
      calls |= edge.kind == EdgeKind::Call;
    for (const Edge &edge : block.successors)
      if (edge.kind == EdgeKind::Next || edge.kind == EdgeKind::Branch)
        allSteps.push_back({edge.block, edge.kind, calls});
    if (calls && block.ending != BlockEnd::UnknownCall)
      if (auto after = blockAt.find(block.end); after != blockAt.end())
        allSteps.push_back({after->second, EdgeKind::Return, true});
    firstStep.push_back(allSteps.size());
  }
  entryOf.assign(count, ~0u);
  for (unsigned f = 0; f < program.functions().size(); ++f)
    if (const uint32_t entry = program.functions()[f].entry; entry < count)
      entryOf[entry] = entryOf[entry] == ~0u ? f : several;
  findOrder(program);
  findDominators();
  findLoops();
  findTangles();
}

void Flow::findOrder(const Program &program) {
  const unsigned count = program.blocks().size();
  positions.assign(count, ~0u);
  std::vector<uint32_t> entries;
  for (const Function &function : program.functions())
    if (function.entry < count)
      entries.push_back(function.entry);
  reversePostOrder = inflight::reversePostOrder(count, entries, [&](uint32_t block) {
    return map_range(steps(block), +[](const Step &step) { return step.to; });
  });
  for (unsigned i = 0; i < reversePostOrder.size(); ++i)
    positions[reversePostOrder[i]] = i;
  froms.resize(count);
  for (uint32_t block : reversePostOrder)
    for (const Step &step : steps(block))
      froms[step.to].push_back(block);
}

void Flow::findDominators() {
  // Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", over positions; functions' entries hang on a root
  // above all.
  const unsigned count = reversePostOrder.size();
  constexpr unsigned none = ~0u;
  std::vector<unsigned> above(count + 1, none); // by position + 1; 0 is the root
  above[0] = 0;
  auto meet = [&](unsigned a, unsigned b) {
    while (a != b) {
      while (a > b)
        a = above[a];
      while (b > a)
        b = above[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < count; ++i) {
      const uint32_t block = reversePostOrder[i];
      unsigned found = isEntry(block) ? 0 : none;
      for (uint32_t from : froms[block])
        if (above[positions[from] + 1] != none)
          found = found == none ? positions[from] + 1 : meet(found, positions[from] + 1);
      if (found != none && above[i + 1] != found) {
        above[i + 1] = found;
        changed = true;
      }
    }
  }
  // Numbers of the tree, so that dominance is an interval.
  std::vector<std::vector<unsigned>> below(count + 1);
  for (unsigned i = 1; i <= count; ++i)
    if (above[i] != none)
      below[above[i]].push_back(i);
  treeIn.assign(count + 1, 0);
  treeOut.assign(count + 1, 0);
  unsigned clock = 0;
  std::vector<std::pair<unsigned, unsigned>> stack{{0, 0}};
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    if (next == 0)
      treeIn[node] = clock++;
    if (next < below[node].size()) {
      unsigned child = below[node][next++];
      stack.push_back({child, 0});
    } else {
      treeOut[node] = clock++;
      stack.pop_back();
    }
  }
}

bool Flow::dominates(uint32_t a, uint32_t b) const {
  const unsigned x = positions[a] + 1, y = positions[b] + 1;
  return treeIn[x] <= treeIn[y] && treeOut[y] <= treeOut[x];
}

bool Flow::isIrregular(uint32_t from, uint32_t to) const {
  return positions[to] <= positions[from] && !dominates(to, from);
}

bool Flow::contains(int loop, uint32_t block) const {
  for (int l = innermost[block]; l >= 0; l = theLoops[l].parent)
    if (l == loop)
      return true;
  return false;
}

void Flow::findLoops() {
  innermost.assign(positions.size(), -1);
  irregular.assign(positions.size(), false);
  // Inner headers come later in the order: from the last to the first, so that inner loops are found before those
  // around them.
  std::vector<int> outermost; // of each loop so far, with shortcuts
  for (unsigned i = reversePostOrder.size(); i-- > 0;) {
    const uint32_t header = reversePostOrder[i];
    std::vector<uint32_t> work;
    for (uint32_t from : froms[header]) {
      if (positions[from] < i)
        continue;
      if (dominates(header, from))
        work.push_back(from);
      else
        irregular[header] = true;
    }
    if (work.empty())
      continue;
    const int loop = theLoops.size();
    theLoops.push_back({header, -1, {}});
    auto outermostOf = [&](int l) {
      while (theLoops[l].parent >= 0)
        l = theLoops[l].parent;
      return l;
    };
    while (!work.empty()) {
      const uint32_t block = work.back();
      work.pop_back();
      uint32_t from = block;
      if (innermost[block] < 0) {
        innermost[block] = loop;
      } else {
        const int around = outermostOf(innermost[block]);
        if (around == loop)
          continue;
        theLoops[around].parent = loop;
        from = theLoops[around].header;
      }
      if (from != header)
        append_range(work, froms[from]);
    }
    if (innermost[header] < 0)
      innermost[header] = loop;
  }
  for (uint32_t block : reversePostOrder)
    for (int l = innermost[block]; l >= 0; l = theLoops[l].parent)
      theLoops[l].blocks.push_back(block);
}

int Flow::levelOf(uint32_t block) const {
  const int loop = innermost[block];
  return loop >= 0 && theLoops[loop].header == block ? theLoops[loop].parent : loop;
}

void Flow::findTangles() {
  tangleAt.assign(positions.size(), -1);
  std::vector<uint8_t> reached(positions.size(), 0); // bit 0: from the block, bit 1: leads to it
  for (uint32_t target : reversePostOrder) {
    if (!irregular[target] || tangleAt[target] >= 0)
      continue;
    const int level = levelOf(target);
    const uint32_t header = level >= 0 ? theLoops[level].header : ~0u;
    std::vector<uint32_t> seen, work;
    auto reach = [&](uint32_t block, uint8_t bit) {
      if (block == header || (level >= 0 && !contains(level, block)) || (reached[block] & bit))
        return;
      if (!reached[block])
        seen.push_back(block);
      reached[block] |= bit;
      work.push_back(block);
    };
    for (reach(target, 1); !work.empty();) {
      const uint32_t block = work.back();
      work.pop_back();
      for (const Step &step : steps(block))
        reach(step.to, 1);
    }
    for (reach(target, 2); !work.empty();) {
      const uint32_t block = work.back();
      work.pop_back();
      for (uint32_t from : froms[block])
        reach(from, 2);
    }
    Tangle tangle;
    bool isEntered = false; // by callers
    for (uint32_t block : seen) {
      if (reached[block] == 3) {
        tangle.blocks.push_back(block);
        isEntered |= isEntry(block);
      }
      reached[block] = 0;
    }
    if (isEntered)
      continue;
    llvm::sort(tangle.blocks, [&](uint32_t a, uint32_t b) { return positions[a] < positions[b]; });
    for (uint32_t block : tangle.blocks)
      if (levelOf(block) == level)
        tangleAt[block] = theTangles.size();
    theTangles.push_back(std::move(tangle));
  }
}

} // namespace inflight::values
