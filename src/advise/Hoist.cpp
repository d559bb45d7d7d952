#include "advise/Hoist.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::advise {

static bool overlap(ArrayRef<RegRange> a, ArrayRef<RegRange> b) {
  return any_of(
      a, [&](const RegRange &one) { return any_of(b, [&](const RegRange &other) { return one.overlaps(other); }); });
}

/// Why `moved` can't stand before `other`, or empty.
static StringRef obstacle(const Program &program, const Instruction &moved, const Instruction &other) {
  if (!other.desc)
    return "data";
  if (other.desc->isBarrier)
    return "the barrier";
  if (other.desc->isWaitcnt)
    return "";
  if (overlap(program.reads(moved), program.writes(other)))
    return "what it reads comes from";
  if (overlap(program.writes(moved), program.reads(other)) || overlap(program.writes(moved), program.writes(other)))
    return "its registers are still used by";
  if (other.desc->mayStore || (moved.desc->mayStore && other.desc->mayLoad))
    return "it may touch the same memory as";
  return "";
}

/// Whether what `moved` reads may be in flight before a wait of its block: loaded in it, or made elsewhere.
static bool mayReadLoaded(const Program &program, const Block &block, uint32_t index) {
  const ArrayRef<Instruction> all = program.instructions();
  for (const RegRange &range : program.reads(all[index])) {
    // Nothing loads EXEC, M0, MODE.
    if (range.first >= regunit::M0 && range.first < regunit::Vgpr0)
      continue;
    uint32_t at = index;
    while (at-- > block.begin && !(all[at].desc && overlap(range, program.writes(all[at]))))
      ;
    if (at + 1 == block.begin || all[at].desc->mayLoad)
      return true;
  }
  return false;
}

std::optional<Earliest> earliestPlace(const Program &program, uint64_t address) {
  const ArrayRef<Instruction> all = program.instructions();
  const auto *found = find_if(all, [&](const Instruction &one) { return one.desc && one.address == address; });
  if (found == all.end())
    return std::nullopt;
  const uint32_t index = uint32_t(found - all.begin());
  const auto *block = find_if(program.blocks(), [&](const Block &b) { return b.begin <= index && index < b.end; });
  if (block == program.blocks().end())
    return std::nullopt;
  const bool needsWaits = mayReadLoaded(program, *block, index);
  Earliest earliest;
  for (uint32_t at = index; at-- > block->begin;) {
    StringRef why = obstacle(program, *found, all[at]);
    if (needsWaits && all[at].desc && all[at].desc->isWaitcnt)
      why = "what it reads may need";
    if (!why.empty()) {
      earliest.reason = formatv("{0} {1:x} {2}", why, all[at].address, program.text(at)).str();
      return earliest;
    }
    ++earliest.instructions;
  }
  earliest.reason = "its block begins there";
  return earliest;
}

} // namespace inflight::advise
