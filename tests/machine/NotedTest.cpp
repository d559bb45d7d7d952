#include "machine/memory/Noted.h"

#include "gtest/gtest.h"
#include <map>

using namespace inflight::machine;

namespace {

constexpr uint64_t page = 4096;

struct Taken {
  std::map<uint64_t, bool> pages; ///< whether written
  bool hasSystemScope;
};

Taken take(Noted &noted) {
  Taken taken;
  taken.hasSystemScope =
      noted.take(page, [&](uint64_t begin, bool isWritten) { taken.pages[begin / page] = isWritten; });
  return taken;
}

using Pages = std::map<uint64_t, bool>;

} // namespace

TEST(Noted, WholePagesOfARange) {
  Noted noted;
  noted.add(16 * page, 3 * page - 100);
  noted.note(16 * page + 8, 2 * page, true);
  EXPECT_EQ(take(noted).pages, (Pages{{17, true}}));
  EXPECT_EQ(take(noted).pages, Pages());
  // A range's last page ends with it, and its first begins with it.
  noted.note(16 * page, 8, true);
  noted.note(16 * page + 8, 3 * page - 108, true);
  EXPECT_EQ(take(noted).pages, (Pages{{16, true}, {17, true}, {18, true}}));
}

TEST(Noted, ReadsAndWrites) {
  Noted noted;
  noted.add(page, page);
  noted.note(page, page / 2, true);
  noted.note(page + page / 2, page / 2, false);
  EXPECT_EQ(take(noted).pages, (Pages{{1, false}}));
  noted.note(page, page, false);
  for (uint64_t at = 0; at < page; at += 4)
    noted.note(page + at, 4, true);
  EXPECT_EQ(take(noted).pages, (Pages{{1, true}}));
  noted.note(page, page - 1, false);
  EXPECT_EQ(take(noted).pages, Pages());
}

TEST(Noted, OtherMemory) {
  Noted noted;
  EXPECT_FALSE(noted.mayBeIn(0, ~uint64_t(0)));
  noted.add(10 * page, 100);
  noted.add(4 * page, page);
  EXPECT_TRUE(noted.mayBeIn(5 * page - 1, 5 * page));
  EXPECT_FALSE(noted.mayBeIn(page, 4 * page));
  noted.note(5 * page, page, true);
  noted.note(10 * page, 200, true);
  EXPECT_EQ(take(noted).pages, (Pages{{10, true}}));
  noted.remove(10 * page);
  noted.note(10 * page, 100, true);
  EXPECT_EQ(take(noted).pages, Pages());
}

TEST(Noted, SystemScopeUntilTaken) {
  Noted noted;
  noted.noteSystemScope();
  EXPECT_TRUE(take(noted).hasSystemScope);
  EXPECT_FALSE(take(noted).hasSystemScope);
}
