// Kernels as clang compiles them (compiled/rings.hip): the buffers of a ring are disjoint in every iteration.
#include "Listing.h"

#include "support/Diagnostics.h"
#include <gtest/gtest.h>

namespace inflight::values {
namespace {

struct Ring {
  const char *kernel;
  unsigned ahead; ///< iterations from the request to the use
};

class CompiledFile : public testing::Test {
protected:
  CompiledFile(const char *name, llvm::StringRef chip)
      : listing(cantFail(readFile(std::string(COMPILED_DIR "/") + name)), chip) {}
  Listing listing;

  /// Accesses of a kernel, in blocks that loops run.
  std::vector<Listing::Place> places(llvm::StringRef kernel, bool isDma, bool inLoops) {
    std::vector<Listing::Place> found;
    for (uint32_t b = 0; b < listing.map->blocks().size(); ++b) {
      const Block &block = listing.program->blocks()[listing.map->blocks()[b].block];
      if (block.function == ~0u || listing.program->functions()[block.function].name != kernel)
        continue;
      if (inLoops && !comesBack(b))
        continue;
      for (uint32_t i = block.begin; i < block.end; ++i) {
        const InstrDesc *desc = listing.program->instructions()[i].desc;
        if (desc && (isDma ? desc->isLdsDma : desc->isDs()))
          found.push_back({b, i});
      }
    }
    return found;
  }
  bool comesBack(uint32_t block) {
    std::vector<uint32_t> work{block};
    std::vector<bool> seen(listing.map->blocks().size(), false);
    while (!work.empty()) {
      uint32_t next = work.back();
      work.pop_back();
      for (const PhaseEdge &edge : listing.map->blocks()[next].successors) {
        if (edge.block == block)
          return true;
        if (!seen[edge.block]) {
          seen[edge.block] = true;
          work.push_back(edge.block);
        }
      }
    }
    return false;
  }

  void expectRing(Ring ring) {
    SCOPED_TRACE(ring.kernel);
    auto dmas = places(ring.kernel, true, true), reads = places(ring.kernel, false, true);
    ASSERT_FALSE(dmas.empty() || reads.empty());
    bool meets = false;
    for (Listing::Place dma : dmas)
      for (Listing::Place read : reads) {
        // A request is after the use in an iteration or before it; in neither case is it for what is used.
        for (unsigned iteration = 0; iteration < ring.ahead; ++iteration)
          ASSERT_EQ(listing.later(dma, read, iteration), Overlap::No)
              << iteration << " iterations from " << listing.program->text(dma.index) << " ["
              << listing.map->describe(listing.at(dma)) << "] to " << listing.program->text(read.index) << " ["
              << listing.map->describe(listing.at(read)) << "]";
        meets |= listing.later(dma, read, ring.ahead) == Overlap::Yes;
      }
    EXPECT_TRUE(meets);
  }
};

class Compiled : public CompiledFile, public testing::WithParamInterface<const char *> {
protected:
  Compiled() : CompiledFile(GetParam(), "gfx942") {}
};
class Tile : public CompiledFile {
protected:
  Tile() : CompiledFile("tile.clang22.s", "gfx950") {}
};

TEST_P(Compiled, RingsAreDisjoint) {
  for (Ring ring : {Ring{"dbuf", 1}, Ring{"ring3", 2}, Ring{"ring3c", 2}, Ring{"swp", 1}, Ring{"tog", 1},
                    Ring{"st2", 1}, Ring{"st3", 2}, Ring{"st4", 3}, Ring{"st5", 4}, Ring{"pers", 1}})
    expectRing(ring);
}

TEST_F(Tile, BothStagesAreDisjoint) { expectRing({"tile", 1}); }

TEST_P(Compiled, ArraysAreDisjoint) {
  // Two arrays, each filled while the other is read.
  auto dmas = places("two", true, false), reads = places("two", false, false);
  unsigned disjoint = 0;
  for (Listing::Place dma : dmas)
    for (Listing::Place read : reads) {
      const Overlap overlap = listing.map->overlap(listing.at(dma), listing.at(read));
      EXPECT_NE(overlap, Overlap::Unknown);
      disjoint += overlap == Overlap::No;
    }
  EXPECT_GE(disjoint, dmas.size() * reads.size() / 2);
}

TEST_P(Compiled, OffsetsOfTheCallerAreNamed) {
  auto dmas = places("offsets", true, false), reads = places("offsets", false, false);
  ASSERT_EQ(dmas.size(), 4u);
  for (Listing::Place read : reads) {
    EXPECT_EQ(listing.map->overlap(listing.at(dmas[0]), listing.at(read)), Overlap::Unknown);
    EXPECT_NE(listing.map->missingFact(listing.at(dmas[0]), listing.at(read)).find("is loaded from memory"),
              std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Compiled, testing::Values("rings.clang22.s", "rings.clang19.s"));

} // namespace
} // namespace inflight::values
