#include "waits/graph/MatchCalls.h"

#include "program/Program.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <map>

using namespace llvm;

namespace inflight::waits {

namespace {

/// A call that is stepped over: where the function begins, and a block that it returns from.
struct Through {
  uint32_t entry, exit;
};
using Steps = DenseMap<std::pair<uint32_t, uint32_t>, Through>; ///< by call and what follows it

/// What is known of the blocks that the copies are of.
class CopiedLds : public LdsBytes {
public:
  CopiedLds(std::shared_ptr<const LdsBytes> lds, std::vector<uint32_t> original, Steps steps)
      : lds(std::move(lds)), original(std::move(original)), steps(std::move(steps)) {}
  Overlap overlap(Region a, Region b, Between between) const override { return lds->overlap(a, b, between); }
  Overlap overlapOn(Region a, Region b, Between between, Facts facts) const override {
    return lds->overlapOn(a, b, between, facts);
  }
  Region across(Region region, uint32_t from, uint32_t to) const override {
    from = original[from], to = original[to];
    if (const auto step = steps.find({from, to}); step != steps.end()) {
      region = lds->across(region, from, step->second.entry);
      from = step->second.exit;
    }
    return lds->across(region, from, to);
  }
  std::string describe(Region region) const override { return lds->describe(region); }
  std::string missingFact(Region a, Region b) const override { return lds->missingFact(a, b); }
  Region before(Region region, uint32_t from, uint32_t to) const override {
    from = original[from], to = original[to];
    if (const auto step = steps.find({from, to}); step != steps.end()) {
      region = lds->before(region, step->second.exit, to);
      to = step->second.entry;
    }
    return lds->before(region, from, to);
  }
  std::optional<Facts> factsBefore(Facts after, uint32_t from, uint32_t to) const override {
    from = original[from], to = original[to];
    return steps.contains({from, to}) ? noFacts : lds->factsBefore(after, from, to);
  }
  bool arePart(Facts facts) const override { return lds->arePart(facts); }
  bool isDivergent(uint32_t block) const override { return lds->isDivergent(original[block]); }
  bool isOfWavesAt(Region access, uint32_t block) const override { return lds->isOfWavesAt(access, original[block]); }
  bool areAmongWavesAt(uint32_t block, uint32_t other) const override {
    return lds->areAmongWavesAt(original[block], original[other]);
  }
  bool areOfOtherWaves(uint32_t block, uint32_t other) const override {
    return lds->areOfOtherWaves(original[block], original[other]);
  }

private:
  const std::shared_ptr<const LdsBytes> lds;
  const std::vector<uint32_t> original; ///< by block
  const Steps steps;
};

class CallMatcher {
public:
  CallMatcher(Graph &graph, const Program &program)
      : graph(graph),
        program(program),
        plain(graph.blocks),
        mostOps(graph.ops.size() +
                std::min(graph.limits.copies, std::max(copiesPerOp * graph.ops.size(), copiesAlways))) {
    for (uint32_t b = 0; b < plain.size(); ++b) {
      original.push_back(b);
      if (plain[b].begin < plain[b].end)
        beginningAt[program.blocks()[plain[b].origin].begin].push_back(b);
    }
  }

  void run() {
    if (!findEntries())
      return;
    const size_t plainOps = graph.ops.size();
    // Whatever isn't called, and what nothing that is looked at calls.
    BitVector reached(plain.size());
    for (bool callees : {false, true})
      for (uint32_t b = 0; b < plain.size(); ++b)
        if ((plain[b].isEntry || plain[b].hasUnknownCaller) && !reached[b] && (callees ? !called[b] : !isCalledOnly(b)))
          visit(b, reached);
    if (matched.empty())
      return;
    cutOriginals(reached);
    linkPredecessors();
    graph.hasPhases = true;
    if (graph.lds)
      graph.lds = std::make_shared<CopiedLds>(graph.lds, std::move(original), std::move(steps));
    // Only before values are followed are the blocks without copies asked for again.
    if (graph.lds)
      return;
    graph.plainBlocks = std::move(plain);
    graph.plainOps = plainOps;
  }

private:
  static constexpr size_t copiesPerOp = 2, copiesAlways = size_t(1) << 16;
  static constexpr uint32_t none = ~0u;

  /// One copy of a function: block of the plain graph to block, and what it was called by.
  struct Copy {
    DenseMap<uint32_t, uint32_t> of;
    const Copy *caller = nullptr;
    uint32_t entry = none; ///< in the plain graph; none: the plain graph itself
    uint32_t at(uint32_t block) const { return entry == none ? block : of.lookup(block); }
    bool has(uint32_t block) const { return entry == none || of.contains(block); }
    bool isWithin(uint32_t callee) const {
      for (const Copy *copy = this; copy; copy = copy->caller)
        if (copy->entry == callee)
          return true;
      return false;
    }
  };

  bool isReturn(uint32_t block) const { return program.blocks()[plain[block].origin].ending == BlockEnd::Return; }
  EdgeKind kindOf(uint32_t from, uint32_t to) const {
    if (isReturn(from))
      return EdgeKind::Return;
    for (const Edge &edge : program.blocks()[plain[from].origin].successors)
      if (edge.block == plain[to].origin)
        return edge.kind;
    return EdgeKind::Next;
  }
  bool isCall(uint32_t block) const {
    return any_of(program.blocks()[plain[block].origin].successors,
                  [](const Edge &edge) { return edge.kind == EdgeKind::Call; });
  }

  /// The blocks that calls lead to; false if there are none.
  bool findEntries() {
    isCallee.resize(plain.size());
    called.resize(plain.size());
    isOpen.resize(program.blocks().size());
    for (const Function &function : program.functions())
      if (function.isKernel || function.isOpen)
        isOpen.set(function.entry);
    for (uint32_t b = 0; b < plain.size(); ++b)
      if (isCall(b))
        for (uint32_t to : plain[b].successors)
          if (kindOf(b, to) == EdgeKind::Call)
            isCallee.set(to);
    return isCallee.any();
  }

  /// A function that is entered by calls that are known, and in no other way.
  bool isCalledOnly(uint32_t block) const {
    return isCallee[block] && !plain[block].hasUnknownCaller && !plain[block].isHidden && !isOpen[plain[block].origin];
  }

  /// The blocks of a function: what control comes to from its entry, over calls in it.
  const SmallVector<uint32_t> &bodyOf(uint32_t entry) {
    auto [known, isNew] = bodies.try_emplace(entry);
    SmallVector<uint32_t> &body = known->second;
    if (!isNew)
      return body;
    body.push_back(entry);
    DenseSet<uint32_t> seen{entry};
    for (size_t i = 0; i < body.size(); ++i) {
      auto add = [&](uint32_t next) {
        if (seen.insert(next).second)
          body.push_back(next);
      };
      if (isCall(body[i]))
        for (uint32_t next : behind(body[i]))
          add(next);
      else
        for (uint32_t next : plain[body[i]].successors)
          if (kindOf(body[i], next) != EdgeKind::Return)
            add(next);
    }
    return body;
  }

  /// Where the calls of a block return to.
  ArrayRef<uint32_t> behind(uint32_t call) const {
    const auto found = beginningAt.find(program.blocks()[plain[call].origin].end);
    return found == beginningAt.end() ? ArrayRef<uint32_t>() : ArrayRef(found->second);
  }

  /// What is reached from a root, with copies of what it calls.
  void visit(uint32_t root, BitVector &reached) {
    SmallVector<uint32_t> calls;
    for (uint32_t block : bodyOf(root)) {
      if (reached[block])
        continue;
      reached.set(block);
      if (isCall(block))
        calls.push_back(block);
    }
    for (uint32_t call : calls)
      copyCallees(call, whole, reached);
  }

  /// The callees of a call in `caller` get copies, or stay those of the plain graph.
  void copyCallees(uint32_t call, const Copy &caller, BitVector &reached) {
    SmallVector<uint32_t, 2> copied, stepped;
    for (uint32_t to : plain[call].successors)
      if (kindOf(call, to) == EdgeKind::Call) {
        called.set(to);
        (exitOf(to) == none ? copied : stepped).push_back(to);
      }
    size_t size = graph.ops.size();
    for (uint32_t callee : copied)
      for (uint32_t block : bodyOf(callee))
        size += plain[block].end - plain[block].begin;
    if (size > mostOps || any_of(copied, [&](uint32_t callee) { return caller.isWithin(callee); })) {
      append_range(copied, stepped);
      return share(call, caller, copied, reached);
    }
    const uint32_t from = caller.at(call);
    graph.blocks[from].successors.clear();
    matched.insert(call);
    stepOver(call, caller, stepped);
    for (uint32_t callee : copied) {
      const SmallVector<uint32_t> &body = bodyOf(callee);
      Copy &copy = copies.emplace_back();
      copy.caller = &caller;
      copy.entry = callee;
      for (uint32_t block : body)
        copy.of[block] = copyBlock(block);
      graph.blocks[from].successors.push_back(copy.at(callee));
      linkCopy(copy, body, call, caller);
      for (uint32_t block : body)
        if (isCall(block))
          copyCallees(block, copy, reached);
    }
  }

  /// Functions that only compute with registers leave in flight what was: control goes to them from all calls, and from
  /// each call behind it at once.
  void stepOver(uint32_t call, const Copy &caller, ArrayRef<uint32_t> callees) {
    auto &successors = graph.blocks[caller.at(call)].successors;
    for (uint32_t callee : callees) {
      successors.push_back(callee);
      for (uint32_t to : behind(call))
        if (caller.has(to) && is_contained(plain[exitOf(callee)].successors, to)) {
          steps.try_emplace({call, to}, Through{callee, exitOf(callee)});
          if (!is_contained(successors, caller.at(to)))
            successors.push_back(caller.at(to));
        }
    }
  }

  /// A block that such a function returns from; `none` for all others.
  uint32_t exitOf(uint32_t callee) {
    auto [known, isNew] = exits.try_emplace(callee, none);
    if (!isNew)
      return known->second;
    uint32_t exit = none;
    for (uint32_t block : bodyOf(callee)) {
      const Block &origin = program.blocks()[plain[block].origin];
      auto computes = [&](uint32_t op) { return graph.ops[op].usesRegistersAlone(); };
      if (isCall(block) || (origin.ending != BlockEnd::Known && origin.ending != BlockEnd::Return) ||
          !all_of(seq(plain[block].begin, plain[block].end), computes))
        return none;
      if (isReturn(block))
        exit = block;
    }
    return exits[callee] = exit;
  }

  uint32_t copyBlock(uint32_t block) {
    GraphBlock copy = plain[block];
    copy.begin = graph.ops.size();
    for (uint32_t i = plain[block].begin; i < plain[block].end; ++i)
      graph.ops.push_back(Op(graph.ops[i]));
    copy.end = graph.ops.size();
    copy.isEntry = copy.hasUnknownCaller = false;
    copy.successors.clear();
    copy.predecessors.clear();
    graph.blocks.push_back(std::move(copy));
    original.push_back(block);
    return graph.blocks.size() - 1;
  }

  /// The edges of a copy but for those of its calls.
  void linkCopy(const Copy &copy, ArrayRef<uint32_t> body, uint32_t call, const Copy &caller) {
    for (uint32_t block : body) {
      if (isCall(block))
        continue;
      auto &successors = graph.blocks[copy.at(block)].successors;
      if (isReturn(block))
        returnBehind(block, call, caller, successors);
      else
        for (uint32_t to : plain[block].successors)
          successors.push_back(copy.at(to));
    }
  }

  void returnBehind(uint32_t block, uint32_t call, const Copy &caller, SmallVectorImpl<uint32_t> &successors) const {
    for (uint32_t to : behind(call))
      if (caller.has(to) && is_contained(plain[block].successors, to) && !is_contained(successors, caller.at(to)))
        successors.push_back(caller.at(to));
  }

  /// The call goes to the functions of the plain graph, and those return behind it as well.
  void share(uint32_t call, const Copy &caller, ArrayRef<uint32_t> callees, BitVector &reached) {
    const uint32_t from = caller.at(call);
    if (caller.entry != none)
      graph.blocks[from].successors.assign(callees.begin(), callees.end());
    shared.insert(call);
    for (uint32_t callee : callees) {
      SmallVector<uint32_t> calls;
      for (uint32_t block : bodyOf(callee)) {
        if (caller.entry != none && isReturn(block))
          returnBehind(block, call, caller, graph.blocks[block].successors);
        if (!reached[block]) {
          reached.set(block);
          if (isCall(block))
            calls.push_back(block);
        }
      }
      for (uint32_t inner : calls)
        copyCallees(inner, whole, reached);
    }
  }

  /// The plain functions no longer return behind calls that have copies, and nothing begins in those that are no longer
  /// called.
  void cutOriginals(const BitVector &reached) {
    DenseSet<uint32_t> cut;
    for (uint32_t call : matched)
      if (!shared.contains(call))
        cut.insert_range(behind(call));
    for (uint32_t b = 0; b < plain.size(); ++b) {
      if (isReturn(b))
        erase_if(graph.blocks[b].successors, [&](uint32_t to) { return cut.contains(to); });
      if (isCalledOnly(b) && !reached[b])
        graph.blocks[b].isEntry = false;
    }
  }

  void linkPredecessors() {
    for (GraphBlock &block : graph.blocks)
      block.predecessors.clear();
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t to : graph.blocks[b].successors)
        graph.blocks[to].predecessors.push_back(b);
  }

  Graph &graph;
  const Program &program;
  std::vector<GraphBlock> plain;
  const size_t mostOps;
  std::vector<uint32_t> original;                           ///< by block
  DenseMap<uint32_t, SmallVector<uint32_t, 1>> beginningAt; ///< by instruction: the blocks
  BitVector isCallee;                                       ///< by block
  BitVector called;                                         ///< by block: from what was looked at
  BitVector isOpen;                                         ///< by block of the program: others may come to it
  DenseSet<uint32_t> matched, shared;                       ///< calls of the plain graph
  DenseMap<uint32_t, uint32_t> exits;                       ///< by entry, of functions that are stepped over
  Steps steps;
  std::map<uint32_t, SmallVector<uint32_t>> bodies; ///< by entry
  const Copy whole;                                 ///< the plain graph
  std::deque<Copy> copies;
};

} // namespace

void matchCalls(Graph &graph, const Program &program) { CallMatcher(graph, program).run(); }

void forgetCalls(Graph &graph) {
  if (graph.plainBlocks.empty())
    return;
  graph.blocks = std::move(graph.plainBlocks);
  graph.plainBlocks.clear();
  graph.ops.resize(graph.plainOps);
}

} // namespace inflight::waits
