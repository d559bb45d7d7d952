// Which shadows lie over each instruction, by whatever path.
#pragma once

#include "hazards/shadow/Scalars.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight::hazards::shadow {

/// What an instruction left behind, some instructions later on some path.
struct Shadow {
  uint32_t producer = 0;
  uint8_t rule = 0;
  uint8_t slots = 0;      ///< that were counted since
  uint8_t others = 0;     ///< instructions of the rule's other kind; of PartialForwarding: EXEC was written since
  uint8_t elapsed = 0;    ///< slots, with the time that instructions between are known to take
  CounterSet counted = 0; ///< counters on which something was issued since
  bool isSole = false;    ///< of a rule without registers: the nearest producer stands for all
  bool operator==(const Shadow &) const = default;
  auto operator<=>(const Shadow &) const = default;
};

struct State {
  llvm::SmallVector<Shadow, 12> shadows; ///< sorted; none of a rule and producer that another of them makes needless
  Scalars scalars;
  bool operator==(const State &) const = default;
  void add(const Shadow &shadow);
  /// Whether `other` brings something.
  bool merge(const State &other);
};

/// Instructions that are put before one of the program's.
struct Mends {
  uint8_t vNops = 0, sNops = 0;
  bool moves = false; ///< v_mov of the instruction's first source to itself
  AluWaits waits = 0;
  bool empty() const { return !vNops && !sNops && !moves && !waits; }
  /// What it has more than `other`.
  Mends beyond(const Mends &other) const;
};

/// What meets at an instruction.
struct Meeting {
  uint32_t instruction = 0;
  const Rule *rule = nullptr;
  const Shadow *shadow = nullptr; ///< null: of SGPRs
  unsigned required = 0;          ///< slots
  unsigned enough = 0;            ///< slots that do but for advice
  AluWaits waits = 0;             ///< that would mend it
  bool isOpen = false;            ///< whether they meet isn't known: registers in a window that isn't
  bool isLeft = false;            ///< control goes where the program doesn't show, from here
  bool isDisputed = false;        ///< one of the rule's sources has it that nothing is missing
};

class Flow {
public:
  Flow(const Program &program LLVM_LIFETIME_BOUND, const Table &table LLVM_LIFETIME_BOUND);

  std::vector<bool> gone; ///< by instruction: taken out
  llvm::DenseMap<uint32_t, Mends> mends;

  /// Finds what every block begins with.
  void solve();
  /// Goes over all instructions; `see` may add to `mends` of the instruction that it is told of.
  void visit(llvm::function_ref<void(const Meeting &)> see);

  const Use &use(uint32_t i) const { return uses[i]; }
  /// Slots that the rule wants after the instruction, and how many do but for advice.
  std::pair<unsigned, unsigned> slotsOf(const Rule &rule, uint32_t producer) const;

private:
  void describe(uint32_t i);
  void runBlock(uint32_t block, State &state, llvm::function_ref<void(const Meeting &)> see);
  void runInstruction(uint32_t i, State &state, llvm::function_ref<void(const Meeting &)> see, const Block *ended);
  void applyMends(const Mends &mends, State &state) const;
  void applyUse(State &state, const Use &use, unsigned cycles) const;
  void hideResults(uint32_t i, State &state) const;
  void meet(uint32_t i, const State &state, llvm::function_ref<void(const Meeting &)> see) const;
  void meetScalars(uint32_t i, const State &state, llvm::function_ref<void(const Meeting &)> see) const;
  bool leadsElsewhere(const Block &block) const;
  void leave(const Block &block, const State &state, llvm::function_ref<void(const Meeting &)> see) const;
  bool isEnded(const Rule &rule, const Shadow &shadow) const;
  bool isShort(const Rule &rule, const Shadow &shadow, uint32_t i, const State &state) const;
  bool overlaps(const Rule &rule, uint32_t producer, uint32_t i) const;
  bool isPair(const Rule &rule, const Shadow &shadow, uint32_t i, const State &state) const;
  bool isOnOnePath(const Rule &rule, uint32_t reader) const;
  std::optional<bool> passForwarding(const Rule &rule, uint32_t i, unsigned &count, unsigned &newer, bool &execWritten,
                                     llvm::function_ref<bool()> takeResults) const;
  void spawn(uint32_t i, State &state) const;
  bool hasNumber(const Rule &rule, const Use &use) const;
  bool countsCallers() const;
  bool mayReturnTo(const Shadow &shadow, uint32_t from, uint32_t to) const;

  const Program &program;
  const Table &table;
  const Rule *scalarRule = nullptr, *forwarding = nullptr;
  uint32_t active = 0; ///< rules that some instruction of the program is a second of
  std::vector<Use> uses;
  std::vector<uint32_t> after, before;         ///< by instruction: bit sets of rules that it is a first or second of
  std::vector<uint8_t> cycles;                 ///< by instruction: of the matrix core
  llvm::DenseMap<uint32_t, MatrixSlots> slots; ///< by instruction, of matrix instructions
  std::vector<std::optional<State>> entries;   ///< by block
};

} // namespace inflight::hazards::shadow
