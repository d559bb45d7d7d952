#include "compiler/schedule/Schedule.h"

#include "compiler/regalloc/Liveness.h"
#include "compiler/schedule/Graph.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <numeric>
#include <optional>
#include <unordered_map>

using namespace llvm;

namespace inflight::lir {

namespace {

/// Vector registers (AGPRs included) and scalar ones.
struct Pressure {
  int vector = 0, scalar = 0;
  Pressure &operator+=(const Pressure &o) {
    vector += o.vector;
    scalar += o.scalar;
    return *this;
  }
  void raiseTo(const Pressure &o) {
    vector = std::max(vector, o.vector);
    scalar = std::max(scalar, o.scalar);
  }
};

/// Follows which pieces are live while the units of a stretch are issued in some order.
class LivePieces {
public:
  LivePieces(const Graph &graph, const BitVector &liveOut, ArrayRef<RegFile> fileOfPiece)
      : graph(graph), fileOfPiece(fileOfPiece) {
    for (const Unit &unit : graph.units) {
      for (const PieceAccess &access : unit.reads)
        ++state(access).reads;
      for (const PieceAccess &access : unit.writes) {
        (void)state(access);
        lastVersion[access.piece] = std::max(lastVersion[access.piece], access.version);
      }
    }
    for (auto &[key, value] : states) {
      auto [piece, version] = key;
      value.outlives = liveOut.test(piece) && version == lastVersion.lookup(piece);
      if (version == 0)
        ++liveInReads[piece];
    }
    // What is live through the stretch counts, too: read here and live in, or live out and not written.
    for (auto &[piece, reads] : liveInReads)
      now += cost(piece, 1);
    for (unsigned piece : liveOut.set_bits())
      if (!lastVersion.count(piece) && !liveInReads.count(piece))
        now += cost(piece, 1);
  }

  const Pressure &current() const { return now; }

  /// How the pressure changes when the unit is issued; `peak` is what it adds at its worst, before
  /// values die in it.
  Pressure change(unsigned u) const {
    Pressure result;
    const Unit &unit = graph.units[u];
    for (const PieceAccess &access : unit.writes) {
      const State &value = states.at(key(access));
      if (value.reads || value.outlives)
        result += cost(access.piece, 1);
    }
    // An operand may be read several times by one unit.
    SmallVector<std::pair<PieceAccess, unsigned>, 8> counted;
    for (const PieceAccess &access : unit.reads) {
      auto *it = find_if(counted, [&](const auto &entry) {
        return entry.first.piece == access.piece && entry.first.version == access.version;
      });
      if (it == counted.end())
        counted.push_back({access, 1});
      else
        ++it->second;
    }
    for (const auto &[access, times] : counted) {
      const State &value = states.at(key(access));
      if (value.reads == times && !value.outlives)
        result += cost(access.piece, -1);
    }
    return result;
  }

  void issue(unsigned u) {
    now += change(u);
    for (const PieceAccess &access : graph.units[u].reads)
      --state(access).reads;
  }

private:
  struct State {
    unsigned reads = 0; ///< still to come
    bool outlives = false;
  };
  using Key = std::pair<unsigned, unsigned>;
  static Key key(const PieceAccess &access) { return {access.piece, access.version}; }
  State &state(const PieceAccess &access) { return states[key(access)]; }
  Pressure cost(unsigned piece, int count) const {
    return fileOfPiece[piece] == RegFile::Sgpr ? Pressure{0, count} : Pressure{count, 0};
  }

  const Graph &graph;
  ArrayRef<RegFile> fileOfPiece;
  struct KeyHash {
    size_t operator()(const Key &k) const { return hash_combine(k.first, k.second); }
  };
  std::unordered_map<Key, State, KeyHash> states;
  DenseMap<unsigned, unsigned> lastVersion, liveInReads;
  Pressure now;
};

Pressure peakOf(const Graph &graph, LivePieces live, ArrayRef<unsigned> order) {
  Pressure peak = live.current();
  for (unsigned u : order) {
    live.issue(u);
    peak.raiseTo(live.current());
  }
  return peak;
}

/// One stretch, cycle by cycle.
class ListScheduler {
public:
  ListScheduler(const Graph &graph, LivePieces live, const Pressure &limit, unsigned issueSlot)
      : graph(graph), live(std::move(live)), limit(limit), issueSlot(issueSlot) {
    waitingFor.reserve(graph.units.size());
    for (const Unit &unit : graph.units)
      waitingFor.push_back(unit.predecessors);
    earliest.assign(graph.units.size(), 0);
    neededLoad.resize(graph.units.size());
    for (unsigned u = 0; u < graph.units.size(); ++u)
      if (!waitingFor[u])
        ready.push_back(u);
  }

  std::vector<unsigned> run() {
    std::vector<unsigned> order;
    order.reserve(graph.units.size());
    while (!ready.empty()) {
      auto best = ready.begin();
      Choice bestChoice = judge(*best);
      for (auto it = std::next(ready.begin()); it != ready.end(); ++it)
        if (Choice choice = judge(*it); better(choice, bestChoice)) {
          best = it;
          bestChoice = choice;
        }
      unsigned u = *best;
      *best = ready.back();
      ready.pop_back();
      issue(u, bestChoice.at);
      order.push_back(u);
    }
    return order;
  }

private:
  struct Choice {
    unsigned unit;
    unsigned at;       ///< cycle
    unsigned height;
    int excess;        ///< registers beyond the limit after it
    bool isFree;       ///< takes no cycle and no further register
    bool waits;        ///< needs a wait that nothing issued so far needed
    unsigned load, counter; ///< the youngest load it waits for
  };

  Choice judge(unsigned u) const {
    const Unit &unit = graph.units[u];
    Choice choice{u, std::max(now, earliest[u]), unit.height, 0, false, false, 0, 0};
    for (unsigned c = 0; c < CounterCount; ++c)
      if (neededLoad[u][c] > retiredLoads[c]) {
        choice.waits = true;
        choice.load = neededLoad[u][c];
        choice.counter = c;
      }
    if (unit.timing.pipe == Pipe::Matrix)
      choice.at = std::max(choice.at, pipeFree[unsigned(Pipe::Matrix)]);
    Pressure change = live.change(u);
    auto over = [](int current, int delta, int most) { return delta > 0 ? std::max(0, current + delta - most) : std::min(0, delta) * (current >= most); };
    choice.excess = over(live.current().vector, change.vector, limit.vector) + over(live.current().scalar, change.scalar, limit.scalar);
    choice.isFree = unit.timing.pipe == Pipe::None && choice.at <= now && change.vector <= 0 && change.scalar <= 0;
    return choice;
  }

  bool better(const Choice &a, const Choice &b) const {
    if (a.isFree != b.isFree)
      return a.isFree;
    if (a.excess != b.excess && (a.excess > 0 || b.excess > 0 || a.at == b.at))
      return a.excess < b.excess;
    // One wait for the younger of two loads serves both, if it costs no more than a second wait.
    if (a.waits && b.waits && a.counter == b.counter && a.load != b.load &&
        std::max(a.at, b.at) - std::min(a.at, b.at) <= issueSlot)
      return a.load > b.load;
    if (a.at != b.at)
      return a.at < b.at;
    if (a.waits != b.waits)
      return b.waits;
    if (a.height != b.height)
      return a.height > b.height;
    return a.unit < b.unit;
  }

  void issue(unsigned u, unsigned at) {
    const Unit &unit = graph.units[u];
    live.issue(u);
    if (unit.timing.pipe != Pipe::None)
      for (unsigned c = 0; c < CounterCount; ++c)
        retiredLoads[c] = std::max(retiredLoads[c], neededLoad[u][c]);
    std::optional<unsigned> counter = unit.timing.pipe == Pipe::Lds      ? std::optional<unsigned>(LdsLoads)
                                      : unit.timing.pipe == Pipe::Memory ? std::optional<unsigned>(VmemLoads)
                                                                         : std::nullopt;
    if (counter)
      ++issuedLoads[*counter];
    if (unit.timing.pipe != Pipe::None) {
      pipeFree[unsigned(unit.timing.pipe)] = at + unit.timing.issue;
      now = at + issueSlot;
    }
    for (const Unit::Edge &edge : unit.successors) {
      earliest[edge.to] = std::max(earliest[edge.to], at + edge.latency);
      if (counter && edge.latency >= unit.timing.latency)
        neededLoad[edge.to][*counter] = issuedLoads[*counter];
      else if (unit.timing.pipe == Pipe::None)
        // A copy hands on what it waits for.
        for (unsigned c = 0; c < CounterCount; ++c)
          neededLoad[edge.to][c] = std::max(neededLoad[edge.to][c], neededLoad[u][c]);
      if (!--waitingFor[edge.to])
        ready.push_back(edge.to);
    }
  }

  const Graph &graph;
  LivePieces live;
  const Pressure limit;
  const unsigned issueSlot;
  unsigned now = 0;
  unsigned pipeFree[8] = {};
  std::vector<unsigned> waitingFor, earliest;
  /// Loads return in order on each counter: numbers of the last one issued, of the last one waited
  /// for, and of the last one that each unit needs.
  enum Counter : unsigned { LdsLoads, VmemLoads, CounterCount };
  unsigned issuedLoads[CounterCount] = {}, retiredLoads[CounterCount] = {};
  std::vector<std::array<unsigned, CounterCount>> neededLoad;
  std::vector<unsigned> ready;
};

class Scheduler {
public:
  Scheduler(Function &function, const LatencyTable &latencies)
      : function(function), latencies(latencies), liveness(function) {
    fileOfPiece.resize(liveness.pieceCount());
    for (RegId reg = 0; reg < function.regs.size(); ++reg)
      for (unsigned i = 0; i < function.regs[reg].width; ++i)
        fileOfPiece[liveness.piece(reg, i)] = function.regs[reg].file;
  }

  void run() {
    limit = chooseLimit();
    for (unsigned b = 0; b < function.blocks.size(); ++b)
      forEachStretch(b, [&](ArrayRef<Inst> insts, const BitVector &liveOut) { return schedule(insts, liveOut); });
  }

private:
  using StretchFn = function_ref<std::vector<Inst>(ArrayRef<Inst>, const BitVector &)>;

  Graph graphOf(ArrayRef<Inst> insts) const {
    return buildGraph(*function.isa, latencies, insts, [&](RegId reg, unsigned i) { return liveness.piece(reg, i); });
  }

  /// Calls `f` for each stretch of the block, the last first, and puts its result in place.
  void forEachStretch(unsigned b, StretchFn f) {
    std::vector<Inst> &insts = function.blocks[b].insts;
    BitVector live = liveness.liveOut(b);
    for (size_t end = insts.size(); end > 0;) {
      if (isSchedulingBarrier(insts[end - 1])) {
        stepOver(insts[--end], live);
        continue;
      }
      size_t begin = end;
      while (begin > 0 && !isSchedulingBarrier(insts[begin - 1]))
        --begin;
      std::vector<Inst> ordered = f(ArrayRef(insts).slice(begin, end - begin), live);
      std::move(ordered.begin(), ordered.end(), insts.begin() + begin);
      for (size_t i = end; i-- > begin;)
        stepOver(insts[i], live);
      end = begin;
    }
  }

  void stepOver(const Inst &inst, BitVector &live) const {
    auto each = [&](Reg reg, bool set) {
      for (unsigned i = 0; i < reg.count; ++i)
        live[liveness.piece(reg.id, reg.sub + i)] = set;
    };
    forEachReg(inst, [&](Reg reg, bool isDef) {
      if (isDef && !inst.keepsInactiveLanes)
        each(reg, false);
    });
    forEachReg(inst, [&](Reg reg, bool isDef) {
      if (!isDef || inst.keepsInactiveLanes)
        each(reg, true);
    });
  }

  static std::vector<unsigned> originalOrder(const Graph &graph) {
    std::vector<unsigned> order(graph.units.size());
    std::iota(order.begin(), order.end(), 0u);
    return order;
  }

  std::vector<Inst> schedule(ArrayRef<Inst> insts, const BitVector &liveOut) {
    std::vector<Inst> original(insts.begin(), insts.end());
    if (insts.size() < 3)
      return original;
    Graph graph = graphOf(insts);
    LivePieces live(graph, liveOut, fileOfPiece);
    std::vector<unsigned> order = ListScheduler(graph, live, limit, latencies.issueSlot()).run();
    Pressure before = peakOf(graph, live, originalOrder(graph)), after = peakOf(graph, live, order);
    if ((after.vector > limit.vector && after.vector > before.vector) ||
        (after.scalar > limit.scalar && after.scalar > before.scalar))
      return original;
    std::vector<Inst> ordered;
    ordered.reserve(insts.size());
    for (unsigned u : order)
      for (unsigned i = 0; i < graph.units[u].count; ++i)
        ordered.push_back(original[graph.units[u].first + i]);
    return ordered;
  }

  /// What the waves that fit on a SIMD anyway, by the original order's registers, by LDS and by the
  /// workgroup's size, leave to each.
  Pressure chooseLimit() {
    Pressure peak;
    for (unsigned b = 0; b < function.blocks.size(); ++b)
      forEachStretch(b, [&](ArrayRef<Inst> insts, const BitVector &liveOut) {
        Graph graph = graphOf(insts);
        peak.raiseTo(peakOf(graph, LivePieces(graph, liveOut, fileOfPiece), originalOrder(graph)));
        return std::vector<Inst>(insts.begin(), insts.end());
      });
    const TargetInfo &target = function.isa->target();
    // More waves than this hide no more latency than a good order does.
    constexpr unsigned enoughWaves = 4;
    unsigned waves = std::clamp(target.wavesForVgprs(peak.vector + slack(peak.vector)), 1u, enoughWaves);
    unsigned groupWaves = divideCeil(std::max(function.maxWorkgroupSize, 1u), target.lanesPerWave);
    if (function.ldsBytes) {
      unsigned groups = target.ldsBytes / alignTo(function.ldsBytes, target.ldsGranule);
      waves = std::min(waves, std::max(1u, unsigned(divideCeil(groups * groupWaves, target.simdsPerCu))));
    }
    int vectors = std::min(target.vgprsForWaves(waves), target.maxArchVgprs);
    int scalars = target.maxSgprs;
    return {vectors - slack(vectors), scalars - slack(scalars)};
  }

  /// Registers that tuples' alignment and fragmentation cost on top of the live values.
  static int slack(int registers) {
    constexpr int share = 16;
    return registers / share;
  }

  Function &function;
  const LatencyTable &latencies;
  Liveness liveness;
  std::vector<RegFile> fileOfPiece; ///< by piece
  Pressure limit;
};

} // namespace

Error scheduleInstructions(Function &function) {
  Expected<const LatencyTable *> latencies = LatencyTable::get(*function.isa);
  if (!latencies)
    return latencies.takeError();
  Scheduler(function, **latencies).run();
  return Error::success();
}

} // namespace inflight::lir
