// Missing wait states (s_nop) along the path that each wave takes.
//
// What stands within reach before an instruction depends on the last jumps alone. So each wave is in a state: the jumps
// near enough to matter, of which there are few combinations in any code. An instruction is judged once in a state: its
// predecessors are walked back to, and each pair goes through the rules.
#pragma once

#include "hazards/HazardTable.h"
#include "machine/wave/Code.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace inflight::machine::check {

/// The instructions of a code object as the rules see them. Immutable.
class HazardFacts {
public:
  HazardFacts(const hazards::HazardTable &table LLVM_LIFETIME_BOUND, const Code &code)
      : rules(&table), places(code.end() - code.begin()) {}
  /// For instructions that are not a code object's, each one slot after the other.
  HazardFacts(const hazards::HazardTable &table LLVM_LIFETIME_BOUND, std::vector<hazards::Access> accesses,
              llvm::ArrayRef<unsigned> slots);

  /// The instruction at a place.
  void place(uint32_t index, unsigned slots, hazards::Access access);

  size_t size() const { return places.size(); }
  /// Null inside an instruction and for data.
  const hazards::Access *at(uint32_t index) const LLVM_LIFETIME_BOUND {
    return places[index].access ? &accesses[places[index].access - 1] : nullptr;
  }
  /// Slots back to the instruction that ends where this one begins; 0 if there is none.
  unsigned slotsBack(uint32_t index) const { return places[index].back; }
  /// How many instructions stand before this one; each gives one wait state at least.
  uint32_t ordinal(uint32_t index) const { return places[index].ordinal; }
  const hazards::HazardTable &table() const { return *rules; }

private:
  struct Place {
    uint32_t access = 0; ///< number in `accesses`, from 1
    uint32_t ordinal = 0;
    uint8_t back = 0;
  };
  const hazards::HazardTable *rules = nullptr;
  std::vector<Place> places; ///< one for each 4 bytes of code
  std::vector<hazards::Access> accesses;
};

struct MissingStates {
  uint32_t producer, consumer; ///< indices of instructions
  unsigned required, found;
  const hazards::Rule *rule;
  hazards::Gravity gravity;
};

/// The waves of one workgroup at a time, on one host thread.
class Hazards {
public:
  explicit Hazards(const HazardFacts &facts LLVM_LIFETIME_BOUND);
  void begin(unsigned waves);
  /// Goes on to an instruction if it follows the one before and has been judged on this path: the usual case of
  /// `before`.
  bool isJudged(unsigned wave, uint32_t index, unsigned slots) {
    Path &path = paths[wave];
    if (index != path.next || judged[index] != path.state)
      return false;
    path.last = index;
    path.next = index + slots;
    return true;
  }
  /// Call before each instruction. `report` is called once for a path at least, not each time that it is taken.
  void before(unsigned wave, uint32_t index, unsigned slots, llvm::function_ref<void(const MissingStates &)> report) {
    Path &path = paths[wave];
    if (index != path.next)
      jump(path, index);
    path.last = index;
    path.next = index + slots;
    if (judged[index] != path.state)
      judge(path, index, report);
  }

private:
  /// Instructions executed one after the other, up to the jump that ended them.
  struct Segment {
    uint32_t begin, last;
    auto operator<=>(const Segment &) const = default;
  };
  /// A place that a jump went to and what led there.
  struct State {
    uint32_t begin = 0;
    std::vector<Segment> before; ///< near enough to matter, newest last; the first one's begin is ~0 if out of reach
    struct Edge {
      uint32_t last, begin, next;
    };
    llvm::SmallVector<Edge, 2> edges; ///< jumps known to lead on from here
  };
  struct Path {
    uint32_t next = 0, last = 0, begin = 0; ///< of the current segment
    uint32_t state = 0;                     ///< number in `states`
  };
  void reset();
  void jump(Path &path, uint32_t index);
  uint32_t enter(const State &from, Segment ended, uint32_t index);
  void judge(Path &path, uint32_t index, llvm::function_ref<void(const MissingStates &)> report);

  const HazardFacts &facts;
  std::vector<State> states;
  std::map<std::pair<uint32_t, std::vector<Segment>>, uint32_t> numbers; ///< of states by begin and what was before
  std::vector<uint32_t> judged; ///< by index: the last state in which the instruction was judged
  std::vector<Path> paths;
};

} // namespace inflight::machine::check
