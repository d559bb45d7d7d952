// Where LLVM 22 waits for more than it has to: the weakest sound waits of the same code.
#include "Assembly.h"

using namespace inflight::waits::test;
using inflight::waits::Goal;

namespace {

std::string insert(llvm::StringRef body, unsigned ldsBytes = 0, unsigned lanes = 64) {
  return replanned(body, Goal::Insert, ldsBytes, "gfx942", lanes);
}

TEST(Tight, ScalarLoadsBetweenLdsReadsDoNotDrain) {
  EXPECT_EQ(insert(R"(
  ds_read_b32 v1, v0
  ds_read_b32 v2, v0 offset:4
  s_load_dword s4, s[0:1], 0x0
  ds_read_b32 v3, v0 offset:8
  v_mov_b32_e32 v4, v1
  s_endpgm
)"),
            R"(
  ds_read_b32 v1, v0
  ds_read_b32 v2, v0 offset:4
  s_load_dword s4, s[0:1], 0x0
  ds_read_b32 v3, v0 offset:8
  s_waitcnt lgkmcnt(2)
  v_mov_b32_e32 v4, v1
  s_endpgm
)");
}

TEST(Tight, PlainVectorMemoryIsInOrderAroundFlat) {
  EXPECT_EQ(insert(R"(
  global_load_dword v4, v[0:1], off
  flat_load_dword v5, v[0:1]
  global_load_dword v6, v[0:1], off offset:4
  v_mov_b32_e32 v7, v4
  s_endpgm
)"),
            R"(
  global_load_dword v4, v[0:1], off
  flat_load_dword v5, v[0:1]
  global_load_dword v6, v[0:1], off offset:4
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v7, v4
  s_endpgm
)");
}

// Of two FLAT loads one counts on vmcnt alone where the paths meet and the other on lgkmcnt alone: neither needs what
// the other does.
TEST(Tight, FlatCountersStayApartWherePathsMeet) {
  EXPECT_EQ(findings(R"(  s_cbranch_scc0 other
  flat_load_dword v4, v[0:1]
  s_waitcnt vmcnt(0)
  s_branch join
other:
  flat_load_dword v5, v[0:1]
  s_waitcnt lgkmcnt(0)
join:
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v6, v4
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v7, v5
  s_endpgm
)"),
            std::vector<std::string>{});
}

TEST(Tight, LoadOverFlatDestinationWaitsForLdsAlone) {
  EXPECT_EQ(insert("  flat_load_dword v5, v[0:1]\n  global_load_dword v5, v[2:3], off\n  s_endpgm\n"),
            "  flat_load_dword v5, v[0:1]\n  s_waitcnt lgkmcnt(0)\n  global_load_dword v5, v[2:3], off\n  s_endpgm\n");
}

// FLAT may be done before an older vector load: one operation less may be counted, so it makes nothing older.
TEST(Tight, FlatDoesNotMakeLoadsOlder) {
  EXPECT_EQ(
      insert("  global_load_dword v4, v[0:1], off\n  flat_load_dword v5, v[0:1]\n  v_mov_b32_e32 v7, v4\n  s_endpgm\n"),
      "  global_load_dword v4, v[0:1], off\n  flat_load_dword v5, v[0:1]\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v7, "
      "v4\n  s_endpgm\n");
}

TEST(Tight, UnbalancedJoinWaitsWhereItComesFrom) {
  EXPECT_EQ(insert(R"(
  s_cbranch_scc0 .Lshort
  global_load_dword v4, v[0:1], off
  global_load_dword v5, v[0:1], off offset:4
  global_load_dword v6, v[0:1], off offset:8
  global_load_dword v7, v[0:1], off offset:12
  s_branch .Ljoin
.Lshort:
  global_load_dword v4, v[0:1], off
.Ljoin:
  v_mov_b32_e32 v8, v4
  s_endpgm
)"),
            R"(
  s_cbranch_scc0 .Lshort
  global_load_dword v4, v[0:1], off
  global_load_dword v5, v[0:1], off offset:4
  global_load_dword v6, v[0:1], off offset:8
  global_load_dword v7, v[0:1], off offset:12
  s_branch .Ljoin
.Lshort:
  global_load_dword v4, v[0:1], off
  s_waitcnt vmcnt(0)
.Ljoin:
  s_waitcnt vmcnt(3)
  v_mov_b32_e32 v8, v4
  s_endpgm
)");
}

// Only the first iteration finds its loads in the other order.
TEST(Tight, ReversedPrologueWaitsBeforeTheLoop) {
  EXPECT_EQ(insert(R"(
  global_load_dword v5, v[0:1], off offset:4
  global_load_dword v4, v[0:1], off
.Lloop:
  v_add_u32_e32 v8, v4, v8
  global_load_dword v4, v[0:1], off
  v_add_u32_e32 v8, v5, v8
  global_load_dword v5, v[0:1], off offset:4
  s_cbranch_scc1 .Lloop
  s_endpgm
)"),
            R"(
  global_load_dword v5, v[0:1], off offset:4
  global_load_dword v4, v[0:1], off
  s_waitcnt vmcnt(0)
.Lloop:
  s_waitcnt vmcnt(1)
  v_add_u32_e32 v8, v4, v8
  global_load_dword v4, v[0:1], off
  s_waitcnt vmcnt(1)
  v_add_u32_e32 v8, v5, v8
  global_load_dword v5, v[0:1], off offset:4
  s_cbranch_scc1 .Lloop
  s_endpgm
)");
}

TEST(Tight, LoadBeforeTheLoopIsWaitedForOnce) {
  EXPECT_EQ(insert(R"(
  global_load_dword v4, v[0:1], off
.Lloop:
  global_load_dword v5, v[0:1], off offset:4
  global_load_dword v6, v[0:1], off offset:8
  v_add_u32_e32 v8, v4, v8
  v_add_u32_e32 v8, v5, v8
  v_add_u32_e32 v8, v6, v8
  s_cbranch_scc1 .Lloop
  s_endpgm
)"),
            R"(
  global_load_dword v4, v[0:1], off
  s_waitcnt vmcnt(0)
.Lloop:
  global_load_dword v5, v[0:1], off offset:4
  global_load_dword v6, v[0:1], off offset:8
  v_add_u32_e32 v8, v4, v8
  s_waitcnt vmcnt(1)
  v_add_u32_e32 v8, v5, v8
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v8, v6, v8
  s_cbranch_scc1 .Lloop
  s_endpgm
)");
}

// Issue stops when a counter is full: what as many younger operations of its class followed is done (sources:
// data/targets). One fewer proves nothing, and a scalar load makes no LDS read older.
TEST(Tight, CountersAtTheirMaximum) {
  std::string loads, reads;
  for (int i = 0; i < 70; ++i)
    loads += "  global_load_dword v" + std::to_string(4 + i % 50 + (i >= 50 ? 50 : 0)) +
             ", v[0:1], off offset:" + std::to_string(4 * i) + "\n";
  EXPECT_EQ(insert(loads + "  v_mov_b32_e32 v3, v4\n  s_endpgm\n"), loads + "  v_mov_b32_e32 v3, v4\n  s_endpgm\n");
  for (int i = 0; i < 20; ++i)
    reads += "  ds_read_b32 v" + std::to_string(4 + i) + ", v0 offset:" + std::to_string(4 * i) + "\n";
  EXPECT_EQ(insert(reads + "  v_mov_b32_e32 v3, v4\n  s_endpgm\n"), reads + "  v_mov_b32_e32 v3, v4\n  s_endpgm\n");
  EXPECT_EQ(insert(reads + "  v_mov_b32_e32 v3, v8\n  s_endpgm\n"), reads + "  v_mov_b32_e32 v3, v8\n  s_endpgm\n");
  EXPECT_EQ(insert(reads + "  v_mov_b32_e32 v3, v9\n  s_endpgm\n"),
            reads + "  s_waitcnt lgkmcnt(14)\n  v_mov_b32_e32 v3, v9\n  s_endpgm\n");
  EXPECT_EQ(insert(reads + "  s_load_dword s4, s[2:3], 0x0\n  v_mov_b32_e32 v3, v9\n  s_endpgm\n"),
            reads + "  s_load_dword s4, s[2:3], 0x0\n  s_waitcnt lgkmcnt(14)\n  v_mov_b32_e32 v3, v9\n  s_endpgm\n");
}

TEST(Tight, BarrierAloneDrainsNothing) {
  EXPECT_EQ(
      insert("  global_load_dword v4, v[0:1], off\n  s_barrier\n  v_mov_b32_e32 v3, v4\n  s_endpgm\n"),
      "  global_load_dword v4, v[0:1], off\n  s_barrier\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v3, v4\n  s_endpgm\n");
}

TEST(Tight, LdsWritesAreDoneBeforeOtherWavesPassTheBarrier) {
  EXPECT_EQ(insert("  ds_write_b32 v0, v1\n  s_barrier\n  ds_read_b32 v4, v2\n  s_endpgm\n", 0, 128),
            "  ds_write_b32 v0, v1\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n  ds_read_b32 v4, v2\n  s_endpgm\n");
  EXPECT_EQ(insert("  ds_read_b32 v4, v2\n  s_barrier\n  ds_write_b32 v0, v1\n  s_endpgm\n", 0, 128),
            "  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n  ds_write_b32 v0, v1\n  s_endpgm\n");
  // A workgroup of one wave has nobody else who could look.
  const std::string alone = "  ds_write_b32 v0, v1\n  s_barrier\n  ds_read_b32 v4, v2\n  s_endpgm\n";
  EXPECT_EQ(insert(alone, 0, 64), alone);
}

// Waves that meet at a barrier use bytes of their own: each writes and reads 256 bytes of its number.
TEST(Tight, LdsOfOneWaveNeedsNoDrainAtABarrier) {
  const std::string body = "  v_lshlrev_b32_e32 v1, 2, v0\n  ds_write_b32 v1, v2\n  s_barrier\n";
  EXPECT_EQ(insert(body + "  ds_read_b32 v4, v1\n  s_endpgm\n", 4096, 256),
            body + "  ds_read_b32 v4, v1\n  s_endpgm\n");
  // The neighbour's.
  EXPECT_EQ(insert(body + "  ds_read_b32 v4, v1 offset:4\n  s_endpgm\n", 4096, 256),
            "  v_lshlrev_b32_e32 v1, 2, v0\n  ds_write_b32 v1, v2\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n  ds_read_b32 "
            "v4, v1 offset:4\n  s_endpgm\n");
}

// What is in flight at the barrier touches one half, what the waves do after it the other.
TEST(Tight, LdsHalvesByPhaseNeedNoDrainAtABarrier) {
  const std::string text = insert(R"(  v_lshlrev_b32_e32 v1, 4, v0
  s_mov_b32 s4, 0
.Lloop:
  s_and_b32 s5, s4, 1
  s_lshl_b32 s5, s5, 14
  v_add_u32_e32 v2, s5, v1
  ds_read_b128 v[4:7], v2 offset:16
  s_barrier
  s_xor_b32 s6, s5, 0x4000
  v_add_u32_e32 v3, s6, v1
  ds_write_b128 v3, v[8:11]
  v_add_u32_e32 v12, v12, v4
  s_add_i32 s4, s4, 1
  s_cmp_lt_u32 s4, 64
  s_cbranch_scc1 .Lloop
  s_endpgm
)",
                                  32768, 256);
  EXPECT_NE(text.find("  ds_read_b128 v[4:7], v2 offset:16\n  s_barrier\n"), std::string::npos) << text;
}

TEST(Tight, DuplicatesAndImpliedWaitsGo) {
  EXPECT_EQ(insert(R"(
  global_load_dword v4, v[0:1], off
  global_load_dword v5, v[0:1], off offset:4
  s_waitcnt vmcnt(0)
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v3, v5
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v3, v4
  s_endpgm
)"),
            R"(
  global_load_dword v4, v[0:1], off
  global_load_dword v5, v[0:1], off offset:4
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v3, v5
  v_mov_b32_e32 v3, v4
  s_endpgm
)");
}

// The callee touches neither v4 nor the counters: the load stays in flight over the call.
TEST(Tight, CallsByWhatTheCalleeDoes) {
  const char *body = R"(
  global_load_dword v4, v[0:1], off
  s_getpc_b64 s[4:5]
  s_add_u32 s4, s4, callee@rel32@lo+4
  s_addc_u32 s5, s5, callee@rel32@hi+12
  s_swappc_b64 s[30:31], s[4:5]
%s  v_mov_b32_e32 v3, v4
  s_endpgm
.type callee,@function
callee:
  v_add_u32_e32 v9, v9, v9
  s_setpc_b64 s[30:31]
)";
  auto with = [&](const char *wait) {
    std::string text = body;
    return text.replace(text.find("%s"), 2, wait);
  };
  EXPECT_EQ(insert(with("")), with("  s_waitcnt vmcnt(0)\n"));
}

TEST(Tight, ReleaseKeepsItsWait) {
  const char *body = R"(
  global_store_dword v[0:1], v4, off
  buffer_wbl2 sc1
  s_waitcnt vmcnt(0)
  global_atomic_add v[2:3], v5, off sc1
  s_endpgm
)";
  EXPECT_EQ(insert(body), body);
}

TEST(Verify, NamesTheWaitThatIsMissing) {
  EXPECT_EQ(findings("  global_load_dword v4, v[0:1], off\n  global_load_dword v5, v[0:1], off\n  v_mov_b32_e32 v3, "
                     "v4\n  s_endpgm\n"),
            std::vector<std::string>{"3: missing-wait: s_waitcnt vmcnt(1) before it"});
}

// LLVM 22 deletes this wait: it doesn't count the write-back.
TEST(Verify, WriteBackBeforeAReleasingStore) {
  EXPECT_EQ(findings("  buffer_wbl2 sc0 sc1\n  global_store_dword v[0:1], v4, off sc0 sc1\n  s_endpgm\n"),
            std::vector<std::string>{"2: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// Where the read goes is in a register that a load wrote: only the source can say that it isn't the DMA's bytes.
TEST(Verify, LdsThatMayOverlapIsUndecidedUntilTheSourceSays) {
  const std::string dma = "  s_mov_b32 m0, 0\n  buffer_load_dword v0, s[8:11], 0 offen lds\n";
  EXPECT_EQ(findings(dma + "  ds_read_b32 v4, v5\n  s_endpgm\n", 4096),
            std::vector<std::string>{"3: undecided: s_waitcnt vmcnt(0) before it, or '; inflight: noalias' after the "
                                     "access if the bytes are others"});
  EXPECT_EQ(findings(dma + "  ; inflight: noalias\n  ds_read_b32 v4, v5\n  s_endpgm\n", 4096),
            std::vector<std::string>{});
  EXPECT_EQ(findings(dma + "  ds_read_b32 v4, v5 ; inflight: noalias\n  s_endpgm\n", 4096), std::vector<std::string>{});
}

// The same bytes, or a neighbour's: what clang forgets at the head of a loop.
TEST(Verify, LdsInFlightAtABarrierThatOtherWavesTouch) {
  const std::string body = "  v_lshlrev_b32_e32 v1, 2, v0\n  ds_write_b32 v1, v2\n  s_barrier\n";
  EXPECT_EQ(findings(body + "  ds_read_b32 v4, v1 offset:4\n  s_endpgm\n", 4096, "gfx942", 256),
            std::vector<std::string>{"3: missing-wait: s_waitcnt lgkmcnt(0) before it"});
  EXPECT_EQ(findings(body + "  ds_read_b32 v4, v1 offset:2048\n  s_endpgm\n", 4096, "gfx942", 256),
            std::vector<std::string>{});
  const std::string undecided = "3: undecided: s_waitcnt lgkmcnt(0) before it, or '; inflight: noalias' after the "
                                "access if the bytes are others";
  EXPECT_EQ(findings(body + "  ds_read_b32 v4, v5\n  s_endpgm\n", 4096, "gfx942", 256),
            std::vector<std::string>{undecided});
  // Which lanes read isn't known.
  EXPECT_EQ(
      findings(body + "  s_mov_b64 exec, s[8:9]\n  ds_read_b32 v4, v1 offset:4\n  s_endpgm\n", 4096, "gfx942", 256),
      std::vector<std::string>{undecided});
}

// One wave may do both: LDS serves it in order.
TEST(Verify, LdsInFlightAtABarrierOfOneWaveAlone) {
  const std::string read = "  ds_read_b32 v4, v1 offset:4\n.Lout:\n  s_endpgm\n";
  auto write = [](const std::string &number) {
    return "  v_lshlrev_b32_e32 v1, 2, v0\n  v_readfirstlane_b32 s4, v0\n  s_cmp_eq_u32 s4, " + number +
           "\n  s_cbranch_scc0 .Lmeet\n  ds_write_b32 v1, v2\n.Lmeet:\n  s_barrier\n";
  };
  auto guard = [](const std::string &number) { return "  s_cmp_eq_u32 s4, " + number + "\n  s_cbranch_scc0 .Lout\n"; };
  EXPECT_EQ(findings(write("s3") + read, 4096, "gfx942", 256),
            std::vector<std::string>{"7: missing-wait: s_waitcnt lgkmcnt(0) before it"});
  EXPECT_EQ(findings(write("s3") + guard("s3") + read, 4096, "gfx942", 256),
            std::vector<std::string>{"7: undecided: s_waitcnt lgkmcnt(0) before it, or '; inflight: noalias' after "
                                     "the access if the bytes are others"});
  // Wave 1's bytes, which wave 0 reads; wave 0's, which no other reads.
  EXPECT_EQ(findings(write("64") + read, 4096, "gfx942", 256),
            std::vector<std::string>{"7: missing-wait: s_waitcnt lgkmcnt(0) before it"});
  EXPECT_EQ(findings(write("64") + guard("64") + read, 4096, "gfx942", 256), std::vector<std::string>{});
  EXPECT_EQ(findings(write("0") + read, 4096, "gfx942", 256), std::vector<std::string>{});
}

// The same bytes of one lane: LLVM 22 leaves this wait out when the read's type differs from the DMA's.
TEST(Verify, ReadOfTheBytesThatDmaWrites) {
  EXPECT_EQ(findings("  s_mov_b32 m0, 0\n  buffer_load_dword v0, s[8:11], 0 offen lds\n  v_lshlrev_b32_e32 v1, 2, v0\n "
                     " ds_read_b32 v4, v1\n  s_endpgm\n",
                     4096),
            std::vector<std::string>{"4: missing-wait: s_waitcnt vmcnt(0) before it"});
  // Saying otherwise doesn't help where it is known.
  EXPECT_EQ(findings("  s_mov_b32 m0, 0\n  buffer_load_dword v0, s[8:11], 0 offen lds\n  v_mov_b32_e32 v1, 0\n  "
                     "ds_read_b32 v4, v1 ; inflight: noalias\n  s_endpgm\n",
                     4096),
            std::vector<std::string>{"4: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// The DMA of one iteration is read in the next; LLVM 22 forgets one that only the back edge brings.
TEST(Verify, DmaOverTheBackEdge) {
  EXPECT_EQ(findings(R"(  s_mov_b32 m0, 0
  v_mov_b32_e32 v1, 0
.Lloop:
  ds_read_b32 v4, v1
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v0, s[8:11], 0 offen lds
  s_cbranch_scc1 .Lloop
  s_endpgm
)",
                     4096),
            std::vector<std::string>{"4: missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else "
                                     "buffer_load_dword after it, as it comes too early"});
}

// Two buffers by k & 1: the count may be 1 although both are in flight.
TEST(Tight, DoubleBufferByPhase) {
  EXPECT_NE(insert(R"(  v_lshlrev_b32_e32 v1, 2, v0
  s_mov_b32 s4, 0
  s_mov_b32 m0, 0
  s_nop 0
  buffer_load_dword v0, s[8:11], 0 offen lds
.Lloop:
  s_add_i32 s4, s4, 1
  s_and_b32 s5, s4, 1
  s_lshl_b32 s5, s5, 10
  s_mov_b32 m0, s5
  s_xor_b32 s6, s5, 0x400
  buffer_load_dword v0, s[8:11], 0 offen lds
  v_add_u32_e32 v2, s6, v1
  ds_read_b32 v3, v2
  v_add_u32_e32 v4, v3, v4
  s_cmp_lt_u32 s4, 64
  s_cbranch_scc1 .Lloop
  s_endpgm
)",
                   4096)
                .find("  s_waitcnt vmcnt(1)\n  ds_read_b32"),
            std::string::npos);
}

// Nothing waits for v4, but forty instructions give the read time.
TEST(Verify, CountingOnLatencyIsAFindingOfItsOwn) {
  std::string body = "  ds_read_b32 v4, v0\n";
  for (int i = 0; i < 40; ++i)
    body += "  v_add_u32_e32 v1, v1, v1\n";
  EXPECT_EQ(findings(body + "  v_mov_b32_e32 v3, v4\n  s_endpgm\n"),
            std::vector<std::string>{"42: counts-on-latency: s_waitcnt lgkmcnt(0) before it"});
}

// Assembly generators multiply addresses this way.
TEST(Verify, SignedProductsOf24Bits) {
  const std::string body = "  s_mov_b32 m0, 0x1000\n  buffer_load_dword v0, s[8:11], 0 offen lds\n  v_and_b32_e32 v2, "
                           "15, v0\n  v_mul_i32_i24_e32 v1, 0x100, v2\n";
  EXPECT_EQ(findings(body + "  ds_read_b32 v4, v1\n  s_endpgm\n", 8192), std::vector<std::string>{});
  EXPECT_EQ(findings(body + "  ds_read_b32 v4, v1 offset:256\n  s_endpgm\n", 8192),
            std::vector<std::string>{"5: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// Whether the read meets the DMA's bytes isn't known, but the program has waited. That another path brings loads that
// may stay in flight is no leave to take the wait away.
TEST(Relax, KeepsWhatTheProgramHasWaitedForWhereOverlapIsNotKnown) {
  const char *body = R"(
  s_mov_b32 m0, 0
  s_cbranch_scc0 .Lother
  buffer_load_dword v0, s[8:11], 0 offen lds
  s_waitcnt vmcnt(0)
  s_branch .Ljoin
.Lother:
  global_load_dword v10, v[2:3], off
  global_load_dword v11, v[2:3], off offset:4
  global_load_dword v12, v[2:3], off offset:8
.Ljoin:
  ds_read_b32 v7, v5
  s_endpgm
)";
  EXPECT_EQ(findings(body, 4096), std::vector<std::string>{});
  EXPECT_EQ(findings(replanned(body, Goal::Relax, 4096), 4096), std::vector<std::string>{});
  // Two of three may stay in flight where the program leaves two.
  const std::string dma = "  buffer_load_dword v0, s[8:11], 0 offen lds\n";
  const std::string counted =
      "  s_mov_b32 m0, 0\n  s_nop 0\n" + dma + dma + dma + "  s_waitcnt vmcnt(2)\n  ds_read_b32 v7, v5\n  s_endpgm\n";
  EXPECT_EQ(replanned(counted, Goal::Relax, 4096), counted);
}

// A program that counts on latency goes on doing so; what it waits for it goes on waiting for.
TEST(Relax, AddsNoWaitWhereOneIsMissing) {
  std::string body = "  ds_read_b32 v4, v0\n  ds_read_b32 v5, v0 offset:4\n  s_waitcnt lgkmcnt(1)\n";
  for (int i = 0; i < 40; ++i)
    body += "  v_add_u32_e32 v1, v1, v1\n";
  body += "  v_add_u32_e32 v3, v4, v5\n  s_endpgm\n";
  std::string moved = body;
  moved.erase(moved.find("  s_waitcnt"), strlen("  s_waitcnt lgkmcnt(1)\n"));
  moved.insert(moved.find("  v_add_u32_e32 v3"), "  s_waitcnt lgkmcnt(1)\n");
  EXPECT_EQ(replanned(body, Goal::Relax), moved);
}

} // namespace
