// Which sources are shown, and how a line looks with its caret.
#include "support/report/SourceText.h"
#include "support/report/Excerpt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace inflight;

namespace {

/// A file with two lines, which goes with the test.
struct Source {
  llvm::SmallString<128> path;
  llvm::MD5::MD5Result sum;
  Source() {
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("source", "hip", descriptor, path));
    const llvm::StringRef text = "first\r\nsecond\n";
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
    sum = llvm::MD5::hash(llvm::arrayRefFromStringRef(text));
  }
  ~Source() { llvm::sys::fs::remove(path); }
  std::string folder() const { return path.str().rsplit('/').first.str(); }
};

std::string excerpt(llvm::StringRef line, unsigned column, unsigned columns = 0) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeExcerpt(os, line, {"k.hip", 7, column}, {columns, false});
  return text;
}

TEST(SourceText, OnlyAFileWithTheStatedSumIsShown) {
  const Source file;
  llvm::MD5::MD5Result other = file.sum;
  other[0] ^= 1;
  EXPECT_EQ(SourceText({{file.path.str().str(), file.sum}}).line(file.path, 2), "second");
  EXPECT_EQ(SourceText({{file.path.str().str(), file.sum}}).line(file.path, 1), "first");
  EXPECT_EQ(SourceText({{file.path.str().str(), file.sum}}).line(file.path, 3), std::nullopt);
  EXPECT_EQ(SourceText({{file.path.str().str(), file.sum}}).line(file.path, 0), std::nullopt);
  EXPECT_EQ(SourceText({{file.path.str().str(), other}}).line(file.path, 1), std::nullopt);
  EXPECT_EQ(SourceText().line(file.path, 1), std::nullopt);
}

TEST(SourceText, UnlessTheUserVouchesForIt) {
  const Source file;
  EXPECT_EQ(SourceText({}, {.directory = file.folder()}).line(file.path, 1), "first");
  EXPECT_EQ(SourceText({}, {.directory = file.folder() + "/nowhere"}).line(file.path, 1), std::nullopt);
  EXPECT_EQ(SourceText({{file.path.str().str(), file.sum}}, {.isOff = true}).line(file.path, 1), std::nullopt);
  EXPECT_EQ(SourceText({}, {.directory = "/"}).line("/proc/self/environ", 1), std::nullopt)
      << "no file of the system's";
  SourceText given;
  given.add("k.s", "s_nop 0\ns_endpgm");
  EXPECT_EQ(given.line("k.s", 2), "s_endpgm");
}

TEST(SourceText, HeadersOfCompilersAndRuntimesAreNotTheUsers) {
  for (const char *path : {"/opt/rocm/include/hip/amd_detail/amd_hip_atomic.h", "/usr/include/c++/12/cmath",
                           "/home/me/llvm/lib/clang/22/include/__clang_hip_math.h", "rocm/include/hip/hip_runtime.h"})
    EXPECT_TRUE(isSystemSource(path)) << path;
  for (const char *path : {"gemm.hip", "/home/me/include/tile.h", "/home/me/usr/gemm.hip", "include/hipkittens.h"})
    EXPECT_FALSE(isSystemSource(path)) << path;
}

TEST(Excerpt, ACaretStandsBelowTheColumn) {
  EXPECT_EQ(excerpt("  y[i] = a * x[i];", 12), "    7 |   y[i] = a * x[i];\n      |            ^\n");
  // A statement is underlined up to its comment; without a column it is the whole line's.
  EXPECT_EQ(excerpt("  s_nop 0 // why", 3), "    7 |   s_nop 0 // why\n      |   ^~~~~~~\n");
  EXPECT_EQ(excerpt("  s_nop 0", 0), "    7 |   s_nop 0\n      |   ^~~~~~~\n");
  EXPECT_EQ(excerpt("ab", 9), "    7 | ab\n      |   ^\n") << "a column behind the end";
  EXPECT_EQ(excerpt("", 1), "    7 | \n      | ^\n");
}

TEST(Excerpt, TabsStayUnlessColumnsCount) {
  EXPECT_EQ(excerpt("\ts_nop 0", 2), "    7 | \ts_nop 0\n      | \t^~~~~~~\n");
  EXPECT_EQ(excerpt("\ts_nop 0", 2, 40), "    7 |         s_nop 0\n      |         ^~~~~~~\n");
}

TEST(Excerpt, LongLinesLoseTheirEnds) {
  EXPECT_EQ(excerpt("0123456789012345678901234567890", 3, 28), "    7 | 01234567890123456...\n      |   ^\n");
  EXPECT_EQ(excerpt("0123456789012345678901234567890", 30, 28),
            "    7 | ...234567890\n      | " + std::string(10, ' ') + "^\n");
}

} // namespace
