// Each rule of data/hazards.json: two instructions that it is about, with exactly the wait states it wants between
// them and with one less.
#include "RuleCases.h"

#include "gtest/gtest.h"
#include <set>

namespace inflight::hazards::test {
namespace {

class Rules : public testing::TestWithParam<Pair> {};

TEST_P(Rules, WantsItsWaitStates) {
  const Pair &pair = GetParam();
  for (const Expectation &expectation : pair.expected) {
    SCOPED_TRACE(expectation.chip);
    Program program(expectation.chip);
    const unsigned states = expectation.states;
    if (states == 0) {
      EXPECT_EQ(program.missing(pair.first + "\n" + pair.second), "");
      continue;
    }
    const unsigned more = states - pair.statesInFirst;
    EXPECT_EQ(program.missing(pair.first + "\n" + nops(more) + pair.second), "");
    EXPECT_EQ(program.missing(pair.first + "\n" + nops(more - 1) + pair.second),
              std::string(pair.rule) + " " + std::to_string(states) + " " + std::to_string(states - 1));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Rules, testing::ValuesIn(pairs()), [](const auto &info) {
  return std::string(info.param.rule) + "_" + std::to_string(info.index);
});

TEST(RuleTable, EachRuleHasAPair) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    std::set<std::string> covered;
    for (const Pair &pair : pairs())
      for (const Expectation &expectation : pair.expected)
        if (expectation.chip == chip && expectation.states)
          covered.insert(pair.rule);
    Program program(chip);
    for (const Rule &rule : program.table().rules())
      EXPECT_TRUE(covered.count(rule.name)) << chip << ": no pair for " << rule.name;
  }
}

/// Hands scales to the next matrix instruction, which reads them as its own; it has no result.
const char *const loadsScale = "v_mfma_ld_scale_b32";

/// Names decide in the rules' code; LLVM's tables know the transcendental and the matrix unit by themselves.
TEST(Kinds, FollowLlvmsTables) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    const Isa &isa = *llvm::cantFail(Isa::get(chip));
    for (const std::string &mnemonic : isa.mnemonics())
      for (const InstrDesc *desc : isa.findMnemonic(mnemonic)) {
        const Kinds kinds = OpcodeFacts(isa, *desc).kinds;
        EXPECT_EQ(bool(kinds & kind::Trans), desc->isTrans) << chip << " " << mnemonic;
        EXPECT_EQ(bool(kinds & kind::Matrix), desc->isMfma || mnemonic == loadsScale) << chip << " " << mnemonic;
        EXPECT_EQ(bool(kinds & kind::Vmem), desc->isVmem()) << chip << " " << mnemonic;
        EXPECT_EQ(bool(kinds & kind::Salu), desc->isSalu() || desc->format == Format::Sopp) << chip << " " << mnemonic;
      }
  }
}

TEST(Kinds, EachMatrixInstructionHasItsPasses) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    const Isa &isa = *llvm::cantFail(Isa::get(chip));
    const HazardTable &table = *llvm::cantFail(HazardTable::get(isa));
    for (const std::string &mnemonic : isa.mnemonics())
      if ((OpcodeFacts(isa, *isa.findMnemonic(mnemonic).front()).kinds & kind::Matrix) && mnemonic != loadsScale)
        EXPECT_TRUE(table.knowsPassesOf(mnemonic)) << chip << " " << mnemonic;
  }
}

} // namespace
} // namespace inflight::hazards::test
