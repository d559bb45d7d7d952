// The rule about two results of which an instruction reads both: whether they lie on one path.
#include "hazards/shadow/Flow.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace inflight::hazards::shadow {

namespace {

/// One path back from the instruction that reads.
struct Walk {
  uint32_t block = 0;
  uint32_t end = 0;               ///< of the block's instructions, those before are still to be looked at
  unsigned count = 0;             ///< VALU instructions passed
  unsigned newer = ~0u;           ///< passed when the last result after the write of EXEC came
  bool execWritten = false;       ///< passed a write of EXEC, with such a result behind it
  SmallVector<RegUnit, 8> wanted; ///< registers whose results weren't passed
  auto key() const { return std::tuple(block, count, newer, execWritten, wanted.size()); }
};

} // namespace

/// Takes the registers that the instruction writes from those wanted. Whether there were any.
static bool takeResults(const Program &program, uint32_t i, Walk &walk) {
  const size_t before = walk.wanted.size();
  for (RegRange range : program.writes(program.instructions()[i]))
    erase_if(walk.wanted, [&](RegUnit unit) { return range.contains(unit); });
  return walk.wanted.size() != before;
}

static bool writesExec(const Program &program, uint32_t i) {
  return any_of(program.writes(program.instructions()[i]),
                [](RegRange range) { return range.overlaps({regunit::ExecLo, 2}); });
}

/// Walks over one instruction. Nothing: the path goes on; otherwise whether the hazard is there.
std::optional<bool> Flow::passForwarding(const Rule &rule, uint32_t i, unsigned &count, unsigned &newer,
                                         bool &execWritten, function_ref<bool()> takeResults) const {
  if (gone[i])
    return std::nullopt;
  const Use &use = uses[i];
  if (use.kinds & rule.ends || (use.waits & rule.waits) == rule.waits)
    return false;
  if (use.kinds & kind::Salu && newer != ~0u && writesExec(program, i))
    execWritten = true;
  if (!(use.kinds & kind::Valu))
    return std::nullopt;
  if (takeResults()) {
    if (execWritten && newer < rule.slots && count - newer - 1 < rule.orSlots)
      return true;
    // It may be the second of a pair itself.
    if (count < rule.slots) {
      newer = count;
      execWritten = false;
    }
  }
  ++count;
  return count >= rule.slots + rule.orSlots ? std::optional(false) : std::nullopt;
}

bool Flow::isOnOnePath(const Rule &rule, uint32_t reader) const {
  ArrayRef<Block> blocks = program.blocks();
  Walk first;
  first.block =
      uint32_t(partition_point(blocks, [&](const Block &b) { return b.begin <= reader; }) - blocks.begin()) - 1;
  first.end = reader;
  for (RegRange range : program.reads(program.instructions()[reader]))
    for (RegUnit unit = range.first; range.first >= regunit::Vgpr0 && unit < range.first + range.count; ++unit)
      first.wanted.push_back(unit);
  std::set<decltype(first.key())> seen;
  SmallVector<Walk, 8> work{first};
  while (!work.empty()) {
    Walk walk = work.pop_back_val();
    std::optional<bool> known;
    // What is put before an instruction comes between it and the one before.
    auto passMends = [&](uint32_t i) {
      const Mends put = mends.lookup(i);
      walk.count += put.vNops + put.moves;
      if ((put.waits & rule.waits) == rule.waits)
        known = false;
    };
    if (walk.end == reader)
      passMends(reader);
    for (uint32_t i = walk.end; !known && i-- > blocks[walk.block].begin;) {
      known = passForwarding(rule, i, walk.count, walk.newer, walk.execWritten,
                             [&] { return takeResults(program, i, walk); });
      if (!known)
        passMends(i);
    }
    if (known && *known)
      return true;
    if (known || walk.wanted.empty())
      continue;
    for (const Edge &edge : blocks[walk.block].predecessors) {
      Walk next = walk;
      next.block = edge.block;
      next.end = blocks[edge.block].end;
      if (seen.insert(next.key()).second)
        work.push_back(next);
    }
  }
  return false;
}

} // namespace inflight::hazards::shadow
