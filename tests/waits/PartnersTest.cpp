// Random programs of two waves, run by a small interpreter: whatever barriers the waves meet at, the search has; and
// what it says of waves in step, or of waves that are at one barrier alone, is so.
#include "Assembly.h"

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

struct Line {
  enum Kind : uint8_t { Label, Barrier, Move, Add, Sub, And, Less, NotEqual, IfSet, IfNot, Goto, End } kind;
  unsigned to = 0; ///< register or label
  unsigned a = 0;  ///< register
  unsigned b = 0;  ///< number, or register when it is `Register` or more
  static constexpr unsigned Register = 1000;

  std::string text() const {
    auto s = [](unsigned n) { return "s" + std::to_string(n); };
    const std::string second = b >= Register ? s(b - Register) : std::to_string(b);
    switch (kind) {
    case Label: return ".L" + std::to_string(to) + ":";
    case Barrier: return "  s_barrier";
    case Move: return "  s_mov_b32 " + s(to) + ", " + second;
    case Add: return "  s_add_u32 " + s(to) + ", " + s(a) + ", " + second;
    case Sub: return "  s_sub_u32 " + s(to) + ", " + s(a) + ", " + second;
    case And: return "  s_and_b32 " + s(to) + ", " + s(a) + ", " + second;
    case Less: return "  s_cmp_lt_u32 " + s(a) + ", " + second;
    case NotEqual: return "  s_cmp_lg_u32 " + s(a) + ", " + second;
    case IfSet: return "  s_cbranch_scc1 .L" + std::to_string(to);
    case IfNot: return "  s_cbranch_scc0 .L" + std::to_string(to);
    case Goto: return "  s_branch .L" + std::to_string(to);
    case End: return "  s_endpgm";
    }
    return "";
  }
};

constexpr unsigned waveNumber = 6, firstFree = 8, registerCount = 32, counterLimit = 3;

/// s2 and s3 are arguments, s6 is 64 times the wave's number.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::vector<Line> make() {
    for (unsigned n = firstFree; n < firstFree + 4; ++n)
      add({Line::Move, n, 0, pick(2) ? Line::Register + 2 + pick(2) : pick(4)});
    statements(3, 2);
    add({Line::End});
    return std::move(lines);
  }

private:
  unsigned pick(unsigned n) { return random() % n; }
  void add(Line line) { lines.push_back(line); }
  unsigned anyRegister() { return firstFree + pick(4); }

  void arithmetic() {
    const unsigned second = pick(3) == 0 ? Line::Register + anyRegister() : pick(4);
    add({pick(2) ? Line::Add : pick(2) ? Line::Sub : Line::And, anyRegister(), anyRegister(), second});
  }
  void condition() {
    const unsigned of = pick(3) == 0 ? waveNumber : pick(3) == 0 ? 2 + pick(2) : anyRegister();
    add({pick(2) ? Line::Less : Line::NotEqual, 0, of, of == waveNumber ? 64 * pick(2) : pick(4)});
  }
  void statements(unsigned count, unsigned depth) {
    for (unsigned i = 0; i < count; ++i)
      switch (pick(depth ? 7 : 3)) {
      case 0:
      case 1: add({Line::Barrier}); break;
      case 2: arithmetic(); break;
      case 3:
      case 4: choice(depth); break;
      case 5: loop(depth); break;
      default: roles(); break;
      }
  }
  void choice(unsigned depth) {
    const unsigned other = labels++, join = labels++;
    condition();
    if (pick(3) == 0)
      add({Line::Barrier});
    add({pick(2) ? Line::IfSet : Line::IfNot, other});
    statements(1 + pick(2), depth - 1);
    if (pick(12) == 0)
      add({Line::End});
    if (pick(2)) {
      add({Line::Goto, join});
      add({Line::Label, other});
      statements(1 + pick(2), depth - 1);
      add({Line::Label, join});
    } else {
      add({Line::Label, other});
    }
  }
  /// Runs as often as a register says, which it counts down before or after its barriers.
  void loop(unsigned depth) {
    const unsigned counter = firstFree + 4 + nextCounter++ % 12;
    add({Line::And, counter,
         pick(5) == 0   ? waveNumber
         : pick(3) == 0 ? 2 + pick(2)
                        : anyRegister(),
         pick(2) ? counterLimit : 64});
    add({Line::And, counter, counter, counterLimit});
    add({Line::Add, counter, counter, 1});
    body(counter, depth - 1, pick(3), 1 + pick(2), 1);
  }
  /// Waves with a loop of their own each, alike but for where they count, or what.
  void roles() {
    const unsigned other = labels++, join = labels++, counter = firstFree + 4 + nextCounter++ % 12,
                   barriers = 1 + pick(2);
    add({Line::And, counter, pick(4) == 0 ? waveNumber : 2 + pick(2), counterLimit});
    add({Line::Add, counter, counter, 2});
    if (pick(2))
      add({Line::And, counter, counter, 6}); // an even number
    add({Line::Less, 0, waveNumber, 64});
    add({Line::IfNot, other});
    const unsigned step = pick(4) == 0 ? 2 : 1;
    body(counter, 0, pick(3), barriers, step);
    add({Line::Goto, join});
    add({Line::Label, other});
    if (pick(5) == 0)
      add({Line::Barrier});
    body(counter, 0, pick(3), pick(6) ? barriers : 1 + pick(2), pick(6) ? step : 1);
    add({Line::Label, join});
  }
  void body(unsigned counter, unsigned depth, unsigned countsAt, unsigned barriers, unsigned step) {
    const unsigned head = labels++, skip = labels++;
    add({Line::Label, head});
    if (countsAt == 0)
      add({Line::Sub, counter, counter, step});
    if (pick(3) == 0) {
      condition();
      add({Line::IfSet, skip});
      statements(1, depth);
      add({Line::Label, skip});
    }
    for (unsigned i = 1; i < barriers; ++i)
      add({Line::Barrier});
    if (countsAt != 0)
      add({Line::Sub, counter, counter, step});
    add({Line::NotEqual, 0, counter, 0});
    if (countsAt == 2)
      add({Line::Barrier});
    add({Line::IfSet, head});
    if (countsAt != 2)
      add({Line::Barrier});
  }

  std::mt19937 random;
  std::vector<Line> lines;
  unsigned labels = 0, nextCounter = 0;
};

/// The lines of the barriers that a wave comes to; none when it doesn't end soon.
std::optional<std::vector<unsigned>> run(ArrayRef<Line> lines, unsigned s2, unsigned s3, unsigned wave) {
  uint32_t s[registerCount] = {};
  s[2] = s2, s[3] = s3, s[waveNumber] = 64 * wave;
  bool scc = false;
  std::map<unsigned, size_t> places;
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].kind == Line::Label)
      places[lines[i].to] = i;
  std::vector<unsigned> visits;
  unsigned steps = 0;
  for (size_t at = 0; lines[at].kind != Line::End; ++at) {
    const Line &line = lines[at];
    const uint32_t a = s[line.a], b = line.b >= Line::Register ? s[line.b - Line::Register] : line.b;
    if (++steps > 3000)
      return std::nullopt;
    switch (line.kind) {
    case Line::Label: break;
    case Line::Barrier: visits.push_back(at); break;
    case Line::Move: s[line.to] = b; break;
    case Line::Add:
      s[line.to] = a + b;
      scc = uint64_t(a) + b > ~0u;
      break;
    case Line::Sub:
      s[line.to] = a - b;
      scc = b > a;
      break;
    case Line::And:
      s[line.to] = a & b;
      scc = (a & b) != 0;
      break;
    case Line::Less: scc = a < b; break;
    case Line::NotEqual: scc = a != b; break;
    case Line::IfSet:
      if (scc)
        at = places[line.to] - 1;
      break;
    case Line::IfNot:
      if (!scc)
        at = places[line.to] - 1;
      break;
    case Line::Goto: at = places[line.to] - 1; break;
    case Line::End: break;
    }
  }
  return visits;
}

TEST(Partners, RandomPrograms) {
  unsigned meetings = 0, certain = 0, bounded = 0;
  for (unsigned seed = 0; seed < 250; ++seed) {
    const std::vector<Line> lines = Generator(seed).make();
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
        const auto one = run(lines, s2, s3, 0), other = run(lines, s2, s3, 1);
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
    for (const Line &line : Generator(seed).make()) {
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
