#include "machine/timed/StaticPath.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::machine::timed {

namespace {

/// Instructions of one path, and paths of one function.
constexpr size_t longestPath = 200000, mostPaths = 32;

class PathFinder {
public:
  PathFinder(const Program &program, unsigned trips)
      : program(program), blocks(program.blocks()), trips(std::max(1u, trips)), seen(blocks.size()) {}

  std::vector<std::vector<uint32_t>> run() {
    std::vector<std::vector<uint32_t>> paths;
    auto from = [&](uint32_t entry) {
      for (size_t i = 0; i < mostPaths; ++i) {
        findOpen();
        if (i && !open[entry])
          break;
        const unsigned before = seen.count();
        std::vector<uint32_t> path = walk(entry);
        if (seen.count() == before && i)
          break;
        paths.push_back(std::move(path));
      }
    };
    for (const Function &function : program.functions())
      if (function.isKernel)
        from(function.entry);
    for (const Function &function : program.functions())
      if (!seen[function.entry])
        from(function.entry);
    return paths;
  }

private:
  /// Blocks from which one that no path has passed can be reached, themselves included.
  void findOpen() {
    open.clear();
    open.resize(blocks.size());
    std::vector<uint32_t> work;
    for (uint32_t b = 0; b < blocks.size(); ++b)
      if (!seen[b] && blocks[b].function != ~0u) {
        open.set(b);
        work.push_back(b);
      }
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      for (const Edge &edge : blocks[b].predecessors)
        if (!open[edge.block]) {
          open.set(edge.block);
          work.push_back(edge.block);
        }
    }
  }

  std::vector<uint32_t> walk(uint32_t entry) {
    std::vector<uint32_t> path, calls;
    std::vector<uint32_t> taken(blocks.size()); // of backward edges, since they were last left
    size_t length = 0;
    for (uint32_t b = entry; length < longestPath;) {
      path.push_back(b);
      const Block &block = blocks[b];
      length += block.end - block.begin;
      if (!seen[b]) {
        seen.set(b);
        isStale = true;
      }
      uint32_t next = ~0u;
      SmallVector<uint32_t, 2> forward;
      uint32_t backward = ~0u;
      for (const Edge &edge : block.successors)
        switch (edge.kind) {
        case EdgeKind::Call: next = edge.block; break;
        case EdgeKind::Return: break;
        default:
          if (edge.kind == EdgeKind::Branch && edge.block <= b)
            backward = edge.block;
          else
            forward.push_back(edge.block);
        }
      if (next != ~0u) {
        calls.push_back(b + 1);
      } else if (block.ending == BlockEnd::Return) {
        if (calls.empty())
          break;
        next = calls.back();
        calls.pop_back();
      } else if (backward != ~0u && (forward.empty() || taken[b] + 1 < trips)) {
        // A loop without an exit here has it elsewhere, or is endless: the limit of the path ends it.
        next = backward;
        ++taken[b];
      } else {
        taken[b] = 0;
        next = choose(forward);
      }
      if (next == ~0u || next >= blocks.size())
        break;
      b = next;
    }
    return path;
  }

  /// The next one, unless only the other one leads to something new, or the next one leads nowhere.
  uint32_t choose(ArrayRef<uint32_t> successors) {
    if (successors.empty())
      return ~0u;
    if (isStale) {
      findOpen();
      isStale = false;
    }
    for (uint32_t b : successors)
      if (open[b] && !blocks[b].successors.empty())
        return b;
    for (uint32_t b : successors)
      if (open[b])
        return b;
    return successors.front();
  }

  const Program &program;
  ArrayRef<Block> blocks;
  const unsigned trips;
  BitVector seen, open;
  bool isStale = false;
};

} // namespace

std::vector<std::vector<uint32_t>> findPaths(const Program &program, unsigned trips) {
  return PathFinder(program, trips).run();
}

} // namespace inflight::machine::timed
