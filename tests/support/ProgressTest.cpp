#include "support/Progress.h"
#include <gtest/gtest.h>

using namespace inflight;

namespace {
struct Shown {
  explicit Shown(bool isTerminal) : os(text), progress(os, isTerminal, [this] { return time; }) {}
  std::string take() { return std::exchange(text, ""); }
  double time = 100;
  std::string text;
  llvm::raw_string_ostream os;
  Progress progress;
};
} // namespace

TEST(Progress, EstimatesFromThePaceOfTheStep) {
  Shown shown(true);
  shown.progress.update("workgroups", 0, 200);
  shown.time = 101;
  shown.progress.update("workgroups", 40, 200);
  EXPECT_EQ(shown.take(), ""); // two seconds haven't passed
  shown.time = 104;
  shown.progress.update("workgroups", 80, 200);
  EXPECT_EQ(shown.take(), "\r\x1b[K40 % of 200 workgroups, about 6 s left");
  shown.time = 104.1;
  shown.progress.update("workgroups", 90, 200);
  EXPECT_EQ(shown.take(), ""); // not more often than five times a second
  shown.time = 110;
  shown.progress.update("workgroups with time", 1, 1000);
  EXPECT_EQ(shown.take(), "\r\x1b[K0 % of 1000 workgroups with time");
  shown.time = 120;
  shown.progress.update("workgroups with time", 2, 1000);
  EXPECT_EQ(shown.take(), "\r\x1b[K0 % of 1000 workgroups with time, about 2.8 h left");
  shown.progress.clear();
  EXPECT_EQ(shown.take(), "\r\x1b[K");
  shown.progress.clear();
  EXPECT_EQ(shown.take(), "");
}

TEST(Progress, IsSilentWhereNobodyLooks) {
  Shown shown(false);
  shown.time = 1000;
  shown.progress.update("workgroups", 1, 2);
  shown.progress.clear();
  EXPECT_EQ(shown.take(), "");
}
