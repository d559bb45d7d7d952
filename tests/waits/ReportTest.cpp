// What --report says of each wait, against what --relax writes.
#include "Assembly.h"
#include "waits/WaitReport.h"

using namespace llvm;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

/// The weakest values of the waits for vector memory, in their order; -1: not needed.
std::vector<int> weakestVm(const std::string &body, unsigned ldsBytes = 0, unsigned lanes = 64) {
  const std::unique_ptr<inflight::Program> program = read(kernel(body, ldsBytes, lanes));
  std::vector<int> values;
  for (const WaitReport &wait : report(*program).waits)
    for (const CountReport &count : wait.counts)
      if (count.counter == inflight::Counter::Vm)
        values.push_back(count.weakest ? int(*count.weakest) : -1);
  return values;
}

/// Three buffers, filled two steps ahead, whose places rotate: LDS DMA into s12 (next), reads from s10 (oldest).
std::string ring(const char *count, const char *barrier, const char *before) {
  return std::string("  v_mbcnt_lo_u32_b32 v1, -1, 0\n  v_mbcnt_hi_u32_b32 v1, -1, v1\n  v_lshlrev_b32_e32 v1, 2, v1\n "
                     " s_mov_b32 s10, 0\n  s_movk_i32 s11, 0x100\n  s_movk_i32 s12, 0x200\n"
                     "  s_mov_b32 m0, s10\n  s_nop 0\n  buffer_load_dword v0, s[4:7], 0 offen lds\n  s_mov_b32 m0, "
                     "s11\n  s_nop 0\n  buffer_load_dword v0, s[4:7], 0 offen lds\n") +
         before + ".Lloop:\n  s_waitcnt vmcnt(" + count + ")\n" + barrier +
         "  v_add_u32_e32 v2, s10, v1\n  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  v_add_u32_e32 v8, v4, v8\n  "
         "s_mov_b32 m0, s12\n  s_nop 0\n  buffer_load_dword v0, s[4:7], 0 offen lds\n"
         "  s_mov_b32 s13, s10\n  s_mov_b32 s10, s11\n  s_mov_b32 s11, s12\n  s_mov_b32 s12, s13\n  s_sub_u32 s14, "
         "s14, 1\n  s_cmp_lg_u32 s14, 0\n  s_cbranch_scc1 .Lloop\n  s_endpgm\n";
}

// What a visit of the wait finishes too early, the next visit would have to finish, and the one after that can't do
// without it.
TEST(Report, AWaitThatItselfMadeEarlierOperationsDoneIsNeeded) {
  for (const char *barrier : {"", "  s_barrier\n"}) {
    EXPECT_EQ(weakestVm(ring("0", barrier, ""), 768), std::vector<int>{1});
    EXPECT_EQ(weakestVm(ring("1", barrier, ""), 768), std::vector<int>{1});
    EXPECT_EQ(replanned(ring("0", barrier, ""), Goal::Relax, 768), ring("1", barrier, ""));
    // Nothing from in front of the loop is in flight.
    EXPECT_EQ(weakestVm(ring("0", barrier, "  s_waitcnt vmcnt(0)\n"), 768).back(), 1);
    EXPECT_EQ(weakestVm(ring("1", barrier, "  s_waitcnt vmcnt(0)\n"), 768).back(), 1);
  }
}

// The value that is loaded in one iteration is used in the next one, and the wait between them is not the only one.
TEST(Report, AnotherWaitOnThePathCounts) {
  auto loop = [](const char *first, const char *second) {
    return std::string("  global_load_dword v4, v[0:1], off\n.Lloop:\n") + first + "  v_add_u32_e32 v9, v9, v9\n" +
           second +
           "  v_add_u32_e32 v8, v4, v8\n  global_load_dword v4, v[0:1], off\n  s_cbranch_scc1 .Lloop\n  s_endpgm\n";
  };
  EXPECT_EQ(weakestVm(loop("", "  s_waitcnt vmcnt(0)\n")), std::vector<int>{0});
  EXPECT_EQ(weakestVm(loop("  s_waitcnt vmcnt(0)\n", "  s_waitcnt vmcnt(0)\n")), (std::vector<int>{-1, -1}));
}

// Two chains of loads of one counter; the wait before the loop's end is for the older one.
TEST(Report, AValueUsedAnIterationLaterAllowsTheYoungerOnes) {
  const std::string body =
      "  global_load_dword v4, v[0:1], off\n  global_load_dword v5, v[0:1], off offset:4\n.Lloop:\n  s_waitcnt "
      "vmcnt(0)\n  v_add_u32_e32 v8, v4, v8\n  v_mov_b32_e32 v4, v5\n"
      "  global_load_dword v5, v[0:1], off offset:8\n  s_cbranch_scc1 .Lloop\n  s_endpgm\n";
  EXPECT_EQ(weakestVm(body), std::vector<int>{0});
}

} // namespace
