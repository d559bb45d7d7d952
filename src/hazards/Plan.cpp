#include "hazards/Plan.h"

#include "hazards/Nops.h"
#include "hazards/Paths.h"
#include "hazards/shadow/Plan.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::hazards {

namespace {

class Planner {
public:
  Planner(const Program &program, const HazardTable &table, Goal goal, ArrayRef<Edit> pending)
      : program(program),
        blocks(program.blocks()),
        goal(goal),
        paths(program, table, pending),
        isOurs(program.instructions().size()),
        given(program.instructions().size()) {}

  Plan run() {
    takeNops();
    const bool adds = goal == Goal::Insert || goal == Goal::Add || goal == Goal::Repair;
    if (adds)
      for (uint32_t b = 0; b < blocks.size(); ++b)
        insertWithin(b);
    if (adds)
      for (uint32_t b = 0; b < blocks.size(); ++b)
        insertAtEntry(b);
    if (goal != Goal::Strip)
      trim();
    for (uint32_t b = 0; b < blocks.size(); ++b)
      editBlock(b);
    stable_sort(result.edits, [](const Edit &a, const Edit &b) { return a.at < b.at; });
    return std::move(result);
  }

private:
  /// Wait states that the pair should have.
  unsigned aim(const Shortage &shortage) const {
    return goal == Goal::Repair ? std::min(shortage.need.states, shortage.original) : shortage.need.states;
  }
  static unsigned difference(unsigned wanted, unsigned found) { return wanted > found ? wanted - found : 0; }
  Search searchFor() const {
    Search search;
    search.asBefore = goal == Goal::Repair;
    return search;
  }

  /// Takes out the s_nop that may change. Those to be relaxed become wait states before what follows.
  void takeNops() {
    givenAfter.resize(blocks.size());
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      givenAfter[b] = paths.statesAfter(b);
      const bool isFixed = goal == Goal::Repair || goal == Goal::Add || isPadding(program, blocks[b]);
      for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
        given[i] = paths.before(i);
        if (!isNop(program, i))
          continue;
        result.statesBefore += paths.states(i);
        isOurs[i] = !isFixed && isEditableNop(program, i);
        if (!isOurs[i])
          continue;
        if (goal == Goal::Relax)
          paths.setBefore(i, given[i] + paths.states(i));
        paths.setStates(i, 0);
      }
    }
  }

  /// What pairs within a block want, each directly before its second instruction: then it helps most of those that
  /// follow.
  void insertWithin(uint32_t b) {
    Search search = searchFor();
    search.withinBlock = true;
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i)
      if (paths.mayLack(i))
        paths.setBefore(i, paths.before(i) + missing(b, i, search));
  }

  unsigned missing(uint32_t b, uint32_t i, const Search &search) {
    unsigned most = 0;
    paths.shortages(b, i, search, [&](const Shortage &shortage) {
      most = std::max(most, difference(aim(shortage), shortage.found));
    });
    return most;
  }

  /// What pairs want whose first instruction comes before the block.
  void insertAtEntry(uint32_t b) {
    unsigned states = 0;
    for (uint32_t i = blocks[b].begin; i < blocks[b].end && states < paths.table.maximumDistance(); ++i) {
      if (paths.mayLack(i)) {
        placeOnWorstEdge(b, i);
        paths.setBefore(i, paths.before(i) + missing(b, i, searchFor()));
      }
      states += paths.before(i) + paths.states(i);
    }
  }

  /// If one path into the block wants more than the others, it is given that where no other path passes. What the
  /// others still want comes before the instruction, and trim() takes it from this one.
  void placeOnWorstEdge(uint32_t b, uint32_t i) {
    ArrayRef<Edge> edges = blocks[b].predecessors;
    constexpr size_t manyEdges = 64; // to look at one by one
    if (edges.size() < 2 || edges.size() > manyEdges)
      return;
    Search search = searchFor();
    search.byEdge = true;
    SmallVector<unsigned, 4> wanted(edges.size());
    paths.shortages(b, i, search, [&](const Shortage &shortage) {
      if (shortage.edge != ~0u)
        wanted[shortage.edge] = std::max(wanted[shortage.edge], difference(aim(shortage), shortage.found));
    });
    const auto most = std::max_element(wanted.begin(), wanted.end());
    if (*most && count(wanted, *most) == 1)
      placeOnEdge(edges[most - wanted.begin()], *most);
  }

  /// Puts wait states at the end of the block that the edge comes from, if no other path leads over that place.
  void placeOnEdge(const Edge &edge, unsigned states) {
    const Block &from = blocks[edge.block];
    if (from.ending != BlockEnd::Known || (edge.kind != EdgeKind::Next && edge.kind != EdgeKind::Branch))
      return;
    const uint32_t last = from.end - 1;
    if (from.successors.size() == 1 && program.instructions()[last].desc->isBranch)
      paths.setBefore(last, paths.before(last) + states);
    else if (edge.kind == EdgeKind::Next)
      paths.setStatesAfter(edge.block, paths.statesAfter(edge.block) + states);
  }

  /// Shortens everything placed to what is wanted of it. The later of two that serve the same pair stays.
  void trim() {
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i)
        if (const unsigned placed = paths.before(i) - given[i]) {
          Search search = searchFor();
          search.marked = i;
          paths.setBefore(i, given[i]);
          paths.setBefore(i, given[i] + std::min(placed, wantedOf(search, b, i)));
        }
      if (const unsigned placed = paths.statesAfter(b) - givenAfter[b]) {
        Search search = searchFor();
        search.markedBlock = b;
        paths.setStatesAfter(b, givenAfter[b]);
        const Edge *next = find_if(blocks[b].successors, [](const Edge &edge) { return edge.kind == EdgeKind::Next; });
        paths.setStatesAfter(b, givenAfter[b] +
                                    std::min(placed, wantedOf(search, next->block, blocks[next->block].begin)));
      }
    }
  }

  /// Wait states that pairs want around a place that gives none now.
  unsigned wantedOf(const Search &search, uint32_t b, uint32_t i) {
    unsigned wanted = 0;
    paths.forEachSoonAfter(b, i, [&](uint32_t block, uint32_t consumer) {
      paths.shortages(block, consumer, search, [&](const Shortage &shortage) {
        if (shortage.passed)
          wanted = std::max<unsigned>(wanted, divideCeil(difference(aim(shortage), shortage.found), shortage.passed));
      });
    });
    return wanted;
  }

  void insert(uint32_t at, Edit::Action action, unsigned states) {
    result.statesAfter += states;
    for (; states; states -= std::min(states, maximumNop)) {
      result.edits.push_back({at, action, Edit::What::Nop, uint16_t(std::min(states, maximumNop) - 1)});
      ++result.added;
    }
  }

  void change(uint32_t i, unsigned states) {
    const unsigned has = nopStates(program, i);
    result.statesAfter += states;
    if (states == has) {
      ++result.kept;
    } else if (states) {
      result.edits.push_back({i, Edit::Action::Replace, Edit::What::Nop, uint16_t(states - 1)});
      ++result.changed;
    } else {
      result.edits.push_back({i, Edit::Action::Remove, Edit::What::Nop, 0});
      ++result.removed;
    }
  }

  /// Where in a row of s_nop and waits the s_nop stand is all the same.
  bool isInRow(uint32_t i) const { return isOurs[i] || program.instructions()[i].desc->isWaitcnt; }

  void editBlock(uint32_t b) {
    const Block &block = blocks[b];
    for (uint32_t i = block.begin; i < block.end;) {
      uint32_t end = i;
      while (end < block.end && isInRow(end))
        ++end;
      editRow(i, end, end < block.end);
      i = end + 1;
    }
    insert(block.end - 1, Edit::Action::InsertAfter, paths.statesAfter(b) - givenAfter[b]);
  }

  /// Puts the wait states wanted in and after the row [begin, end) into its s_nop, as they are as far as that goes.
  void editRow(uint32_t begin, uint32_t end, bool hasUser) {
    unsigned wanted = 0;
    for (uint32_t i = begin; i < end + hasUser; ++i) {
      if (isNop(program, i) && !isOurs[i]) {
        ++result.kept;
        result.statesAfter += paths.states(i);
      }
      wanted += paths.before(i) - given[i];
    }
    SmallVector<unsigned, 4> gets;
    for (uint32_t i = begin; i < end; ++i) {
      gets.push_back(isOurs[i] ? std::min(wanted, nopStates(program, i)) : 0);
      wanted -= gets.back();
    }
    for (uint32_t i = end; i-- > begin;)
      if (isOurs[i] && gets[i - begin]) {
        const unsigned more = std::min(wanted, maximumNop - gets[i - begin]);
        gets[i - begin] += more;
        wanted -= more;
      }
    for (uint32_t i = begin; i < end; ++i)
      if (isOurs[i])
        change(i, gets[i - begin]);
    if (hasUser)
      insert(end, Edit::Action::InsertBefore, wanted);
  }

  const Program &program;
  ArrayRef<Block> blocks;
  Goal goal;
  Paths paths;
  std::vector<bool> isOurs;               ///< by instruction: an s_nop that may change
  std::vector<uint8_t> given, givenAfter; ///< wait states of pending waits
  Plan result;
};

} // namespace

/// On chips whose hazards certain instructions end. Relaxing leaves those instructions as they are.
static Plan planShadows(const Program &program, Goal goal, ArrayRef<Edit> pending) {
  Plan result;
  Expected<const shadow::Table *> table = shadow::Table::get(program.isa());
  if (!table) {
    result.problems.push_back(toString(table.takeError()));
    return result;
  }
  shadow::Wanted wanted;
  wanted.strips = goal == Goal::Strip || goal == Goal::Insert;
  wanted.inserts = goal != Goal::Strip;
  wanted.onlyLost = goal == Goal::Repair || goal == Goal::Relax;
  shadow::Result found = shadow::plan(program, **table, wanted, pending);
  result.edits = std::move(found.edits);
  result.problems = std::move(found.problems);
  for (const Edit &edit : result.edits) {
    result.added += edit.action == Edit::Action::InsertBefore;
    result.changed += edit.action == Edit::Action::Replace;
    result.removed += edit.action == Edit::Action::Remove;
  }
  return result;
}

Plan plan(const Program &program, Goal goal, ArrayRef<Edit> pending) {
  Expected<const HazardTable *> table = HazardTable::get(program.isa());
  if (!table) {
    Plan none;
    none.problems.push_back(toString(table.takeError()));
    return none;
  }
  if (!(*table)->rules().empty())
    return Planner(program, **table, goal, pending).run();
  return planShadows(program, goal, pending);
}

} // namespace inflight::hazards
