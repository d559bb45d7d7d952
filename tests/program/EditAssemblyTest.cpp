// Edits of waits and wait states in assembly: what they write, and that nothing else changes.
#include "rewrite/Rewrite.h"
#include "gtest/gtest.h"
#include <random>

using namespace inflight;
using namespace llvm;

using Action = Edit::Action;
using What = Edit::What;

static std::unique_ptr<Program> read(StringRef text) {
  Expected<std::unique_ptr<Program>> program = readAssembly(text, "k.s", "gfx942");
  if (program)
    return std::move(*program);
  ADD_FAILURE() << toString(program.takeError()) << "\n" << text.str();
  return nullptr;
}

static std::string edited(StringRef text, ArrayRef<Edit> edits) {
  auto program = read(text);
  if (!program)
    return "";
  Expected<std::string> result = editAssembly(*program, text, edits);
  return result ? *result : toString(result.takeError());
}

static Edit nop(uint32_t at, Action action, uint16_t count = 0) { return {at, action, What::Nop, count}; }
/// No number: not waited for.
using Count = std::optional<unsigned>;
static Edit wait(uint32_t at, Action action, Count vmcnt, Count expcnt, Count lgkmcnt) {
  auto countOf = [](Count count) { return count ? WaitCount(*count) : WaitCount::none(); };
  WaitOperands wait;
  wait.counts[Counter::Vm] = countOf(vmcnt);
  wait.exports = countOf(expcnt);
  wait.counts[Counter::Lgkm] = countOf(lgkmcnt);
  return Edit::ofWait(at, action, wait);
}

TEST(EditText, CountersAtTheirMaximumAreLeftOut) {
  const Isa &isa = **Isa::get("gfx942");
  EXPECT_EQ(editText(wait(0, Action::Replace, 3, {}, 0), isa), "s_waitcnt vmcnt(3) lgkmcnt(0)");
  EXPECT_EQ(editText(wait(0, Action::Replace, {}, 0, {}), isa), "s_waitcnt expcnt(0)");
  EXPECT_EQ(editText(wait(0, Action::Replace, {}, {}, {}), isa), "s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(15)");
  EXPECT_EQ(editText(nop(0, Action::Replace, 4), isa), "s_nop 4");
}

TEST(EditAssembly, InsertedLinesAreIndentedLikeTheirNeighbour) {
  StringRef text = "k:\n"
                   "\ts_nop 0 ; first\n"
                   ".Lnext: // label\n"
                   "    s_nop 1\n";
  EXPECT_EQ(edited(text, {wait(0, Action::InsertBefore, 0, {}, {}), nop(0, Action::InsertAfter, 5),
                          nop(1, Action::InsertBefore, 6)}),
            "k:\n"
            "\ts_waitcnt vmcnt(0)\n"
            "\ts_nop 0 ; first\n"
            "\ts_nop 5\n"
            ".Lnext: // label\n"
            "    s_nop 6\n"
            "    s_nop 1\n");
}

// Jumps to the label run what is inserted before the instruction.
TEST(EditAssembly, LabelsOnTheLine) {
  StringRef text = "k: s_nop 0 // zero\n  s_nop 1\nend: s_endpgm\n";
  EXPECT_EQ(edited(text, {nop(0, Action::InsertBefore, 7)}),
            "k: s_nop 7\n  s_nop 0 // zero\n  s_nop 1\nend: s_endpgm\n");
  EXPECT_EQ(edited(text, {nop(0, Action::InsertAfter, 7)}),
            "k: s_nop 0 // zero\n  s_nop 7\n  s_nop 1\nend: s_endpgm\n");
  EXPECT_EQ(edited(text, {nop(0, Action::Remove)}), "k: // zero\n  s_nop 1\nend: s_endpgm\n");
  EXPECT_EQ(edited(text, {nop(2, Action::Remove)}), "k: s_nop 0 // zero\n  s_nop 1\nend:\n");
  EXPECT_EQ(edited(text, {nop(1, Action::Remove)}), "k: s_nop 0 // zero\nend: s_endpgm\n");
}

TEST(EditAssembly, LineEndsStayAsTheyAre) {
  StringRef text = "\ts_nop 0\r\n\ts_nop 1 ; one\r\n\ts_nop 2";
  EXPECT_EQ(edited(text, {nop(0, Action::InsertAfter, 7), nop(1, Action::Remove), nop(2, Action::InsertAfter, 8)}),
            "\ts_nop 0\r\n\ts_nop 7\r\n\t; one\r\n\ts_nop 2\r\n\ts_nop 8");
  EXPECT_EQ(edited(text, {nop(0, Action::Remove), nop(2, Action::Replace, 9)}), "\ts_nop 1 ; one\r\n\ts_nop 9");
}

TEST(EditAssembly, CommentsStay) {
  StringRef text = "  s_nop 0 /* goes\n on */\n  /* before */ s_nop 1 ; behind\n";
  EXPECT_EQ(edited(text, {nop(0, Action::InsertAfter, 7), nop(1, Action::Replace, 8)}),
            "  s_nop 0 /* goes\n on */\n  s_nop 7\n  /* before */ s_nop 8 ; behind\n");
  EXPECT_EQ(edited(text, {nop(0, Action::Remove), nop(1, Action::Remove)}),
            "  /* goes\n on */\n  /* before */ ; behind\n");
}

TEST(EditAssembly, WhatIsInsertedTakesTheRemovedPlace) {
  EXPECT_EQ(edited("k: s_nop 0 ; c\n\ts_endpgm\n",
                   {nop(0, Action::InsertAfter, 2), nop(0, Action::Remove), nop(0, Action::InsertBefore, 1)}),
            "k: s_nop 1\n\ts_nop 2 ; c\n\ts_endpgm\n");
}

TEST(EditAssembly, MacrosAreNotEdited) {
  StringRef text = ".macro m\n s_nop 1\n.endm\n.rept 2\n s_nop 2\n.endr\n m\n s_nop 3\n";
  auto program = read(text);
  ASSERT_TRUE(program);
  ASSERT_EQ(program->instructions().size(), 4u);
  EXPECT_EQ(edited(text, {nop(0, Action::Remove)}),
            "k.s:4:1: error: 's_nop 2' comes from a macro, a loop or an included file and can't be edited on its own");
  EXPECT_EQ(edited(text, {nop(2, Action::InsertBefore)}),
            "k.s:7:2: error: 's_nop 1' comes from a macro, a loop or an included file and can't be edited on its own");
  EXPECT_EQ(edited(text, {nop(3, Action::Replace, 9)}),
            ".macro m\n s_nop 1\n.endm\n.rept 2\n s_nop 2\n.endr\n m\n s_nop 9\n");
}

TEST(EditAssembly, SectionsMayTakeTurns) {
  StringRef text = ".section .a,\"ax\"\n s_nop 0\n.section .b,\"ax\"\n s_nop 1\n.section .a\n s_nop 2\n";
  EXPECT_EQ(edited(text, {nop(1, Action::Remove), nop(2, Action::InsertBefore, 7)}),
            ".section .a,\"ax\"\n s_nop 0\n.section .b,\"ax\"\n s_nop 7\n s_nop 1\n.section .a\n");
}

/// Random text of s_nop and other lines, each s_nop with a number of its own.
static std::string randomText(std::mt19937 &random) {
  static const char *const fillers[] = {"; only a comment", "",
                                        "  .p2align 2",     "\t/* two\n lines */",
                                        ".loc 1 1",         "  // inflight: x",
                                        "name_%:",          ".Llocal%: ; with a comment"};
  static const char *const heads[] = {"\t", "  ", "", "here%: ", ".Lhere%:\t", " /* c */ "};
  static const char *const tails[] = {
      "", "", "  ", " ; tail", " // tail", "/* tail */", " /* tail\n */", "\t; a // b /* c"};
  auto pick = [&](auto &list) { return std::string(list[random() % std::size(list)]); };
  const std::string end = random() % 3 ? "\n" : "\r\n";
  std::string text = ".file 1 \"a.c\"" + end;
  const unsigned lines = 1 + random() % 30;
  for (unsigned i = 0; i < lines; ++i) {
    std::string line = random() % 3 ? pick(heads) + "s_nop " + std::to_string(i) + pick(tails) : pick(fillers);
    for (size_t at; (at = line.find('%')) != std::string::npos;)
      line.replace(at, 1, std::to_string(i));
    text += line + (i + 1 < lines || random() % 2 ? end : "");
  }
  return text;
}

static std::vector<std::string> listOf(const Program &program) {
  std::vector<std::string> list;
  for (uint32_t i = 0; i < program.instructions().size(); ++i)
    list.push_back(program.text(i));
  return list;
}

TEST(EditAssembly, RandomEditsGiveTheInstructionsTheyName) {
  std::mt19937 random(1);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = randomText(random);
    auto program = read(text);
    ASSERT_TRUE(program);
    EXPECT_EQ(edited(text, {}), text);
    const uint32_t count = program->instructions().size();
    std::vector<Edit> edits;
    std::vector<std::string> before, expected;
    std::vector<std::vector<std::string>> lists(3 * count); // before, itself, after
    for (uint32_t i = 0; i < count; ++i)
      lists[3 * i + 1] = {program->text(i)};
    std::vector<bool> isReplaced(count);
    for (unsigned n = count ? random() % 10 : 0; n > 0; --n) {
      Edit edit = nop(random() % count, Action(random() % 4), 32 + random() % 32);
      std::string written = editText(edit, program->isa());
      if (edit.action == Action::InsertBefore)
        lists[3 * edit.at].push_back(written);
      else if (edit.action == Action::InsertAfter)
        lists[3 * edit.at + 2].push_back(written);
      else if (isReplaced[edit.at])
        continue;
      else {
        isReplaced[edit.at] = true;
        lists[3 * edit.at + 1] = edit.action == Action::Replace ? std::vector{written} : std::vector<std::string>();
      }
      edits.push_back(edit);
    }
    for (const auto &list : lists)
      expected.insert(expected.end(), list.begin(), list.end());
    Expected<std::string> result = editAssembly(*program, text, edits);
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    auto again = read(*result);
    ASSERT_TRUE(again);
    EXPECT_EQ(listOf(*again), expected) << text << "-----\n" << *result;
  }
}
