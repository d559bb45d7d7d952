#include "compiler/schedule/Schedule.h"

#include "compiler/regalloc/Accumulators.h"
#include "compiler/regalloc/Liveness.h"
#include "compiler/schedule/Groups.h"
#include "compiler/schedule/LivePieces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <deque>
#include <optional>
#include <utility>

using namespace llvm;

namespace inflight::lir {

namespace {

/// An order and what it is expected to cost.
struct Schedule {
  std::vector<unsigned> order; ///< of units
  unsigned cycles = 0, waits = 0;
  bool isPaced = false;
  Pressure peak;
};

/// Of what can go at once, what the longest path follows goes first, or the next one of the source: where all that is
/// ready takes more registers than there are, that leads to what frees some. Or the source's order stays as it is.
enum class Order : uint8_t { LongestFirst, NextOfSource, Source };

/// Schedules one stretch, cycle by cycle.
class ListScheduler {
public:
  ListScheduler(const Graph &graph, LivePieces live, const Pressure &limit, unsigned issueSlot, unsigned simds,
                Order order)
      : graph(graph), live(std::move(live)), limit(limit), issueSlot(issueSlot), simds(simds), order(order) {
    waitingFor.reserve(graph.units.size());
    for (const Unit &unit : graph.units)
      waitingFor.push_back(unit.predecessors);
    earliest.assign(graph.units.size(), 0);
    neededLoad.resize(graph.units.size());
    unsigned length = 0, matrixLeft = 0, slots = 0;
    for (const Unit &unit : graph.units) {
      length = std::max(length, unit.height);
      matrix += unit.timing.pipe == Pipe::Matrix ? unit.timing.issue : 0;
      matrixLeft += unit.timing.pipe == Pipe::Matrix;
      left[unsigned(unit.timing.pipe)] += 1;
      slots += unit.timing.pipe != Pipe::None ? issueSlot : 0;
    }
    length = std::max({length, matrix, slots});
    // Matrix instructions fill the time: what others read and fetch comes evenly between them.
    constexpr unsigned fewMatrix = 8;
    isPaced = matrixLeft >= fewMatrix && matrix * 2 >= length;
    // LDS is quick: a value fetched long before its use only takes registers.
    constexpr unsigned earlyLatencies = 4;
    notBefore.reserve(graph.units.size());
    for (const Unit &unit : graph.units) {
      unsigned margin = unit.height + earlyLatencies * unit.timing.latency;
      notBefore.push_back(length > margin ? length - margin : 0);
    }
    for (unsigned u = 0; u < graph.units.size(); ++u) {
      firstUse.push_back(graph.units.size());
      for (const Unit::Edge &edge : graph.units[u].successors)
        firstUse[u] = std::min(firstUse[u], edge.to);
      if (!waitingFor[u])
        addReady(u);
    }
  }

  /// None as soon as it takes more cycles, or more registers than `most`: neither gets less on the way.
  std::optional<Schedule> run(unsigned mostCycles, const Pressure *most) {
    Schedule result;
    result.order.reserve(graph.units.size());
    result.peak = live.current();
    while (!ready.empty()) {
      const unsigned best = findBest();
      const Choice bestChoice = choices[best];
      const unsigned u = bestChoice.unit;
      ready[best] = ready.back();
      ready.pop_back();
      issue(u, bestChoice.at);
      result.order.push_back(u);
      result.waits += bestChoice.waits && graph.units[u].timing.pipe != Pipe::None;
      result.peak.raiseTo(live.current());
      if (now > mostCycles || (most && !result.peak.isWithin(*most)))
        return std::nullopt;
    }
    result.cycles = now;
    result.isPaced = isPaced;
    return result;
  }

private:
  struct Choice {
    unsigned unit;
    unsigned at; ///< cycle
    unsigned height;
    int excess;             ///< registers beyond the limit after it
    bool isFree;            ///< takes no cycle and no further register
    bool waits;             ///< needs a wait that nothing issued so far needed
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
    const Pressure &change = live.change(u);
    if (isPaced && isPacedPipe(unit.timing.pipe))
      choice.at = std::max(choice.at, isStarving(unit.timing) ? ldsTaken : pipeFree[unsigned(unit.timing.pipe)]);
    else if (change.unified() > 0 && unit.timing.pipe == Pipe::Lds)
      choice.at = std::max(choice.at, notBefore[u]);
    auto over = [](int current, int delta, int most) {
      return delta > 0 ? std::max(0, current + delta - most) : std::min(0, delta) * (current >= most);
    };
    choice.excess = over(live.current().vector, change.vector, limit.vector) +
                    over(live.current().accumulator, change.accumulator, limit.accumulator) +
                    over(live.current().scalar, change.scalar, limit.scalar);
    choice.isFree = unit.timing.pipe == Pipe::None && choice.at <= now && change.isWithin({});
    return choice;
  }

  /// In `ready`.
  unsigned findBest() {
    choices.clear();
    firstArrival = ~0u;
    for (unsigned u : ready) {
      choices.push_back(judge(u));
      if (choices.back().waits && choices.back().counter == VmemLoads)
        firstArrival = std::min(firstArrival, choices.back().at);
    }
    unsigned best = 0;
    for (unsigned i = 1; i < choices.size(); ++i)
      if (better(choices[i], choices[best]))
        best = i;
    return best;
  }

  static bool isPacedPipe(Pipe pipe) { return pipe == Pipe::Lds || pipe == Pipe::Memory; }

  /// Cycles between two of a pipe's instructions: the last one issues with the last matrix instructions, but those of
  /// memory, which others wait for, no later than the compute unit takes them from all its SIMDs.
  unsigned pace(const Timing &timing) const {
    if (!isPaced || !isPacedPipe(timing.pipe))
      return 0;
    constexpr unsigned reserve = 8; // an eighth of the time
    const unsigned even = (matrix - matrix / reserve) / (left[unsigned(timing.pipe)] + 1);
    return timing.pipe == Pipe::Memory ? std::min(even, timing.issue * simds) : even;
  }

  /// Whether LDS reads are behind: hardly a matrix instruction has its operands, and fewer reads are in flight than
  /// the matrix instructions need that issue until one returns. Never where registers are short.
  bool isStarving(const Timing &timing) const {
    constexpr unsigned few = 2;
    constexpr int shortShare = 8;
    const unsigned matrices = left[unsigned(Pipe::Matrix)];
    if (timing.pipe != Pipe::Lds || readyMatrix > few || !matrices ||
        live.current().vector > limit.vector - limit.vector / shortShare)
      return false;
    const unsigned ahead = 1 + divideCeil(timing.latency * matrices, matrix);
    return issuedLoads[LdsLoads] - retiredLoads[LdsLoads] < divideCeil(ahead * left[unsigned(Pipe::Lds)], matrices);
  }

  bool isScalarLoad(unsigned u) const { return graph.units[u].timing.pipe == Pipe::ScalarMemory; }

  bool better(const Choice &a, const Choice &b) const {
    if (order == Order::Source)
      return a.unit < b.unit;
    if (a.isFree != b.isFree)
      return a.isFree;
    if (order == Order::NextOfSource && a.excess > 0 && b.excess > 0)
      return a.unit < b.unit;
    if (a.excess != b.excess && (a.excess > 0 || b.excess > 0 || a.at == b.at))
      return a.excess < b.excess;
    // One wait for the younger of two loads serves both, if it costs no more than a second wait. What memory brings to
    // many loads comes over a longer time than they issue in: there it is a second wait from the first of them on.
    if (a.waits && b.waits && a.counter == b.counter && a.load != b.load) {
      const unsigned later = std::max(a.at, b.at),
                     earlier = a.counter == VmemLoads ? firstArrival : std::min(a.at, b.at);
      if (later - earlier <= issueSlot)
        return a.load > b.load;
    }
    if (a.at != b.at)
      return a.at < b.at;
    if (a.waits != b.waits)
      return b.waits;
    // Scalar loads return out of order: the wait for one is the wait for all.
    const bool loadsA = isScalarLoad(a.unit), loadsB = isScalarLoad(b.unit);
    if (loadsA != loadsB)
      return loadsA;
    if (order == Order::NextOfSource)
      return a.unit < b.unit;
    if (a.height != b.height)
      return a.height > b.height;
    // What is needed together comes together.
    if (firstUse[a.unit] != firstUse[b.unit])
      return firstUse[a.unit] < firstUse[b.unit];
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
      --left[unsigned(unit.timing.pipe)];
      pipeFree[unsigned(unit.timing.pipe)] = at + std::max(unit.timing.issue, pace(unit.timing));
      if (unit.timing.pipe == Pipe::Lds)
        ldsTaken = at + unit.timing.issue;
      if (unit.timing.pipe == Pipe::Matrix) {
        matrix -= unit.timing.issue;
        --readyMatrix;
      }
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
        addReady(edge.to);
    }
  }

  void addReady(unsigned u) {
    ready.push_back(u);
    readyMatrix += graph.units[u].timing.pipe == Pipe::Matrix;
  }

  const Graph &graph;
  LivePieces live;
  const Pressure limit;
  const unsigned issueSlot, simds;
  const Order order;
  unsigned now = 0;
  unsigned pipeFree[8] = {};
  unsigned left[8] = {};    ///< units of a pipe that are to be issued
  unsigned ldsTaken = 0;    ///< until when the pipe is busy, whatever the pace
  unsigned readyMatrix = 0; ///< matrix instructions that wait for nothing that isn't issued
  unsigned matrix = 0;      ///< cycles of the matrix instructions that are to be issued
  bool isPaced = false;
  std::vector<unsigned> waitingFor, earliest, notBefore;
  std::vector<unsigned> firstUse; ///< by unit: the first in the original order that must come after it
  /// Loads return in order on each counter: numbers of the last one issued, of the last one waited
  /// for, and of the last one that each unit needs.
  enum Counter : unsigned { LdsLoads, VmemLoads, CounterCount };
  unsigned issuedLoads[CounterCount] = {}, retiredLoads[CounterCount] = {};
  std::vector<std::array<unsigned, CounterCount>> neededLoad;
  std::vector<unsigned> ready;
  std::vector<Choice> choices; ///< of what is ready
  unsigned firstArrival = 0;   ///< of what the ready units wait for from memory
};

Remark groupsNotFollowed(const Inst &group) {
  return Remark(Remark::Kind::Missed, "schedule", "GroupsNotFollowed", group.place)
      .text("the order of groups of instructions isn't followed: it takes more registers than there are");
}

class Scheduler {
public:
  Scheduler(Function &function, const LatencyTable &latencies, unsigned minWavesPerSimd, unsigned spareShare)
      : function(function),
        latencies(latencies),
        minWavesPerSimd(minWavesPerSimd),
        spareShare(spareShare),
        liveness(function) {
    const BitVector accumulators = findAccumulators(function);
    accumulatorPeak = peakPressure(function, liveness, accumulators);
    accumulatorsAreApart = accumulatorPeak && needAgprs();
    classOfPiece.resize(liveness.pieceCount());
    for (RegId reg = 0; reg < function.regs.size(); ++reg) {
      const bool isApart = accumulatorsAreApart && accumulators.test(reg);
      const RegClass regClass = function.regs[reg].file == RegFile::Sgpr ? RegClass::Scalar
                                : isApart                                ? RegClass::Accumulator
                                                                         : RegClass::Vector;
      for (unsigned i = 0; i < function.regs[reg].width; ++i)
        classOfPiece[liveness.piece(reg, i)] = regClass;
    }
  }

  /// The waves of a SIMD that orders leave room for.
  unsigned run() {
    for (unsigned b = 0; b < function.blocks.size(); ++b)
      findStretches(b);
    unsigned waves = chooseWaves();
    // Where no order leaves room for a wave more than two workgroups have, the source's own, in which each load may be
    // waited for before the next, costs more than that wave.
    const unsigned least = std::max({enoughGroups * wavesOfGroup(), minWavesPerSimd, 1u});
    for (const Stretch &stretch : stretches) {
      if (stretch.size < 3)
        continue;
      std::optional<Schedule> best;
      for (unsigned fewer = waves; !best && (fewer == waves || fewer >= least); --fewer) {
        limit = limitFor(fewer);
        best = searchWithGroups(stretch);
        if (best)
          waves = fewer;
      }
      if (best)
        reorder(stretch, best->order);
    }
    return waves;
  }

private:
  /// Instructions between scheduling barriers.
  struct Stretch {
    unsigned block, begin, size;
    Graph graph;
    LivePieces live; ///< at its start
    Pressure peak;   ///< in the original order
    Stretch(unsigned block, unsigned begin, unsigned size, Graph g, const BitVector &liveOut,
            ArrayRef<RegClass> classOfPiece)
        : block(block),
          begin(begin),
          size(size),
          graph(std::move(g)),
          live(graph, liveOut, classOfPiece),
          peak(live.current()) {
      LivePieces following = live;
      for (unsigned u = 0; u < graph.units.size(); ++u) {
        following.issue(u);
        peak.raiseTo(following.current());
      }
    }
  };

  void findStretches(unsigned b) {
    ArrayRef<Inst> insts = function.blocks[b].insts;
    BitVector live = liveness.liveOut(b);
    for (size_t end = insts.size(); end > 0;) {
      if (isSchedulingBarrier(insts[end - 1])) {
        stepOver(insts[--end], live);
        continue;
      }
      size_t begin = end;
      while (begin > 0 && !isSchedulingBarrier(insts[begin - 1]))
        --begin;
      Graph graph = buildGraph(*function.isa, latencies, insts.slice(begin, end - begin),
                               [&](RegId reg, unsigned i) { return liveness.piece(reg, i); });
      stretches.emplace_back(b, begin, end - begin, std::move(graph), live, classOfPiece);
      for (; end > begin; --end)
        stepOver(insts[end - 1], live);
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

  void reorder(const Stretch &stretch, ArrayRef<unsigned> order) {
    auto first = function.blocks[stretch.block].insts.begin() + stretch.begin;
    std::vector<Inst> ordered;
    ordered.reserve(stretch.size);
    for (unsigned u : order) {
      const Unit &unit = stretch.graph.units[u];
      std::move(first + unit.first, first + unit.first + unit.count, std::back_inserter(ordered));
    }
    std::move(ordered.begin(), ordered.end(), first);
  }

  ArrayRef<Inst> instsOf(const Stretch &stretch) const {
    return ArrayRef(function.blocks[stretch.block].insts).slice(stretch.begin, stretch.size);
  }

  /// Groups that the source asks for are followed whatever they cost in cycles, but not beyond the registers.
  std::optional<Schedule> searchWithGroups(const Stretch &stretch) {
    std::vector<GroupRequest> groups = findGroups(stretch.graph, instsOf(stretch));
    if (groups.empty())
      return search(stretch, stretch.graph);
    Graph ordered = stretch.graph;
    orderGroups(ordered, instsOf(stretch), groups);
    std::optional<Schedule> best = search(stretch, ordered);
    if (best)
      remarkOnGroups(stretch, groups);
    else
      function.remarks.add(groupsNotFollowed(instsOf(stretch)[stretch.graph.units[groups[0].unit].first]));
    return best ? best : search(stretch, stretch.graph);
  }

  void remarkOnGroups(const Stretch &stretch, ArrayRef<GroupRequest> groups) {
    for (const GroupRequest &group : groups)
      if (group.filled < group.size) {
        const Inst &inst = instsOf(stretch)[stretch.graph.units[group.unit].first];
        Remark remark(Remark::Kind::Missed, "schedule", "ShortGroup", inst.place);
        remark.text("group of instructions of mask ").value("Mask", formatv("{0:x}", group.mask).str());
        remark.text(" has ").number("Filled", group.filled).text(" of ").number("Size", group.size);
        function.remarks.add(remark.text(": the source has no more before it that aren't needed earlier"));
      }
  }

  /// The scheduler overshoots its limit where everything that is ready needs registers, so a lower one may keep within
  /// the real limit; and fewer registers at next to no cost are better still. Registers beyond the limit cost more than
  /// cycles and waits: they would be spilled, or leave no room for a wave. Where what is longest first doesn't keep
  /// within the limit at once, the source's order leads to what frees registers, and may wait less, too. That order as
  /// it is stays where it is cheaper, with what is spilled then: keeping within the limit may mean a wait for each
  /// load.
  std::optional<Schedule> search(const Stretch &stretch, const Graph &graph) const {
    const TargetInfo &target = function.isa->target();
    Pressure allowed = limit;
    allowed.raiseTo(stretch.peak);
    std::optional<Schedule> best;
    unsigned mostWaits = 0; // one more than in the first
    bool anyIsShort = false;
    auto list = [&](const Pressure &aim, Order order, unsigned mostCycles, bool mustFit) {
      return ListScheduler(graph, stretch.live, aim, latencies.issueSlot(), target.simdsPerCu, order)
          .run(mostCycles, mustFit ? &allowed : nullptr);
    };
    auto lower = [&](Pressure &aim, const Pressure &peak) {
      const int step = std::max(target.vgprGranule, unsigned(peak.vector) / 16);
      aim.vector =
          std::min(aim.vector, peak.vector) - (peak.vector > allowed.vector ? peak.vector - allowed.vector : step);
      if (peak.scalar > allowed.scalar)
        aim.scalar -= peak.scalar - allowed.scalar;
    };
    constexpr unsigned attempts = 8, attemptsOfSource = 4;
    Pressure aim = limit;
    for (unsigned attempt = 0; attempt < attempts; ++attempt) {
      const bool isShort = best && excess(best->peak), mustFit = best && !isShort;
      constexpr unsigned tolerance = 24; // a twenty-fourth
      std::optional<Schedule> made =
          list(aim, Order::LongestFirst, mustFit ? best->cycles + best->cycles / tolerance : ~0u, mustFit);
      if (!made || (mustFit && !made->isPaced && made->waits > mostWaits))
        break;
      Schedule &schedule = *made;
      const bool fits = schedule.peak.isWithin(allowed);
      const Pressure peak = schedule.peak;
      const bool isPaced = schedule.isPaced;
      const bool isBetter = fits && (!isShort || excess(peak) < excess(best->peak));
      anyIsShort |= excess(peak) > 0;
      if (isBetter && (!best || isShort))
        mostWaits = schedule.waits + 1;
      if (isBetter)
        best = std::move(schedule);
      // Tuples that come and go among each other leave gaps.
      const bool isLoose = peak.vector + slack(peak.vector) <= limit.vector;
      if (fits && ((isPaced && isLoose) || target.wavesForVgprs(peak.unified()) == target.maxWavesPerSimd))
        break;
      lower(aim, peak);
    }
    aim = limit;
    for (unsigned attempt = 0; anyIsShort && attempt < attemptsOfSource; ++attempt) {
      const bool isShort = !best || excess(best->peak);
      std::optional<Schedule> made = list(aim, Order::NextOfSource, isShort ? ~0u : best->cycles, !isShort);
      if (!made)
        break;
      const Pressure peak = made->peak;
      if (peak.isWithin(allowed) &&
          (!best || std::pair(excess(peak), made->cycles) < std::pair(excess(best->peak), best->cycles)))
        best = std::move(made);
      if (!excess(peak))
        break;
      lower(aim, peak);
    }
    // Groups ask for another order.
    if (&graph != &stretch.graph)
      return best;
    std::optional<Schedule> source = list(limit, Order::Source, ~0u, /*mustFit=*/true);
    if (source && (!best || costOf(*source) < costOf(*best)))
      best = std::move(source);
    return best;
  }

  /// Cycles, with those that registers beyond the limit take: each of them may be stored, and loaded before its use.
  uint64_t costOf(const Schedule &schedule) const {
    const unsigned reload = latencies.timing(*descOf(*function.isa, Mnemonic::scratch_load_dword)).latency;
    return schedule.cycles + uint64_t(excess(schedule.peak)) * reload;
  }

  /// Registers beyond the limit.
  int excess(const Pressure &peak) const {
    return std::max(0, peak.vector - limit.vector) + std::max(0, peak.accumulator - limit.accumulator) +
           std::max(0, peak.scalar - limit.scalar);
  }

  /// The waves that fit on a SIMD anyway, by the original order's registers, by LDS and by the workgroup's size.
  unsigned chooseWaves() const {
    Pressure peak;
    for (const Stretch &stretch : stretches)
      peak.raiseTo(stretch.peak);
    const TargetInfo &target = function.isa->target();
    // More waves than this hide no more latency than a good order does; but while one workgroup waits at a barrier,
    // ends or begins, only another one's waves use the compute unit.
    constexpr unsigned enoughWaves = 3;
    const unsigned enough = std::max(enoughWaves, enoughGroups * wavesOfGroup());
    unsigned waves = std::clamp(target.wavesForVgprs(peak.unified() + slack(peak.unified())), 1u, enough);
    if (function.ldsBytes) {
      unsigned groups = target.ldsBytes / alignTo(function.ldsBytes, target.ldsGranule);
      waves = std::min(waves, std::max(1u, unsigned(divideCeil(groups * groupWaves(), target.simdsPerCu))));
    }
    return std::max({waves, minWavesPerSimd, wavesOfGroup()});
  }

  /// What so many waves leave to each.
  Pressure limitFor(unsigned waves) const {
    const TargetInfo &target = function.isa->target();
    const unsigned accumulators = accumulatorsAreApart ? std::min(agprsFor(accumulatorPeak), target.maxAccVgprs) : 0;
    int vectors = std::min(target.vgprsForWaves(waves) - accumulators, target.maxArchVgprs);
    int scalars = target.maxSgprs;
    return {vectors - slack(vectors), int(accumulators), scalars - slack(scalars)};
  }

  static constexpr unsigned enoughGroups = 2;

  unsigned groupWaves() const {
    return divideCeil(std::max(function.maxWorkgroupSize, 1u), function.isa->target().lanesPerWave);
  }

  /// On a SIMD, of one workgroup: they run at the same time.
  unsigned wavesOfGroup() const { return divideCeil(groupWaves(), function.isa->target().simdsPerCu); }

  /// Whether register allocation will put accumulators into AGPRs: the architectural registers don't hold everything,
  /// and the waves that a SIMD has to hold leave more than those to each.
  bool needAgprs() const {
    const TargetInfo &target = function.isa->target();
    const unsigned waves = std::max(wavesOfGroup(), minWavesPerSimd);
    BitVector vectors(function.regs.size());
    for (RegId reg = 0; reg < function.regs.size(); ++reg)
      vectors[reg] = function.regs[reg].file != RegFile::Sgpr;
    const unsigned peak = peakPressure(function, liveness, vectors);
    return peak + slack(peak) > target.maxArchVgprs && target.vgprsForWaves(waves) > target.maxArchVgprs;
  }

  /// Registers that tuples' alignment and fragmentation cost on top of the live values.
  int slack(int registers) const { return registers / int(spareShare); }

  Function &function;
  const LatencyTable &latencies;
  const unsigned minWavesPerSimd, spareShare;
  Liveness liveness;
  std::vector<RegClass> classOfPiece; ///< by piece
  unsigned accumulatorPeak = 0;       ///< most that are live at once, in 32-bit registers
  bool accumulatorsAreApart = false;
  std::deque<Stretch> stretches; ///< a graph stays where it is, its live pieces refer to it
  Pressure limit;
};

} // namespace

Expected<unsigned> scheduleInstructions(Function &function, unsigned minWavesPerSimd, unsigned spareShare) {
  Expected<const LatencyTable *> latencies = LatencyTable::get(function.isa->target().chip);
  if (!latencies)
    return latencies.takeError();
  return Scheduler(function, **latencies, minWavesPerSimd, spareShare).run();
}

bool removeGroups(Function &function) {
  bool found = false;
  for (Block &block : function.blocks)
    erase_if(block.insts, [&](const Inst &inst) {
      if (!inst.is(Pseudo::SchedGroup))
        return false;
      if (!std::exchange(found, true))
        function.remarks.add(groupsNotFollowed(inst));
      return true;
    });
  return found;
}

} // namespace inflight::lir
