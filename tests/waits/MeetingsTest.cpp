// Random programs of four waves, run by a small interpreter: where a wave comes to a barrier with a write in flight
// whose bytes another one writes after it, there is a finding at that barrier, whichever paths are said to be
// impossible.
#include "Assembly.h"
#include "WaveCode.h"

#include <map>
#include <set>

using namespace llvm;
using namespace inflight;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

constexpr unsigned waves = 4, waveBytes = 256;

/// The lines of the barriers at which something is found.
std::set<unsigned> barriersWithFindings(ArrayRef<Line> lines, const Program &program, unsigned firstInstruction) {
  std::map<unsigned, unsigned> lineOf; ///< by instruction
  unsigned count = firstInstruction;
  for (unsigned i = 0; i < lines.size(); ++i) {
    lineOf[count] = i;
    count += lines[i].kind != Line::Label;
  }
  std::set<unsigned> found;
  for (const Finding &finding : verify(program).findings)
    if (auto at = lineOf.find(finding.instruction); at != lineOf.end())
      found.insert(at->second);
  return found;
}

/// Two writes of a wave each to bytes that both write.
bool overlap(const Line &a, unsigned wave, const Line &b, unsigned otherWave) {
  const int distance = int(a.to + waveBytes * wave) - int(b.to + waveBytes * otherWave);
  return std::abs(distance) < int(waveBytes);
}

TEST(Meetings, RandomPrograms) {
  unsigned meetings = 0, silent = 0;
  for (unsigned seed = 1000; seed < 1300; ++seed) {
    const std::vector<Line> lines = makeWaveCode(seed, /*writes=*/true);
    std::string body = "  v_lshlrev_b32_e32 v1, 2, v0\n  v_readfirstlane_b32 s6, v0\n";
    for (const Line &line : lines)
      body += line.text() + "\n";
    std::unique_ptr<Program> program = read(kernel(body, 4096, 256));
    ASSERT_TRUE(program);
    const std::set<unsigned> found = barriersWithFindings(lines, *program, 2);
    std::set<unsigned> barriers, meeting;
    for (unsigned arguments = 0; arguments < 16; ++arguments) {
      std::vector<std::vector<unsigned>> visits;
      for (unsigned wave = 0; wave < waves; ++wave)
        if (auto some = runWave(lines, arguments % 4, arguments / 4, wave))
          visits.push_back(std::move(*some));
      if (visits.size() != waves)
        continue;
      // By wave and number of the barrier: its line, and the writes between it and the one before.
      std::vector<std::vector<std::pair<unsigned, std::vector<unsigned>>>> courses(waves);
      for (unsigned wave = 0; wave < waves; ++wave) {
        std::vector<unsigned> writes;
        for (unsigned line : visits[wave])
          if (lines[line].kind == Line::Barrier)
            courses[wave].push_back({line, std::exchange(writes, {})});
          else
            writes.push_back(line);
        courses[wave].push_back({~0u, writes});
      }
      for (unsigned one = 0; one < waves; ++one)
        for (unsigned other = 0; other < waves; ++other)
          for (size_t n = 0; one != other && n + 1 < std::min(courses[one].size(), courses[other].size()); ++n) {
            const unsigned barrier = courses[one][n].first;
            barriers.insert(barrier);
            for (unsigned before : courses[one][n].second)
              for (unsigned after : courses[other][n + 1].second)
                if (overlap(lines[before], one, lines[after], other)) {
                  ++meetings;
                  meeting.insert(barrier);
                  ASSERT_TRUE(found.count(barrier))
                      << "seed " << seed << " arguments " << arguments << " waves " << one << " " << other
                      << " barrier " << n << " line " << barrier << " writes " << before << " " << after << "\n"
                      << body;
                }
          }
    }
    for (unsigned barrier : barriers)
      silent += !found.count(barrier) && !meeting.count(barrier);
  }
  EXPECT_GT(meetings, 10000u);
  EXPECT_GT(silent, 100u); // it isn't that all barriers have one
}

} // namespace
