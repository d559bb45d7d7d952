// Wait states that a chip wants between two instructions (data/hazards.json lists the rules and their sources).
#pragma once

#include "hazards/Access.h"
#include "isa/timing/MatrixPasses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace llvm::json {
class Array;
}

namespace inflight::hazards {

/// Whether a shortage of wait states is wrong, or only against a rule that hardware seems not to need.
enum class Gravity : uint8_t { Advice, Error };

/// A number of wait states, perhaps by the passes of the first instruction, a matrix instruction.
struct States {
  unsigned fixed = 0;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 4> byPasses; ///< ascending
  unsigned of(unsigned passes) const;
  unsigned most() const;
};

/// One rule: between `producer` and a later `consumer` that use a register in these roles there must be so many
/// wait states.
struct Rule {
  enum class Match : uint8_t { Any, Same, Different, SameRegisters, OtherRegisters, SameOpcode, OtherOpcode };
  std::string name;
  std::string text; ///< for messages: "VALU writes SGPR, VMEM reads it"
  Kinds producer = 0, consumer = 0;
  Roles produces = 0, consumes = 0; ///< 0: whatever registers
  Match match = Match::Any;
  Kinds between = 0; ///< counts only if such an instruction stands between
  States states;
  States adviceFrom;      ///< with so many a shortage is advice; not used if `isAdvice`
  bool hasAdvice = false; ///< `adviceFrom` is given
  bool isAdvice = false;  ///< whatever stands between
  std::string source;     ///< "isa_manual", "llvm_codegen"
  std::string evidence;   ///< why it is advice
  unsigned statesFor(unsigned passes) const { return states.of(passes); }
  /// How grave a shortage is with so many wait states' time between the two instructions.
  Gravity gravityAt(unsigned elapsed, unsigned passes) const;
};

/// What stands between two instructions.
struct Between {
  Kinds kinds = 0;
  // Matrix instructions run one after the other: a newer one's result hides an older one's in the same register, and
  // when it reads its accumulator an older one has read the same registers.
  llvm::SmallVector<RegRange, 4> matrixResults, matrixAccumulators;
  void add(const Access &access);
};

/// The rules that instructions of an opcode may take part in, by the registers they use: more than they do, never less.
struct Candidates {
  OpcodeFacts facts;
  unsigned passes = 0, passesOfNarrow = 0; ///< of matrix instructions; the second where neither factor is FP8 or BF8
  enum Use : unsigned { Always, VectorWrite, VectorRead, ScalarWrite, ScalarRead, UseCount };
  uint64_t produces[UseCount] = {}, consumes[UseCount] = {}; ///< bit sets of rules
  uint8_t reach[UseCount] = {};                              ///< wait states that what it produces can want
  bool isMatrix = false;
  bool waitsForMatrixCore = false;
  bool between = false;   ///< some rule counts only with such an instruction in the middle
  bool readsM0 = false;   ///< though the tables don't list it
  bool usesHwReg = false; ///< hardware registers are in no table
};

class HazardTable {
public:
  static llvm::Expected<const HazardTable *> get(const Isa &isa);

  /// What a decoded instruction is to the rules.
  Access accessOf(const Isa &isa, const llvm::MCInst &inst) const;
  /// The access reads and writes the vector registers of these as well.
  void addVectors(Access &access, llvm::ArrayRef<RegRange> reads, llvm::ArrayRef<RegRange> writes) const;

  struct Requirement {
    unsigned states = 0;
    const Rule *rule = nullptr; ///< one of those that want so many
  };
  /// Wait states needed between `first` and a later `second`.
  Requirement required(const Access &first, const Access &second, const Between &between = {}) const;
  struct Shortfall : Requirement {
    Gravity gravity = Gravity::Advice;
  };
  /// The gravest that is wrong with `found` wait states between the two, and of those what wants most. `elapsed` is
  /// `found` with the time in which instructions between them are known to stall.
  Shortfall shortfall(const Access &first, const Access &second, const Between &between, unsigned found,
                      unsigned elapsed) const;
  /// Instructions that wait until the matrix core has taken all passes of the one before.
  Kinds waitingForMatrixCore() const { return waiting; }
  /// Wait states' time that a taken jump stalls, its own not counted.
  unsigned jumpStall() const { return stallOfJump; }
  const Candidates &candidates(const Isa &isa, const InstrDesc &desc) const LLVM_LIFETIME_BOUND;
  /// Bit set of the rules that don't ask for a common register.
  uint64_t rulesWithoutRegisters() const { return withoutRegisters; }
  /// Bit set of the rules about registers that the first instruction reads.
  uint64_t rulesAboutSources() const { return aboutSources; }
  /// No rule reaches further.
  unsigned maximumDistance() const { return theMaximum; }
  /// Passes (groups of 4 cycles) of a matrix instruction. `narrowFormats`: neither factor is FP8 or BF8.
  /// An unlisted one is taken for the slowest there is.
  unsigned passesOf(llvm::StringRef mnemonic, bool narrowFormats = false) const {
    return passes->of(mnemonic, narrowFormats);
  }
  bool knowsPassesOf(llvm::StringRef mnemonic) const { return passes->knows(mnemonic); }
  llvm::ArrayRef<Rule> rules() const LLVM_LIFETIME_BOUND { return theRules; }

private:
  llvm::Error loadRules();
  llvm::Error loadStalls(const llvm::json::Array &entries);
  void visitShort(const Access &first, const Access &second, const Between &between, unsigned least,
                  llvm::function_ref<void(const Rule &, unsigned)> visit) const;
  llvm::Error loadPasses();
  void indexRules();
  void match(Access &access) const;
  Candidates findCandidates(const Isa &isa, const InstrDesc &desc) const;
  /// Sets of rules that one kind, or one role, takes part in.
  struct Side {
    uint64_t byKind[64] = {}, byRole[32] = {}, withoutRole = 0;
    uint64_t rulesFor(Kinds kinds, Roles roles) const;
  };
  Side producers, consumers;
  std::string chip;
  std::vector<Rule> theRules; ///< 64 at most
  const MatrixPasses *passes = nullptr;
  unsigned theMaximum = 0, stallOfJump = 0;
  Kinds waiting = 0;
  uint64_t withoutRegisters = 0, aboutSources = 0;
  Kinds kindsBetween = 0;                                              ///< that some rule wants in the middle
  mutable std::vector<std::atomic<const Candidates *>> candidateSlots; ///< by opcode, filled on demand
  mutable std::vector<std::unique_ptr<Candidates>> ownedCandidates;
  mutable std::mutex candidateMutex;
};

} // namespace inflight::hazards
