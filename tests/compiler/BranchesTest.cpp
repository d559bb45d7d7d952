// Random graphs of blocks. Where branches reach too little all reach their targets afterwards, branches over branches
// become one, and each path does what it did.
#include "compiler/emit/Emit.h"
#include "compiler/finish/Finish.h"
#include "compiler/lir/Lir.h"
#include "gtest/gtest.h"
#include <random>

using namespace inflight;
using namespace inflight::lir;
using namespace llvm;

namespace {
using enum Mnemonic;
constexpr int64_t reach = 256, wordBytes = 4;

/// Each block writes numbers of its own, of one word or two each; then it branches, or the program ends.
Function randomGraph(std::mt19937 &random) {
  auto upTo = [&](unsigned most) { return unsigned(random() % (most + 1)); };
  Function function;
  function.name = "k";
  function.isa = *Isa::get("gfx942");
  function.blocks.resize(2 + upTo(20));
  unsigned number = 0;
  for (unsigned b = 0; b < function.blocks.size(); ++b) {
    std::vector<Inst> &insts = function.blocks[b].insts;
    // Some are longer than a branch reaches, some only branch.
    for (unsigned i = upTo(3) ? upTo(upTo(5) ? 20 : 150) : 0; i > 0; --i)
      insts.push_back(makeInst(*function.isa, s_mov_b32, {Operand::physicalReg({0, 1}), Operand::imm64(++number)}));
    const unsigned last = function.blocks.size() - 1, target = upTo(2) ? upTo(last) : std::min(b + 2, last);
    const bool isLast = b + 1 == function.blocks.size();
    const Mnemonic ending = isLast    ? s_endpgm
                            : upTo(3) ? (upTo(1) ? s_cbranch_scc1 : s_cbranch_scc0)
                            : upTo(1) ? s_branch
                                      : none;
    if (ending == s_endpgm)
      insts.push_back(makeInst(*function.isa, ending, {}));
    else if (ending != none)
      insts.push_back(makeInst(*function.isa, ending, {Operand::block(target)}));
  }
  return function;
}

const Operand *targetOf(const Inst &inst) {
  for (const Operand &operand : inst.operands)
    if (operand.kind == Operand::Kind::Block)
      return &operand;
  return nullptr;
}

/// The first numbers that are written on the path on which SCC is what `choices` say at each conditional branch. Loops
/// may be endless, and write nothing.
std::vector<int64_t> walk(const Function &function, ArrayRef<bool> choices) {
  constexpr unsigned mostNumbers = 1000, mostBlocks = 100000;
  std::vector<int64_t> numbers;
  for (unsigned block = 0, blocks = 0; blocks < mostBlocks; ++blocks) {
    unsigned next = block + 1;
    for (const Inst &inst : function.blocks[block].insts) {
      if (inst.is(s_mov_b32))
        numbers.push_back(inst.operands[1].imm);
      if (inst.is(s_endpgm) || numbers.size() == mostNumbers)
        return numbers;
      const Operand *target = targetOf(inst);
      if (!target)
        continue;
      if (inst.is(s_cbranch_scc1) || inst.is(s_cbranch_scc0)) {
        if (choices.empty())
          return numbers;
        const bool isTaken = choices.front() == inst.is(s_cbranch_scc1);
        choices = choices.drop_front();
        next = isTaken ? unsigned(target->imm) : next;
      } else {
        next = target->imm;
      }
    }
    block = next;
  }
  return numbers;
}

int64_t bytesOf(const Inst &inst) {
  return inst.is(s_mov_b32) && !inst.operands[1].isInlineInteger() ? 2 * wordBytes : wordBytes;
}

TEST(Branches, ReachTheirTargetsAndGoWhereTheyDid) {
  std::mt19937 random(1);
  unsigned changed = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Function before = randomGraph(random);
    Function after = before;
    ASSERT_EQ(toString(shortenBranches(after, reach)), "");
    changed += after.blocks.size() > before.blocks.size();

    std::vector<int64_t> starts = {0};
    for (const Block &block : after.blocks) {
      starts.push_back(starts.back());
      for (const Inst &inst : block.insts)
        starts.back() += bytesOf(inst);
    }
    for (unsigned b = 0; b < after.blocks.size(); ++b)
      for (const Inst &inst : after.blocks[b].insts)
        if (const Operand *target = targetOf(inst)) {
          ASSERT_EQ(&inst, &after.blocks[b].insts.back());
          EXPECT_LE(std::abs(starts[target->imm] - starts[b + 1]), reach) << "seed " << seed << "\n" << emitBody(after);
        }
    for (unsigned path = 0; path < 8; ++path) {
      SmallVector<bool> choices;
      for (unsigned i = 0; i < 40; ++i)
        choices.push_back(random() % 2);
      ASSERT_EQ(walk(before, choices), walk(after, choices)) << "seed " << seed << "\n" << emitBody(after);
    }
  }
  EXPECT_GT(changed, 300u);
}

TEST(Branches, OverBranchesBecomeOne) {
  std::mt19937 random(3);
  unsigned removed = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Function before = randomGraph(random);
    Function after = before;
    invertBranches(after);
    for (unsigned b = 0; b < before.blocks.size(); ++b)
      removed += before.blocks[b].insts.size() - after.blocks[b].insts.size();
    for (unsigned path = 0; path < 8; ++path) {
      SmallVector<bool> choices;
      for (unsigned i = 0; i < 40; ++i)
        choices.push_back(random() % 2);
      ASSERT_EQ(walk(before, choices), walk(after, choices)) << "seed " << seed << "\n" << emitBody(after);
    }
  }
  EXPECT_GT(removed, 10u);
}

TEST(Branches, StayAsTheyAreWhereTheyReach) {
  std::mt19937 random(2);
  for (unsigned seed = 0; seed < 50; ++seed) {
    Function function = randomGraph(random);
    const std::string before = emitBody(function);
    ASSERT_EQ(toString(shortenBranches(function)), "");
    EXPECT_EQ(emitBody(function), before);
  }
}

} // namespace
