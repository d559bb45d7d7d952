// DPP: which lane's value each lane gets, against the definition of each control.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
Register iota() {
  Register r;
  for (unsigned i = 0; i < 64; ++i)
    r[i] = 100 + i;
  return r;
}
Register move(const std::string &control) {
  Snippet s;
  s.body = "  v_mov_b32 v40, -1\n  s_nop 4\n  v_mov_b32_dpp v40, v10 " + control;
  s.in = {iota()};
  return runSnippet(s)[0];
}
} // namespace

TEST(Dpp, Controls) {
  Register shl = move("row_shl:3 row_mask:0xf bank_mask:0xf");
  Register ror = move("row_ror:3 row_mask:0xf bank_mask:0xf");
  Register perm = move("quad_perm:[3,0,2,1] row_mask:0xf bank_mask:0xf");
  Register bcast = move("row_bcast:15 row_mask:0xa bank_mask:0xf");
  Register zero = move("row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0");
  static const unsigned quad[] = {3, 0, 2, 1};
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(shl[i], i % 16 + 3 < 16 ? 103 + i : ~0u);
    EXPECT_EQ(ror[i], 100 + (i & ~15u) + (i + 13) % 16);
    EXPECT_EQ(perm[i], 100 + (i & ~3u) + quad[i % 4]);
    EXPECT_EQ(bcast[i], i / 16 % 2 ? 100 + (i & ~15u) - 1 : ~0u);
    EXPECT_EQ(zero[i], i % 16 ? 99 + i : 0);
  }
}
