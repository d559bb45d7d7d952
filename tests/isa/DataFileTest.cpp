// The parser of data files against LLVM's.
#include "isa/chip/DataFile.h"
#include "isa/chip/TargetInfo.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

using namespace inflight;
using namespace llvm;

namespace {

TEST(DataFile, EveryFileIsWhatLlvmReads) {
  std::error_code error;
  unsigned files = 0;
  const SmallString<128> folder(INFLIGHT_SOURCE_DIR "/data");
  for (sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    const StringRef name = StringRef(it->path()).drop_front(folder.size() + 1);
    const StringRef text = embeddedData(name);
    if (text.empty())
      continue;
    ++files;
    EXPECT_EQ(cantFail(parseLasting(text)), cantFail(json::parse(text))) << name.str();
  }
  EXPECT_GT(files, 15u);
}

TEST(DataFile, RowsOfOtherChipsAreNull) {
  constexpr StringLiteral text =
      R"({"rows": [{"arch": "gfx942", "n": 1}, {"arch": "gfx90a", "n": {"m": [1.5, "}"]}, "s": "]"},
                                             {"n": 2, "arch": "gfx90a"}, {}]})";
  EXPECT_EQ(cantFail(parseLasting(text, "gfx942")),
            cantFail(json::parse(R"({"rows": [{"arch": "gfx942", "n": 1}, null, {"n": 2, "arch": "gfx90a"}, {}]})")));
  EXPECT_EQ(cantFail(parseLasting(text)), cantFail(json::parse(text)));
}

TEST(DataFile, WhatIsNotUnderstoodIsForLlvm) {
  for (StringRef text : {R"({"a": "b\n\"c"})", R"(["é", -3, 2e3, true, false, null, 18446744073709551615])", "  [ ]  "})
    EXPECT_EQ(cantFail(parseLasting(text)), cantFail(json::parse(text))) << text.str();
  for (StringRef text : {"", "{", "[1,]", R"({"a" 1})", R"({"a": 1)", "[1] 2", R"("a)", "[01x]", R"({"a": 1, })"}) {
    Expected<json::Value> value = parseLasting(text);
    EXPECT_FALSE(bool(value)) << text.str();
    consumeError(value.takeError());
  }
}

} // namespace
