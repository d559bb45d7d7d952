// Random branches on a few registers: what is in flight at a use is found out by running the code from each state that
// these may begin in.
#include "Assembly.h"

#include "waits/graph/BuildGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

using namespace inflight;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

/// Registers s8 to s10, each from 0 to 3 at the beginning, and v4 to v7, which are loaded and used.
struct Line {
  enum Kind { Compare, Branch, Load, Use, Wait, Set, Add, Select } kind;
  unsigned a = 0, b = 0, to = 0; ///< registers or numbers; the line that is gone to
  unsigned how = 0;              ///< of a comparison: equal, less, greater; of a branch: SCC
  bool isRegister = false;       ///< b
};

class RandomCode {
public:
  /// `loops`: one branch in so many leads back; 0: none.
  RandomCode(std::mt19937 &random, bool writesRegisters, unsigned loops) : random(random) {
    const unsigned count = 8 + below(30);
    for (unsigned i = 0; i < count; ++i) {
      Line line{Line::Compare, below(3), below(4), 0, below(3)};
      switch (below(12)) {
      case 0: line = {Line::Load, below(4)}; break;
      case 1:
      case 2: line = {Line::Use, below(4)}; break;
      case 3: line = {Line::Wait, below(3)}; break;
      case 4:
        if (writesRegisters)
          line = {below(2) ? Line::Set : Line::Add, below(3), below(4)};
        break;
      case 5:
        if (writesRegisters)
          line = {Line::Select, below(3), below(3), 0, below(4)};
        break;
      case 6: line.isRegister = line.b < 3 && writesRegisters; break;
      default: break;
      }
      lines.push_back(line);
      if (line.kind == Line::Compare)
        lines.push_back({Line::Branch, 0, 0, 0, below(2)});
    }
    for (unsigned i = 0; i < lines.size(); ++i)
      if (lines[i].kind == Line::Branch) {
        if (loops && !below(loops))
          lines[i].to = i - below(std::min<unsigned>(i, 12));
        else
          lines[i].to = i + 1 + below(std::min<unsigned>(lines.size() - i, 12));
        // What SCC is isn't followed from block to block.
        lines[i].to += lines[i].to < lines.size() && lines[lines[i].to].kind == Line::Branch;
      }
  }

  std::string text() const {
    std::string text;
    for (unsigned s = 8; s < 11; ++s)
      text += "  s_and_b32 s" + std::to_string(s) + ", s" + std::to_string(s) + ", 3\n";
    auto s = [](unsigned i) { return "s" + std::to_string(8 + i); };
    for (unsigned i = 0; i <= lines.size(); ++i) {
      if (llvm::any_of(lines, [&](const Line &line) { return line.kind == Line::Branch && line.to == i; }))
        text += ".L" + std::to_string(i) + ":\n";
      if (i == lines.size())
        break;
      const Line &line = lines[i];
      const std::string a = s(line.a), b = line.isRegister ? s(line.b) : std::to_string(line.b);
      switch (line.kind) {
      case Line::Compare: {
        constexpr const char *names[] = {"s_cmp_eq_u32 ", "s_cmp_lt_u32 ", "s_cmp_gt_i32 "};
        text += "  " + std::string(names[line.how]) + a + ", " + b + "\n";
        break;
      }
      case Line::Branch:
        text += "  s_cbranch_scc" + std::to_string(line.how) + " .L" + std::to_string(line.to) + "\n";
        break;
      case Line::Load: text += "  global_load_dword v" + std::to_string(4 + line.a) + ", v[0:1], off\n"; break;
      case Line::Use: text += "  v_mov_b32_e32 v8, v" + std::to_string(4 + line.a) + "\n"; break;
      case Line::Wait: text += "  s_waitcnt vmcnt(" + std::to_string(line.a) + ")\n"; break;
      case Line::Set: text += "  s_mov_b32 " + a + ", " + b + "\n"; break;
      case Line::Add: text += "  s_add_u32 " + a + ", " + a + ", " + b + "\n"; break;
      case Line::Select:
        text += "  s_cmp_eq_u32 " + s(line.b) + ", " + std::to_string(line.how) + "\n  s_cselect_b32 " + a + ", " + a +
                ", " + s(line.b) + "\n";
        break;
      }
    }
    return text + "  s_endpgm\n";
  }

  /// Instructions that some run comes to, and uses of what is in flight then.
  struct Runs {
    std::set<unsigned> reached, inFlight;
    bool areWhole = true; ///< all of them ended
  };
  Runs runAll() const {
    Runs runs;
    for (unsigned start = 0; start < 64; ++start)
      run({start & 3, start >> 2 & 3, start >> 4}, runs);
    return runs;
  }

private:
  static constexpr unsigned mostSteps = 4000;
  unsigned below(unsigned limit) { return random() % limit; }

  void run(std::array<uint32_t, 3> s, Runs &runs) const {
    std::vector<unsigned> inFlight; ///< registers, the oldest first
    bool scc = false;
    unsigned steps = 0;
    for (unsigned i = 0; i < lines.size(); ++i) {
      if (++steps > mostSteps) {
        runs.areWhole = false;
        return;
      }
      const Line &line = lines[i];
      runs.reached.insert(instructionOf(i));
      const uint32_t b = line.isRegister ? s[line.b] : line.b;
      switch (line.kind) {
      case Line::Compare:
        scc = line.how == 0 ? s[line.a] == b : line.how == 1 ? s[line.a] < b : int32_t(s[line.a]) > int32_t(b);
        break;
      case Line::Branch:
        if (scc == bool(line.how))
          i = line.to - 1;
        break;
      case Line::Load:
        inFlight.push_back(line.a);
        if (inFlight.size() > 63) // the counter is full
          inFlight.erase(inFlight.begin());
        break;
      case Line::Use:
        if (llvm::is_contained(inFlight, line.a))
          runs.inFlight.insert(instructionOf(i));
        break;
      case Line::Wait:
        if (inFlight.size() > line.a)
          inFlight.erase(inFlight.begin(), inFlight.end() - line.a);
        break;
      case Line::Set: s[line.a] = line.b; break;
      case Line::Add: {
        const uint64_t sum = uint64_t(s[line.a]) + line.b;
        s[line.a] = uint32_t(sum);
        scc = sum >> 32;
        break;
      }
      case Line::Select:
        scc = s[line.b] == line.how;
        s[line.a] = scc ? s[line.a] : s[line.b];
        break;
      }
    }
  }

  unsigned instructionOf(unsigned line) const {
    return 3 + line +
           llvm::count_if(llvm::ArrayRef(lines).take_front(line), [](const Line &l) { return l.kind == Line::Select; });
  }

  std::mt19937 &random;
  std::vector<Line> lines;
};

struct Counts {
  unsigned uses = 0, undecided = 0, notSo = 0;
};

/// Holds what is found against the runs: nothing that is in flight isn't found. Counts what is found and isn't so; what
/// no run comes to gets its waits all the same.
Counts hold(unsigned programs, bool writesRegisters, unsigned loops) {
  Counts counts;
  unsigned seed = loops ? 3 : writesRegisters ? 2 : 1;
  if (const char *more = std::getenv("INFLIGHT_RANDOM_PATHS")) // a seed, and how many programs
    std::sscanf(more, "%u,%u", &seed, &programs);
  std::mt19937 random(seed);
  for (unsigned i = 0; i < programs; ++i) {
    const RandomCode code(random, writesRegisters, loops);
    const std::string text = code.text();
    std::unique_ptr<Program> program = read(kernel(text));
    if (!program)
      return counts;
    const RandomCode::Runs runs = code.runAll();
    std::set<unsigned> found;
    const Verified verified = verify(*program);
    for (const Finding &finding : verified.findings) {
      found.insert(finding.instruction);
      const bool isReached = finding.producer && runs.reached.count(finding.instruction) &&
                             runs.reached.count(verified.graph->ops[finding.producer->op].instruction);
      counts.undecided += !finding.isCertain;
      counts.notSo += finding.isCertain && isReached && runs.areWhole && !runs.inFlight.count(finding.instruction);
    }
    for (unsigned use : runs.inFlight)
      EXPECT_TRUE(found.count(use)) << "instruction " << use << " of\n" << text;
    counts.uses += runs.inFlight.size();
  }
  return counts;
}

TEST(RandomPaths, OverConditionsOnOneRegisterEach) {
  const Counts counts = hold(1500, false, 0);
  EXPECT_GT(counts.uses, 700u);
  EXPECT_EQ(counts.undecided, 0u);
  EXPECT_EQ(counts.notSo, 0u);
}

TEST(RandomPaths, OverRegistersThatChange) {
  const Counts counts = hold(1500, true, 0);
  EXPECT_GT(counts.uses, 700u);
  EXPECT_EQ(counts.undecided, 0u);
  EXPECT_EQ(counts.notSo, 0u);
}

TEST(RandomPaths, AroundLoops) {
  const Counts counts = hold(1500, true, 6);
  EXPECT_GT(counts.uses, 700u);
  // What a register was more turns before isn't followed.
  EXPECT_LT(counts.undecided * 50, counts.uses);
  EXPECT_EQ(counts.notSo, 0u);
}

TEST(RandomPaths, AroundLoopsThatChangeNothing) {
  const Counts counts = hold(1000, false, 6);
  EXPECT_GT(counts.uses, 500u);
  EXPECT_EQ(counts.undecided, 0u);
  EXPECT_EQ(counts.notSo, 0u);
}

} // namespace
