#include "WaveCode.h"

#include <map>
#include <random>

using namespace llvm;

namespace inflight::waits::test {

std::string Line::text() const {
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
  case Write: return "  ds_write_b32 v1, v0 offset:" + std::to_string(to);
  }
  return "";
}

namespace {

constexpr unsigned waveNumber = 6, firstFree = 8, registerCount = 32, counterLimit = 3;

class Generator {
public:
  Generator(unsigned seed, bool writes) : random(seed), writes(writes) {}

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
    for (unsigned i = 0; i < count; ++i) {
      if (writes && pick(2))
        add({Line::Write, 4 * unsigned(lines.size())});
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
  const bool writes;
  std::vector<Line> lines;
  unsigned labels = 0, nextCounter = 0;
};

} // namespace

std::vector<Line> makeWaveCode(unsigned seed, bool writes) { return Generator(seed, writes).make(); }

std::optional<std::vector<unsigned>> runWave(ArrayRef<Line> lines, unsigned s2, unsigned s3, unsigned wave) {
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
    case Line::Barrier:
    case Line::Write: visits.push_back(at); break;
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

} // namespace inflight::waits::test
