// Missing wait states (s_nop) along the path that each wave takes.
//
// What stands within reach before an instruction depends on the last jumps alone, so the path has a key: a hash of
// the jumps near enough to matter, or one fixed number where there are none. An instruction is judged once under a key
// and not again while it comes under the same one: its predecessors are walked back to, and each pair goes through the
// rules.
#pragma once

#include "hazards/HazardTable.h"
#include "machine/Code.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight::machine::check {

/// The instructions of a code object as the rules see them. Immutable.
class HazardFacts {
public:
  static llvm::Expected<HazardFacts> find(const CodeObject &object, const Code &code);
  /// For instructions that are not a code object's, each one slot after the other.
  HazardFacts(const hazards::HazardTable &table, std::vector<hazards::Access> accesses, llvm::ArrayRef<unsigned> slots);

  size_t size() const { return places.size(); }
  /// Null inside an instruction and for data.
  const hazards::Access *at(uint32_t index) const { return places[index].access ? &accesses[places[index].access - 1] : nullptr; }
  /// Slots back to the instruction that ends where this one begins; 0 if there is none.
  unsigned slotsBack(uint32_t index) const { return places[index].back; }
  const hazards::HazardTable &table() const { return *rules; }

private:
  HazardFacts() = default;
  void place(uint32_t index, unsigned slots, hazards::Access access);
  struct Place {
    uint32_t access = 0; ///< number in `accesses`, from 1
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
};

/// The waves of one workgroup at a time, on one host thread.
class Hazards {
public:
  explicit Hazards(const HazardFacts &facts);
  void begin(unsigned waves);
  /// Call before each instruction. `report` is called once for a path at least, not each time that it is taken.
  void before(unsigned wave, uint32_t index, unsigned slots, llvm::function_ref<void(const MissingStates &)> report) {
    Path &path = paths[wave];
    if (index != path.next)
      jump(path, index);
    path.last = index;
    path.next = index + slots;
    if (judgedKey[index] != path.key)
      judge(path, index, report);
  }

private:
  /// Instructions executed one after the other, up to the jump that ended them.
  struct Segment {
    uint32_t begin, last;
  };
  struct Path {
    uint32_t next = 0, last = 0, begin = 0; ///< of the current segment
    uint32_t key = 0;
    bool isStarted = false;
    std::vector<Segment> before; ///< near enough to matter, newest last
  };
  void jump(Path &path, uint32_t index);
  void judge(Path &path, uint32_t index, llvm::function_ref<void(const MissingStates &)> report);

  const HazardFacts &facts;
  std::vector<uint32_t> judgedKey; ///< by index; 0: not judged
  std::vector<Path> paths;
};

} // namespace inflight::machine::check
