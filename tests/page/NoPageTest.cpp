#include "trace/page/HtmlPage.h"
#include <gtest/gtest.h>

using namespace inflight;

TEST(NoPage, IsAnErrorThatSaysSo) {
  const std::string path = testing::TempDir() + "no-page-test.html";
  llvm::Expected<std::unique_ptr<trace::HtmlPage>> page = trace::HtmlPage::create(path);
  ASSERT_FALSE(bool(page));
  EXPECT_NE(llvm::toString(page.takeError()).find("built without the trace page"), std::string::npos);
  EXPECT_EQ(std::fopen(path.c_str(), "r"), nullptr);
}
