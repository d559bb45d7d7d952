#include "machine/check/races/Acquires.h"

#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace llvm;

namespace inflight::machine::check {

using Units = std::bitset<regunit::Count>;

static bool any(const Units &units, ArrayRef<RegRange> ranges) {
  for (RegRange range : ranges)
    for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
      if (units[range.first + i])
        return true;
  return false;
}
static void set(Units &units, ArrayRef<RegRange> ranges, bool to = true) {
  for (RegRange range : ranges)
    for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
      units[range.first + i] = to;
}

void Acquires::add(const Op &op, const InstrDesc &desc, const RegAccess &access) {
  Instruction &in = instructions.emplace_back();
  in.index = &op - first;
  in.isConditional = desc.isConditionalBranch;
  if (desc.isBranch && desc.format == Format::Sopp)
    in.target = int64_t(in.index) + op.slots + int16_t(op.immediate);
  const bool touchesMemory = (desc.isVmem() && !desc.isFlatScratch) || desc.isDs();
  const bool changes = desc.mayStore && !(desc.mayLoad && !desc.isLdsDma);
  in.isMemory = desc.isVmem() || desc.isDs() || desc.isSmem();
  in.isChange = changes && !desc.isFlatScratch && in.isMemory;
  in.endsLoop = desc.isBarrier || desc.isEndOfProgram || desc.isCall;
  in.isAtomic = desc.mayLoad && desc.mayStore;
  in.reads.assign(access.reads.begin(), access.reads.end());
  in.writes.assign(access.writes.begin(), access.writes.end());
  in.mayAcquire =
      desc.mayLoad && (desc.isSmem() || (touchesMemory && !desc.isLdsDma && any_of(access.writes, [](RegRange range) {
                                           return range.first >= regunit::Vgpr0;
                                         })));
  for (RegRange range : access.reads)
    if (range.first < regunit::ExecLo || range.first == regunit::Vgpr0 + op.source[0].index)
      in.address.push_back(range);
}

/// Whether each iteration of the loop reads the same place: its address comes from registers that the loop leaves
/// alone, or computes anew from such.
bool Acquires::isInvariant(Body body, const Instruction &load) {
  Units written, good, bad;
  for (const Instruction &in : body)
    set(written, in.writes);
  for (const Instruction &in : body) {
    const Units varies = written & ~good;
    bool isGood = !in.isMemory;
    for (RegRange range : in.reads)
      isGood &= range.first == regunit::ExecLo || range.first == regunit::Mode || !any(varies, range);
    set(good, in.writes, isGood);
    if (!isGood)
      set(bad, in.writes);
  }
  return !any(written & (~good | bad), load.address);
}

/// Whether a branch depends on what was loaded: in a loop any branch of it, otherwise the first one after it.
bool Acquires::decides(Body body, const Instruction &load, bool isLoop) {
  Units tainted;
  set(tainted, load.writes);
  for (unsigned pass = 0; pass < (isLoop ? 2 : 1); ++pass)
    for (const Instruction &in : body) {
      if (&in == &load)
        continue;
      const bool depends = any(tainted, in.reads);
      if (in.isConditional) {
        if (depends)
          return true;
        if (!isLoop)
          return false;
      }
      if (depends && !in.isMemory)
        set(tainted, in.writes);
      else if (!isLoop)
        set(tainted, in.writes, false);
    }
  return false;
}

void Acquires::findInLoop(size_t from, size_t to, std::vector<uint32_t> &found) const {
  const Body body = Body(instructions).slice(from, to - from + 1);
  if (any_of(body, [](const Instruction &in) { return in.isChange || in.endsLoop; }))
    return;
  for (const Instruction &in : body)
    if (in.mayAcquire && isInvariant(body, in) && decides(body, in, true))
      found.push_back(in.index);
}

std::vector<uint32_t> Acquires::find() const {
  constexpr size_t longestLoop = 128, longestPath = 64;
  std::vector<uint32_t> found;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction &in = instructions[i];
    if (in.target >= 0 && in.target <= in.index) {
      auto begin =
          partition_point(instructions, [&](const Instruction &other) { return int64_t(other.index) < in.target; });
      const size_t from = begin - instructions.begin();
      if (begin->index == in.target && i - from < longestLoop)
        findInLoop(from, i, found);
    }
    if (in.mayAcquire && in.isAtomic)
      if (decides(Body(instructions).slice(i, std::min(longestPath, instructions.size() - i)), in, false))
        found.push_back(in.index);
  }
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

} // namespace inflight::machine::check
