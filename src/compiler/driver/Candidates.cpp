#include "compiler/driver/Candidates.h"

#include "compiler/emit/Emit.h"
#include "isa/Isa.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight {

/// How often a block is executed for each time that the kernel is, as far as loops tell.
static uint64_t weightOf(const lir::Block &block) {
  constexpr uint64_t loopFactor = 10;
  constexpr unsigned deepest = 5;
  uint64_t weight = 1;
  for (unsigned depth = std::min(block.loopDepth, deepest); depth; --depth)
    weight *= loopFactor;
  return weight;
}

uint64_t workOf(const lir::Function &function) {
  constexpr uint64_t ofReload = 32; // instructions in whose time a word comes back
  uint64_t work = ofReload * costOf(function).reloads;
  for (const lir::Block &block : function.blocks)
    work += weightOf(block) * block.insts.size();
  return work;
}

Cost costOf(const lir::Function &function, unsigned wantedWaves) {
  const unsigned waves = std::min(wantedWaves, function.isa->target().wavesForVgprs(lir::countsOf(function).vgprs));
  Cost cost{0, function.sgprSpills, wantedWaves - waves};
  for (const lir::Block &block : function.blocks)
    for (const lir::Inst &inst : block.insts)
      if (inst.memory == lir::MemoryKind::Spilled)
        cost.reloads += weightOf(block) * inst.operands[inst.mayLoad ? 0 : 1].reg.count;
  return cost;
}

SmallVector<PipelineOptions> withLess(const PipelineOptions &asked, const RegisterUsers &used) {
  // Copies as asked for, with one buffer, and as written.
  SmallVector<PipelineOptions> copies(1, asked);
  copies[0].pingPong &= !used.pingPongs;
  if (used.copiesAhead && !asked.stages) {
    copies.append(2, copies[0]);
    copies[1].stages = 1;
    copies[2].asyncCopies = false;
  }
  SmallVector<PipelineOptions> candidates;
  for (PipelineOptions candidate : copies) {
    candidates.push_back(candidate);
    if (used.rotatesLoops) {
      candidate.rotateLoops = false;
      candidates.push_back(candidate);
    }
  }
  if (candidates[0] == asked)
    candidates.erase(candidates.begin());
  return candidates;
}

void remarkOnChoice(lir::Function &function, const PipelineOptions &asked, const PipelineOptions &chosen,
                    const RegisterUsers &used) {
  SmallVector<StringRef> without;
  if (used.pingPongs && asked.pingPong && !chosen.pingPong)
    without.push_back("ping-pong");
  if (asked.asyncCopies && !chosen.asyncCopies)
    without.push_back("copies ahead");
  else if (asked.stages != chosen.stages)
    without.push_back("more than one buffer for copies ahead");
  if (asked.rotateLoops && !chosen.rotateLoops)
    without.push_back("loads for the next iteration");
  if (without.empty())
    return;
  function.remarks.add(lir::Remark(lir::Remark::Kind::Missed, "candidates", "Without", function.place)
                           .text("compiled without ")
                           .value("Without", join(without, ", "))
                           .text(", with which registers would be spilled; without, ")
                           .number("Spills", function.vgprSpills + function.sgprSpills)
                           .text(" are"));
}

} // namespace inflight
