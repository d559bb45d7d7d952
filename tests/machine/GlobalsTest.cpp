// Data that code objects bring along: reached from the program counter, by address in a table, or both.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

/// A hidden table is found by its distance from the code; a word of it holds the address of another symbol, which
/// only loading knows (R_AMDGPU_RELATIVE64, and R_AMDGPU_ABS64 for a symbol of default visibility).
TEST(Globals, TablesAndAddresses) {
  Snippet s;
  s.outputs = 3;
  s.body = "  s_getpc_b64 s[8:9]\n  s_add_u32 s8, s8, table@rel32@lo+4\n  s_addc_u32 s9, s9, table@rel32@hi+12\n"
           "  s_load_dwordx4 s[12:15], s[8:9], 0\n  s_load_dword s16, s[8:9], 16\n  s_waitcnt lgkmcnt(0)\n"
           "  s_load_dword s17, s[12:13], 0\n  s_load_dword s18, s[14:15], 0\n  s_waitcnt lgkmcnt(0)\n"
           "  v_mov_b32 v40, s16\n  v_mov_b32 v41, s17\n  v_mov_b32 v42, s18";
  s.data = ".data\n.p2align 3\n.hidden table\n.type table,@object\ntable:\n  .quad inside\n  .quad outside\n  .long "
           "1234\n.size table, 20\n"
           "inside: .long 77\n.globl outside\n.type outside,@object\noutside: .long 88\n.size outside, 4";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(1234));
  EXPECT_EQ(got[1], all(77));
  EXPECT_EQ(got[2], all(88));
}
