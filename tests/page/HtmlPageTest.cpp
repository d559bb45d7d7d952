// The trace page as a file: whole or not there at all, the same each time, with nothing in it that is elsewhere. What
// it shows is tested in a browser (trace_page.test.mjs).
#include "trace/page/HtmlPage.h"
#include "SyntheticRun.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace inflight;

namespace {

class HtmlPageTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createUniqueDirectory("page", folder)); }
  void TearDown() override { sys::fs::remove_directories(folder); }

  std::string in(StringRef name) const {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    return path.str().str();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    std::error_code ec;
    for (sys::fs::directory_iterator at(folder, ec), end; at != end && !ec; at.increment(ec))
      names.push_back(sys::path::filename(at->path()).str());
    return names;
  }
  /// Null after a failure.
  static std::unique_ptr<trace::HtmlPage> pageOf(StringRef path, const synthetic::SyntheticOptions &options = {}) {
    Expected<std::unique_ptr<trace::HtmlPage>> page = trace::HtmlPage::create(path);
    if (!page) {
      ADD_FAILURE() << toString(page.takeError());
      return nullptr;
    }
    synthetic::syntheticRun(options, **page);
    return std::move(*page);
  }
  static std::string contents(StringRef path) {
    Expected<std::string> text = readFile(path);
    return text ? *text : toString(text.takeError());
  }

  SmallString<128> folder;
};

TEST_F(HtmlPageTest, IsOneFileThatLoadsNothing) {
  std::unique_ptr<trace::HtmlPage> page = pageOf(in("run.html"));
  ASSERT_NE(page, nullptr);
  ASSERT_EQ(toString(page->commit()), "");
  page.reset();
  EXPECT_EQ(files(), std::vector<std::string>{"run.html"});
  const std::string text = contents(in("run.html"));
  EXPECT_TRUE(StringRef(text).starts_with("<!doctype html>"));
  EXPECT_TRUE(StringRef(text).contains("id=\"head\""));
  EXPECT_TRUE(StringRef(text).contains("id=\"c0\""));
  EXPECT_FALSE(StringRef(text).contains(" src="));
  EXPECT_FALSE(StringRef(text).contains("<link"));
}

TEST_F(HtmlPageTest, IsTheSameEachTime) {
  for (StringRef name : {"a.html", "b.html"}) {
    std::unique_ptr<trace::HtmlPage> page = pageOf(in(name));
    ASSERT_NE(page, nullptr);
    ASSERT_EQ(toString(page->commit()), "");
  }
  EXPECT_EQ(contents(in("a.html")), contents(in("b.html")));
}

TEST_F(HtmlPageTest, LeavesNothingWithoutCommit) {
  std::unique_ptr<trace::HtmlPage> page = pageOf(in("run.html"));
  ASSERT_NE(page, nullptr);
  page.reset();
  EXPECT_TRUE(files().empty());
}

TEST_F(HtmlPageTest, AFileOfTheNameStaysUntilThePageIsWhole) {
  ASSERT_EQ(toString(writeFileAtomically(in("run.html"), "before")), "");
  std::unique_ptr<trace::HtmlPage> page = pageOf(in("run.html"));
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(contents(in("run.html")), "before");
  ASSERT_EQ(toString(page->commit()), "");
  EXPECT_NE(contents(in("run.html")), "before");
}

TEST_F(HtmlPageTest, AFullDiskIsAnError) {
  std::unique_ptr<trace::HtmlPage> page = pageOf("/dev/full");
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(toString(page->commit()), "cannot write '/dev/full': No space left on device");
}

TEST_F(HtmlPageTest, AMissingFolderIsAnError) {
  Expected<std::unique_ptr<trace::HtmlPage>> page = trace::HtmlPage::create(in("missing/run.html"));
  ASSERT_FALSE(bool(page));
  EXPECT_TRUE(StringRef(toString(page.takeError())).starts_with("cannot write '"));
}

TEST_F(HtmlPageTest, AnOperationMayTakeForEver) {
  Expected<std::unique_ptr<trace::HtmlPage>> page = trace::HtmlPage::create(in("run.html"));
  ASSERT_TRUE(bool(page));
  events::RunInfo info;
  info.code.resize(1);
  (*page)->start(info);
  events::WaveBegin wave;
  wave.wave = ~0u;
  (*page)->waveBegin(wave);
  events::Operation operation;
  operation.wave = ~0u;
  operation.counters = 1;
  operation.pipe = events::Pipe::Texture;
  operation.end = operation.returned = uint64_t(1) << 47;
  (*page)->operation(operation);
  (*page)->finish({});
  EXPECT_EQ(toString((*page)->commit()), "");
}

TEST_F(HtmlPageTest, ARunWithoutRecordsIsAPage) {
  Expected<std::unique_ptr<trace::HtmlPage>> page = trace::HtmlPage::create(in("run.html"));
  ASSERT_TRUE(bool(page));
  (*page)->start({});
  (*page)->finish({});
  EXPECT_EQ(toString((*page)->commit()), "");
}

} // namespace
