#include "waits/Verify.h"

#include "isa/timing/Latency.h"
#include "waits/FindingFacts.h"
#include "waits/LastTurn.h"
#include "waits/LeastCycles.h"
#include "waits/Unfollowed.h"
#include "waits/graph/BuildGraph.h"
#include "waits/graph/DepModes.h"
#include "waits/graph/Lanes.h"
#include "waits/graph/LeftOut.h"
#include "waits/graph/OrderState.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace inflight::waits {

std::optional<uint32_t> partnerOf(const Graph &graph, const Finding &finding) {
  if (!finding.isCertain || finding.need.cause != Cause::Late || !finding.producer || !graph.partners() ||
      !is_contained(graph.partners()->accessesAfter(finding.need.op), finding.conflict))
    return std::nullopt;
  const uint32_t issued = finding.producer->op;
  if (graph.partners()->overlap(graph, issued, graph.ops[issued].region, finding.need.op, finding.conflict) !=
      Overlap::Yes)
    return std::nullopt;
  return graph.partners()->onlyOne(graph, finding.need.op);
}

bool goesAnywhere(const Program &program, const Graph &graph, const Need &need) {
  return need.cause == Cause::Fence &&
         program.blocks()[graph.blocks[need.block].origin].ending == BlockEnd::UnknownJump;
}

bool isOverwrittenLater(const Graph &graph, const Finding &finding) {
  const Op &user = graph.ops[finding.need.op];
  const RegRange registers = finding.producer->registers;
  return !isVectorAlu(user.registers) &&
         none_of(user.reads(graph.ranges), [&](RegRange range) { return range.overlaps(registers); });
}

namespace {
/// The times of a graph's operations, each opcode's looked up once.
class OpTimes {
public:
  OpTimes(const Program &program, const Graph &graph) : program(program), graph(graph) {
    Expected<const LatencyTable *> found = LatencyTable::get(program.isa().target().chip);
    if (found)
      table = *found;
    else
      consumeError(found.takeError());
  }
  bool areKnown() const { return table; }
  Timing timing(uint32_t op) const { return table->timing(*descOf(op)); }
  unsigned issue(uint32_t op) {
    const InstrDesc *desc = descOf(op);
    if (!desc)
      return 0;
    auto [known, isNew] = issueOf.try_emplace(desc);
    if (isNew)
      known->second = std::max(table->timing(*desc).issue, table->issueSlot());
    return known->second;
  }

private:
  const InstrDesc *descOf(uint32_t op) const { return program.instructions()[graph.ops[op].instruction].desc; }

  const Program &program;
  const Graph &graph;
  const LatencyTable *table = nullptr;
  DenseMap<const InstrDesc *, unsigned> issueOf;
};
} // namespace

/// How long the instructions between producer and user take to issue on the path that was found; for the user after a
/// barrier, on the shortest from there.
static void measure(const Graph &graph, OpTimes &times, Finding &finding) {
  if (!times.areKnown())
    return;
  const Producer &producer = *finding.producer;
  auto cyclesOf = [&](uint32_t op) { return times.issue(op); };
  for (size_t i = 0; i < producer.path.size(); ++i) {
    const GraphBlock &block = graph.blocks[producer.path[i]];
    const uint32_t begin = i == 0 ? producer.op + 1 : block.begin,
                   end = i + 1 == producer.path.size() ? finding.need.op : block.end;
    for (uint32_t op = begin; op < end; ++op)
      finding.covered += cyclesOf(op);
  }
  if (finding.need.cause == Cause::Late) {
    const uint32_t barrier = partnerOf(graph, finding).value_or(finding.need.op);
    finding.covered += leastCycles(graph, barrier == finding.need.op ? finding.need.block : graph.blockOf(barrier),
                                   barrier, finding.conflict, cyclesOf);
  }
  // LDS DMA itself comes to LDS a memory latency after its issue; its registers are read at once.
  const uint32_t user = finding.need.cause == Cause::Late ? finding.conflict : finding.need.op;
  if (isLdsDma(graph.ops[user].kind) && !producer.registers.count)
    finding.covered += times.timing(user).latency;
  const Timing timing = times.timing(producer.op);
  finding.latency = std::max(timing.latency, timing.scalarLatency);
}

/// How many operations of all queues of the counter stand between.
static unsigned issuedSince(const Graph &graph, const Finding &finding) {
  unsigned issued = 0;
  anyBetween(graph, finding, [&](const Op &op) {
    issued += isCountedInField(graph, op, finding.counter);
    return false;
  });
  return issued;
}

/// Whether so many stand between that each queue may have had its most.
static bool areAllQueuesFull(const Graph &graph, const Finding &finding) {
  const unsigned queues =
      count_if(graph.counters->all(), [&](Counter counter) { return isOfOneField(graph, counter, finding.counter); });
  return issuedSince(graph, finding) >= queues * (*graph.counters)[finding.counter].mostInFlight;
}

/// Of registers that the hardware doesn't look at: `covered` and `latency` are operations, not cycles. An instruction
/// may wait before it reads its sources: of the matrix core until another one is behind it there, of others until any
/// is, as far as is known.
static void measureInOperations(const Graph &graph, Finding &finding) {
  const CounterInfo &info = (*graph.counters)[finding.counter];
  const unsigned age = finding.producer->age;
  const bool mayNotHaveBegun = age == 0 && (info.counts(Kind::ValuMatrix) || issuedSince(graph, finding) == 0);
  if (age < info.mostInFlight && (mayNotHaveBegun || !isOverwrittenLater(graph, finding)) &&
      !areAllQueuesFull(graph, finding))
    return;
  finding.isHidden = true;
  finding.latency = info.mostInFlight;
  finding.covered = std::max(age, info.mostInFlight);
}

bool Finding::countsOnLatency() const {
  return need.cause != Cause::WriteBack && need.cause != Cause::Fence && need.cause != Cause::Publication && latency &&
         covered >= latency;
}

bool Finding::isOfUnreadResult(const Graph &graph) const {
  return need.cause == Cause::Register && producer &&
         none_of(graph.ops[need.op].reads(graph.ranges),
                 [&](RegRange range) { return range.overlaps(producer->registers); });
}

/// What waves at one barrier have in flight, and those at its partner do: all must come by one of both, and can by the
/// other.
static bool mayMissEachOther(const Graph &graph, PathSearch &paths, const Finding &finding, uint32_t partner) {
  const uint32_t issued = finding.producer->op;
  if (!graph.partners()->isAlwaysBefore(graph, finding.need.op, issued) &&
      isLeftOutBySomeOfThese(graph, finding.need.block, finding.need.op, issued))
    return true;
  return !graph.partners()->isAlwaysAfter(graph, partner, finding.conflict) &&
         !paths.isReachedAfter(partner, finding.conflict, true);
}

/// The accesses may both belong to waves that no others meet: certain is what all waves do.
static bool mayBeOfOneWave(const Graph &graph, PathSearch &paths, const Finding &finding) {
  if (const std::optional<uint32_t> partner = partnerOf(graph, finding))
    return mayMissEachOther(graph, paths, finding, *partner);
  return isLeftOutBySome(graph, finding.need.block, finding.need.op, finding.producer->op, true) &&
         isLeftOutBySome(graph, finding.need.block, finding.need.op, finding.conflict, false);
}

/// Of what is in flight at a barrier for certain: whether waves that go the same way come past the producer, the
/// barrier and the access. A loop that waves leave after its third iteration has a producer in flight at its first
/// barrier perhaps, and the access behind its last.
static bool isOnOnePath(const Graph &graph, PathSearch &paths, const Finding &finding) {
  return !finding.isCertain || finding.need.cause != Cause::Late || !finding.producer || partnerOf(graph, finding) ||
         paths.isOnePath({finding.need, finding.counter, finding.conflict, true});
}

/// One access after the barrier stands for all, and control can't come to it from a producer: whether it can to
/// another. False when it can to none.
static bool findMeeting(const Graph &graph, PathSearch &paths, Finding &finding) {
  PathSearch::Meetings meetings = paths.findMeetings(finding.need, finding.counter);
  if (meetings.areRuledOut())
    return false;
  for (PathSearch::Meetings::One &one : meetings.certain) {
    Finding other = finding;
    other.conflict = one.conflict;
    other.producer = std::move(one.producer);
    if (!finding.isCertain || !isOnOnePath(graph, paths, other))
      continue;
    const bool isInOrder = graph.isInOrder(graph.ops[other.producer->op], finding.counter);
    other.required = isInOrder ? (*graph.counters)[finding.counter].countFor(other.producer->age).value() : 0;
    other.mayBeNoPath = false;
    finding = std::move(other);
    return true;
  }
  if (!meetings.perhaps)
    return true;
  finding.conflict = meetings.perhaps->conflict;
  finding.producer = std::move(meetings.perhaps->producer);
  finding.isCertain = finding.mayBeNoPath = false;
  return true;
}

static bool areSame(const MCInst &a, const MCInst &b) {
  return a.getOpcode() == b.getOpcode() && equal(a, b, [](const MCOperand &x, const MCOperand &y) {
           return (x.isReg() && y.isReg() && x.getReg() == y.getReg()) ||
                  (x.isImm() && y.isImm() && x.getImm() == y.getImm());
         });
}

/// A load of a kernel's argument, which nobody writes, again to the same registers: whichever comes last, it brings the
/// same.
static bool isLoadedAgain(const Program &program, const Graph &graph, uint32_t producer, uint32_t user) {
  constexpr RegRange arguments{0, 2};
  auto isOfArgument = [&](const Op &op) {
    const InstrDesc *desc = program.instructions()[op.instruction].desc;
    const ArrayRef<RegRange> reads = op.reads(graph.ranges);
    return op.kind == Kind::Smem && desc->mayLoad && !desc->mayStore &&
           desc->access.space == MemoryAccess::Space::Memory && !(op.does & access::Scalar) && reads.size() == 1 &&
           reads[0] == arguments;
  };
  const Op &first = graph.ops[producer], &second = graph.ops[user];
  return isOfArgument(first) && isOfArgument(second) &&
         areSame(program.inst(first.instruction), program.inst(second.instruction));
}

/// False when on no path that control can take there is one.
static bool findProducer(const Program &program, const Graph &graph, PathSearch &paths, Finding &finding) {
  if (const Need::Conflicts *conflicts = finding.need.conflicts.get())
    finding.conflict = (finding.isCertain ? conflicts->certain : conflicts->counts)[finding.counter];
  auto isNoalias = [&](uint32_t op, ArrayRef<uint32_t> path) {
    return areLanesDisjoint(program, graph, op, finding.need.op, path);
  };
  auto bringsTheSame = [&](uint32_t op) { return isLoadedAgain(program, graph, op, finding.need.op); };
  // What stores to memory is in flight whoever goes on.
  const bool resultsOnly = goesAnywhere(program, graph, finding.need);
  Found found = paths.findProducer(
      {finding.need, finding.counter, finding.conflict, finding.isCertain, resultsOnly, isNoalias, bringsTheSame});
  if (resultsOnly && !found.producer && !found.isOpen && !found.isFromOutside && !found.isFromAnywhere)
    found.isImpossible = true;
  finding.producer = std::move(found.producer);
  finding.mayBeNoPath = found.isOpen || found.isImpossible || !isOnOnePath(graph, paths, finding);
  if (finding.mayBeNoPath && finding.need.cause == Cause::Late && !findMeeting(graph, paths, finding))
    return false;
  finding.hasTooManyPaths = found.isTooMuch;
  finding.mayBeFromAnywhere = found.isFromAnywhere && !found.isFromOutside && !finding.producer;
  return !found.isImpossible;
}

/// Whether there is more to know about LDS bytes in flight at barriers.
static bool restsOnBarriers(const Graph &graph, ArrayRef<Need> needs) {
  return any_of(needs, [&](const Need &need) {
    return need.cause == Cause::Late &&
           any_of(graph.counters->all(), [&](Counter c) { return need.certain[c] > need.counts[c]; });
  });
}

Verified verify(const Program &program) { return verify(program, std::make_shared<Graph>(describe(program))); }

/// Instruction, the first counter that the same wait is for, and whether it isn't certain.
using FindingKey = std::tuple<uint32_t, Counter, About, bool>;

/// What needs may be findings of, by instruction: of one in several phases the strictest first. Control may not come to
/// each phase.
static std::map<FindingKey, SmallVector<Finding, 1>> candidatesOf(const Graph &graph, ArrayRef<Need> needs) {
  std::map<FindingKey, SmallVector<Finding, 1>> found;
  auto add = [&](const Need &need, Counter counter, bool isCertain) {
    Finding finding;
    finding.need = need;
    // Whatever else the instruction has to wait for.
    if ((*graph.counters)[counter].isOfAlu) {
      // In which mode control goes on isn't known.
      const bool isFence = graph.ops[need.op].fencesAll || graph.ops[need.op].fencesResults;
      finding.need.cause = isFence ? Cause::Fence : Cause::Register;
      isCertain &= !isFence;
    }
    finding.counter = counter;
    finding.isCertain = isCertain;
    finding.required = (isCertain ? need.certain : need.counts)[counter].value();
    finding.instruction = graph.ops[need.op].instruction;
    found[{finding.instruction, graph.counters->firstOf(counter), need.about, !isCertain}].push_back(
        std::move(finding));
  };
  for (const Need &need : needs)
    for (Counter counter : graph.counters->all()) {
      if (!need.certain[counter].isNone())
        add(need, counter, true);
      if (need.counts[counter] < need.certain[counter])
        add(need, counter, false);
    }
  for (auto &[key, candidates] : found)
    stable_sort(candidates, [](const Finding &a, const Finding &b) { return a.required < b.required; });
  return found;
}

/// The first that control can come to for certain, else the first that it may come to; none: it can't come to any.
static std::optional<Finding> firstThatHolds(const Program &program, const Graph &graph, PathSearch &paths,
                                             MutableArrayRef<Finding> candidates, bool &restsOnPaths) {
  std::optional<Finding> perhaps;
  for (Finding &finding : candidates) {
    const bool mayBe = findProducer(program, graph, paths, finding);
    if (mayBe && !finding.mayBeNoPath)
      return std::move(finding);
    restsOnPaths = true;
    if (mayBe && !perhaps)
      perhaps = std::move(finding);
  }
  return perhaps;
}

/// Fills `coveredBy`: what stands on the way from a finding's producer to its use, and asks for a wait there that
/// finishes the producer.
static void findCovers(const Graph &graph, std::vector<Finding> &findings) {
  DenseMap<uint32_t, SmallVector<uint32_t, 2>> at; ///< findings, by instruction
  BitVector isAt;
  for (const auto &[i, finding] : enumerate(findings)) {
    at[finding.instruction].push_back(i);
    isAt.resize(std::max(isAt.size(), finding.instruction + 1));
    isAt.set(finding.instruction);
  }
  for (const auto &[number, finding] : enumerate(findings)) {
    if (!finding.producer)
      continue;
    const Producer &producer = *finding.producer;
    const bool isInOrder = graph.isInOrder(graph.ops[producer.op], finding.counter);
    unsigned age = 0;
    for (size_t i = 0; i < producer.path.size(); ++i) {
      const GraphBlock &block = graph.blocks[producer.path[i]];
      const uint32_t begin = i == 0 ? producer.op + 1 : block.begin,
                     end = i + 1 == producer.path.size() ? finding.need.op + 1 : block.end;
      for (uint32_t op = begin; op < end; ++op) {
        if (const uint32_t here = graph.ops[op].instruction; here < isAt.size() && isAt[here])
          for (uint32_t other : at[here])
            if (other != number &&
                graph.counters->firstOf(findings[other].counter) == graph.counters->firstOf(finding.counter) &&
                findings[other].required <= (isInOrder ? age : 0) && !is_contained(finding.coveredBy, other))
              finding.coveredBy.push_back(other);
        age += graph.makesOlder(graph.ops[op], finding.counter);
      }
    }
  }
}

/// What is in flight stays so until the program waits for it, found or not.
static EngineOptions judging() {
  EngineOptions options;
  options.fixesNeeds = false;
  options.separates = true;
  return options;
}

static bool endChecksMatter(const Graph &graph, const Program &program, const DepModes &modes, ArrayRef<Need> needs) {
  auto isOfAlu = [&](const Need &need) {
    return any_of(graph.counters->all(), [&](Counter counter) {
      return (*graph.counters)[counter].isOfAlu && !need.certain[counter].isNone();
    });
  };
  return graph.hasUnchecked && any_of(needs, isOfAlu) &&
         any_of(graph.ops, [&](const Op &op) { return modes.mayEndChecks(program, op.instruction); });
}

/// The graph if the hardware has finished what was in flight when SCHED_MODE has it look no more.
static Graph withFinishingSwitches(const Graph &graph, const Program &program, const DepModes &modes) {
  Graph finishing = graph;
  WaitCounts all;
  for (Counter counter : graph.counters->all())
    if ((*graph.counters)[counter].isOfAlu)
      all[counter] = WaitCount(0);
  for (Op &op : finishing.ops)
    if (modes.mayEndChecks(program, op.instruction))
      finishing.makeWait(op, all);
  return finishing;
}

/// Of the counters of the ALUs' registers certain is only what there is in that graph, too: LLVM's callees use what
/// their callers have computed right behind the switch (SIInsertWaitcnts.cpp, setSchedulingMode), Tensile's loops what
/// came before theirs, without a wait. Both take it as done. No document says whether it is.
static void leaveCertain(const Graph &finishing, std::vector<Need> &needs) {
  DenseMap<std::pair<uint32_t, unsigned>, WaitCounts> certain;
  for (const Need &need : findNeeds(finishing, judging()))
    certain[{need.op, unsigned(need.about)}] = need.certain;
  for (Need &need : needs) {
    const WaitCounts left = certain.lookup({need.op, unsigned(need.about)});
    for (Counter counter : finishing.counters->all())
      if ((*finishing.counters)[counter].isOfAlu)
        need.certain[counter] = std::max(need.certain[counter], left[counter]);
  }
}

/// The needs that there are also when everything is executed and counted: instructions and counters.
static DenseSet<std::pair<uint32_t, unsigned>> neededUnskipped(const Graph &graph) {
  Graph unskipped = graph;
  unskipped.countsAll = true;
  for (Op &op : unskipped.ops)
    op.mayBeSkipped = op.mayNotCount = false;
  DenseSet<std::pair<uint32_t, unsigned>> needed;
  for (const Need &need : findNeeds(unskipped, judging()))
    for (Counter counter : graph.counters->all())
      if (!need.counts[counter].isNone())
        needed.insert({unskipped.ops[need.op].instruction, unsigned(counter)});
  return needed;
}

/// Halves of these registers that the instruction names: bit 0 low, 1 high. Of the registers of loads and stores the
/// mnemonic says which.
static unsigned namedHalves(const Program &program, uint32_t instruction, RegRange registers) {
  const Isa &isa = program.isa();
  const InstrDesc &desc = *program.instructions()[instruction].desc;
  const bool storesLow = !desc.mayLoad && desc.access.halves == 3 && desc.access.bytes && desc.access.bytes <= 2;
  const unsigned ofWhole = storesLow ? 1 : desc.access.halves;
  unsigned halves = 0;
  for (const MCOperand &operand : program.inst(instruction)) {
    if (!operand.isReg() || !isa.regRange(operand.getReg()).overlaps(registers))
      continue;
    const StringRef name = isa.registerInfo().getName(operand.getReg());
    halves |= name.ends_with("_LO16") ? 1 : name.ends_with("_HI16") ? 2 : ofWhole;
  }
  return halves ? halves : 3;
}

/// Of registers that the hardware doesn't look at: behind so many operations it doesn't matter whether it has when it
/// was told not to look any more.
static void completeOfAlu(const Program &program, const Graph &graph, const DepModes &modes, Finding &finding) {
  const Op &user = graph.ops[finding.need.op];
  measureInOperations(graph, finding);
  finding.isBeforeSwitch = !finding.isCertain && anyBetween(graph, finding, [&](const Op &op) {
    return modes.mayEndChecks(program, op.instruction);
  });
  finding.isCertain |= finding.isBeforeSwitch && finding.countsOnLatency() && !user.isMoved && !user.mayBeChecked;
  finding.isOneOrderEnough = isOneOrderEnough(graph, finding);
  finding.isTranslatedBetween = isTranslationEnough(graph, finding);
  finding.isCertain &= !finding.isOneOrderEnough && !finding.isTranslatedBetween;
}

/// What is known only once all is found: whether it is certain after all, and how late it comes.
static void complete(const Program &program, const Graph &graph, const DepModes &modes, PathSearch &paths,
                     OpTimes &times, LastTurns &lastTurns, Finding &finding) {
  const bool isOfAlu = (*graph.counters)[finding.counter].isOfAlu;
  if (finding.producer && isOfAlu)
    completeOfAlu(program, graph, modes, finding);
  if (finding.mayBeNoPath || finding.mayBeSkipped || finding.mayBeFromAnywhere) {
    finding.isCertain = false;
  } else if (finding.isCertain && finding.need.cause == Cause::Late && finding.producer &&
             mayBeOfOneWave(graph, paths, finding)) {
    finding.isCertain = false;
    finding.mayBeOfOneWave = true;
    finding.required = finding.need.counts[finding.counter].value();
    findProducer(program, graph, paths, finding);
  }
  if (!finding.producer)
    return;
  finding.mayBeLastTurn = finding.isCertain && lastTurns.maySkipInLastTurn(finding);
  finding.isCertain &= !finding.mayBeLastTurn;
  if (finding.need.cause == Cause::Register && program.isa().target().hasHalfRegisters) {
    const RegRange registers = finding.producer->registers;
    finding.isOfOtherHalf = !(namedHalves(program, finding.instruction, registers) &
                              namedHalves(program, graph.ops[finding.producer->op].instruction, registers));
    finding.isCertain &= !finding.isOfOtherHalf;
  }
  if (isOfAlu)
    return;
  const CounterInfo &info = (*graph.counters)[finding.counter];
  finding.isBarrierEnough = isBarrierEnough(program, graph, finding);
  finding.isOneOrderEnough = isOrderOfItsKindEnough(graph, finding);
  // Whether a full counter stops the issue of more isn't known of all chips.
  finding.isBeyondCounter = !info.stopsIssue && finding.producer->age >= info.maximum &&
                            graph.isInOrder(graph.ops[finding.producer->op], finding.counter);
  finding.isCertain &= !finding.isBarrierEnough && !finding.isOneOrderEnough && !finding.isBeyondCounter;
  measure(graph, times, finding);
}

Verified verify(const Program &program, std::shared_ptr<Graph> described) {
  Verified verified;
  verified.graph = std::move(described);
  const Graph &graph = *verified.graph;
  const DepModes modes(program);
  std::vector<Need> needs;
  std::optional<PathSearch> paths, pathsOfFinishing;
  std::optional<Graph> finishing; ///< withFinishingSwitches, where it matters
  auto judge = [&] {
    needs = findNeeds(graph, judging());
    paths.emplace(graph);
    pathsOfFinishing.reset();
    finishing.reset();
    if (!endChecksMatter(graph, program, modes, needs))
      return;
    finishing = withFinishingSwitches(graph, program, modes);
    pathsOfFinishing.emplace(*finishing);
    leaveCertain(*finishing, needs);
  };
  auto follow = [&] {
    followValues(*verified.graph, program);
    judge();
  };
  judge();
  if (!graph.followsValues && restsOnBarriers(graph, needs))
    follow();
  for (bool isDone = needs.empty(); !isDone;) {
    verified.findings.clear();
    verified.restsOnPaths = false;
    bool restsOnBranches = false;
    for (auto &[key, candidates] : candidatesOf(graph, needs)) {
      const bool isOfFinishing = finishing && !std::get<3>(key) && (*graph.counters)[std::get<1>(key)].isOfAlu;
      std::optional<Finding> finding =
          firstThatHolds(program, isOfFinishing ? *finishing : graph, isOfFinishing ? *pathsOfFinishing : *paths,
                         candidates, verified.restsOnPaths);
      if (!finding)
        continue;
      restsOnBranches |= finding->producer && any_of(drop_end(finding->producer->path),
                                                     [&](uint32_t b) { return graph.blocks[b].exitCount > 1; });
      verified.findings.push_back(std::move(*finding));
    }
    isDone = graph.followsValues || !restsOnBranches;
    if (!isDone)
      follow();
  }
  if (graph.hasSkips && !verified.findings.empty()) {
    const DenseSet<std::pair<uint32_t, unsigned>> unskipped = neededUnskipped(graph);
    for (Finding &finding : verified.findings)
      finding.mayBeSkipped = !unskipped.contains({finding.instruction, unsigned(finding.counter)});
  }
  OpTimes times(program, graph);
  LastTurns lastTurns(program, graph);
  for (Finding &finding : verified.findings)
    complete(program, graph, modes, *paths, times, lastTurns, finding);
  findCovers(graph, verified.findings);
  verified.problems = unfollowedIn(program, modes);
  return verified;
}

std::vector<uint32_t> Verified::mistakes() const {
  auto weightOf = [&](uint32_t i) {
    const Finding &finding = findings[i];
    if (finding.need.about == About::Release)
      return 0;
    if (!finding.isCertain)
      return 2;
    return !finding.countsOnLatency() ? 4 : finding.need.about == About::DmaOverRead ? 1 : 3;
  };
  std::vector<uint32_t> order(findings.size()), mistakes;
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](uint32_t a, uint32_t b) { return weightOf(a) > weightOf(b); });
  for (uint32_t i : order)
    if (none_of(findings[i].coveredBy, [&](uint32_t other) { return is_contained(mistakes, other); }))
      mistakes.push_back(i);
  sort(mistakes);
  return mistakes;
}

} // namespace inflight::waits
