// Random programs of four waves, run by a small interpreter: where waves are at one barrier, and the analysis says that
// none leaves an access out which others make, all of them have made it since the barrier before, or none, and likewise
// until the next one.
#include "Assembly.h"
#include "WaveCode.h"

#include "waits/graph/BuildGraph.h"
#include "waits/graph/LeftOut.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace inflight;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

/// A program, and which operations stand for each of its lines.
struct Described {
  std::string body;
  std::unique_ptr<Program> program;
  Graph graph;
  std::vector<uint32_t> blockOf;                 ///< by operation
  std::map<unsigned, std::vector<uint32_t>> ops; ///< of barriers and writes, by line

  explicit Described(ArrayRef<Line> lines) {
    body = "  v_lshlrev_b32_e32 v1, 2, v0\n  v_readfirstlane_b32 s6, v0\n  ds_write_b32 v1, v0\n";
    std::map<unsigned, unsigned> lineOf; ///< by instruction
    unsigned count = 3;
    for (unsigned i = 0; i < lines.size(); ++i) {
      body += lines[i].text() + "\n";
      lineOf[count] = i;
      count += lines[i].kind != Line::Label;
    }
    program = read(kernel(body, 4096, 256));
    if (!program)
      return;
    graph = describe(*program);
    followValues(graph, *program);
    blockOf.resize(graph.ops.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      std::fill(blockOf.begin() + graph.blocks[b].begin, blockOf.begin() + graph.blocks[b].end, b);
    for (uint32_t op = 0; op < graph.ops.size(); ++op)
      if (graph.ops[op].isBarrier || graph.ops[op].writesLds)
        ops[lineOf[graph.ops[op].instruction]].push_back(op);
  }

  /// Waves that are at this barrier are nowhere else, in another iteration neither.
  bool isOfAll(unsigned barrier) {
    return none_of(ops[barrier], [&](uint32_t b) { return graph.partners() && !graph.partners()->of(b).empty(); });
  }

  /// Whether some wave at the barrier may leave the write out while others make it, for all that is known.
  bool isLeftOut(unsigned barrier, unsigned write, bool isBefore) {
    return any_of(ops[barrier], [&](uint32_t b) {
      return any_of(ops[write], [&](uint32_t w) {
        return isLeftOutBySome(graph, blockOf[b], b, w, isBefore) &&
               (!isBefore || isLeftOutBySomeOfThese(graph, blockOf[b], b, w));
      });
    });
  }
};

/// What a wave does around its barriers.
struct Course {
  std::vector<unsigned> barriers;            ///< lines
  std::vector<std::vector<unsigned>> writes; ///< before each, and after the last
};

std::optional<Course> courseOf(ArrayRef<Line> lines, unsigned s2, unsigned s3, unsigned wave) {
  const auto visits = runWave(lines, s2, s3, wave);
  if (!visits)
    return std::nullopt;
  Course course{{}, {{}}};
  for (unsigned line : *visits)
    if (lines[line].kind == Line::Barrier) {
      course.barriers.push_back(line);
      course.writes.emplace_back();
    } else {
      course.writes.back().push_back(line);
    }
  return course;
}

TEST(LeftOut, RandomPrograms) {
  constexpr unsigned waves = 4;
  unsigned together = 0, parted = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const std::vector<Line> lines = makeWaveCode(seed, /*writes=*/true);
    Described described(lines);
    ASSERT_TRUE(described.program);
    std::map<std::tuple<unsigned, unsigned, bool>, bool> known;
    auto isLeftOut = [&](unsigned barrier, unsigned write, bool isBefore) {
      auto [place, isNew] = known.try_emplace({barrier, write, isBefore});
      if (isNew)
        place->second = described.isLeftOut(barrier, write, isBefore);
      return place->second;
    };
    for (unsigned arguments = 0; arguments < 16; ++arguments) {
      std::vector<Course> courses;
      for (unsigned wave = 0; wave < waves; ++wave)
        if (std::optional<Course> course = courseOf(lines, arguments % 4, arguments / 4, wave))
          courses.push_back(std::move(*course));
      if (courses.size() != waves)
        continue;
      for (const auto &[one, other] : {std::pair(0, 1), {0, 2}, {1, 2}, {2, 3}, {3, 0}}) {
        const Course &mine = courses[one], &theirs = courses[other];
        for (size_t n = 0; n < std::min(mine.barriers.size(), theirs.barriers.size()); ++n) {
          if (mine.barriers[n] != theirs.barriers[n] || !described.isOfAll(mine.barriers[n]))
            continue;
          for (bool isBefore : {true, false})
            for (unsigned write : mine.writes[n + !isBefore]) {
              const bool isMade = is_contained(theirs.writes[n + !isBefore], write);
              (isMade ? together : parted) += !isLeftOut(mine.barriers[n], write, isBefore) || !isMade;
              ASSERT_TRUE(isMade || isLeftOut(mine.barriers[n], write, isBefore))
                  << "seed " << seed << " arguments " << arguments << " waves " << one << " " << other << " barrier "
                  << n << " line " << mine.barriers[n] << " write " << write << (isBefore ? " before" : " after")
                  << "\n"
                  << described.body;
            }
        }
      }
    }
  }
  EXPECT_GT(together, 20000u);
  EXPECT_GT(parted, 500u);
}

} // namespace
