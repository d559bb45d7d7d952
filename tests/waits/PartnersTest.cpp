// Random programs of two waves, run by a small interpreter: whatever barriers the waves meet at, the search has; and
// what it says of waves in step, or of waves that are at one barrier alone, is so.
#include "Assembly.h"
#include "WaveCode.h"

#include "waits/flow/Needs.h"
#include "waits/graph/BuildGraph.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <random>

using namespace llvm;
using namespace inflight;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

TEST(Partners, RandomPrograms) {
  unsigned meetings = 0, certain = 0, bounded = 0;
  for (unsigned seed = 0; seed < 250; ++seed) {
    const std::vector<Line> lines = makeWaveCode(seed);
    std::string body = "  v_lshlrev_b32_e32 v1, 2, v0\n  v_readfirstlane_b32 s6, v0\n  ds_write_b32 v1, v0\n";
    std::map<unsigned, unsigned> barrierOf; ///< lines by the number of instructions before
    unsigned count = 3;
    for (unsigned i = 0; i < lines.size(); ++i) {
      body += lines[i].text() + "\n";
      if (lines[i].kind == Line::Barrier)
        barrierOf[count] = i;
      count += lines[i].kind != Line::Label;
    }
    std::unique_ptr<Program> program = read(kernel(body, 1024, 128), "gfx942");
    ASSERT_TRUE(program);
    Graph graph = describe(*program);
    followValues(graph, *program);
    std::map<unsigned, std::vector<uint32_t>> opsOf; ///< by line
    for (uint32_t op = 0; op < graph.ops.size(); ++op)
      if (graph.ops[op].isBarrier)
        opsOf[barrierOf.at(graph.ops[op].instruction)].push_back(op);
    auto lineOf = [&](uint32_t op) { return barrierOf.at(graph.ops[op].instruction); };
    bounded += graph.partners() && !graph.partners()->isUnbounded();
    for (unsigned s2 = 0; s2 < 4; ++s2)
      for (unsigned s3 = 0; s3 < 4; ++s3) {
        const auto one = runWave(lines, s2, s3, 0), other = runWave(lines, s2, s3, 1);
        if (!one || !other)
          continue;
        for (size_t n = 0; n < std::max(one->size(), other->size()); ++n)
          for (auto [mine, theirs] : {std::pair(&*one, &*other), std::pair(&*other, &*one)}) {
            if (n >= mine->size())
              continue;
            ++meetings;
            const bool isThere = n < theirs->size();
            bool isKnown = false;
            for (uint32_t op : opsOf[(*mine)[n]]) {
              if (isThere && graph.partners())
                isKnown |= any_of(graph.partners()->of(op), [&](uint32_t partner) {
                  return graph.ops[partner].isBarrier && lineOf(partner) == (*theirs)[n];
                });
              if (const std::optional<uint32_t> only =
                      graph.partners() ? graph.partners()->onlyOne(graph, op) : std::nullopt) {
                ++certain;
                ASSERT_TRUE(isThere && (graph.hasPhases || lineOf(*only) == (*theirs)[n]))
                    << "seed " << seed << " s2 " << s2 << " s3 " << s3 << " barrier " << n << " line " << (*mine)[n]
                    << "\n"
                    << body;
              }
            }
            if (!isThere || isKnown)
              continue;
            ASSERT_EQ((*mine)[n], (*theirs)[n])
                << "seed " << seed << " s2 " << s2 << " s3 " << s3 << " barrier " << n << "\n"
                << body;
          }
      }
  }
  EXPECT_GT(meetings, 20000u);
  EXPECT_GT(bounded, 60u);
  EXPECT_GT(certain, 200u);
}

// Which barriers meet isn't looked for where no LDS access is in flight at one: the needs are the same as with it.
TEST(Partners, AreLeftOutWhereTheyChangeNothing) {
  unsigned leftOut = 0, lookedFor = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    std::string body = "  v_lshlrev_b32_e32 v1, 2, v0\n  v_readfirstlane_b32 s6, v0\n";
    const bool waitsAlways = seed % 2;
    for (const Line &line : makeWaveCode(seed)) {
      if (line.kind == Line::Barrier || line.kind == Line::End) {
        body += random() % 2 ? "  ds_write_b32 v1, v0\n" : "  ds_read_b32 v2, v1 offset:256\n";
        body += waitsAlways || random() % 2 ? "  s_waitcnt lgkmcnt(0)\n" : "";
      }
      body += line.text() + "\n";
    }
    std::unique_ptr<Program> program = read(kernel(body, 1024, 128), "gfx942");
    ASSERT_TRUE(program);
    for (bool fixesNeeds : {false, true}) {
      EngineOptions options;
      options.fixesNeeds = fixesNeeds;
      const Graph graph = describe(*program), whole = describe(*program);
      const Partners *partners = whole.partners();
      const std::vector<Need> needs = findNeeds(graph, options), all = findNeeds(whole, options);
      ASSERT_EQ(needs.size(), all.size()) << "seed " << seed << "\n" << body;
      for (const auto &[mine, theirs] : zip_equal(needs, all))
        ASSERT_TRUE(mine.op == theirs.op && mine.counts == theirs.counts && mine.certain == theirs.certain)
            << "seed " << seed << "\n"
            << body;
      leftOut += partners && !graph.arePartnersFound();
      lookedFor += partners && graph.arePartnersFound();
    }
  }
  EXPECT_GT(leftOut, 50u);
  EXPECT_GT(lookedFor, 50u);
}

} // namespace
