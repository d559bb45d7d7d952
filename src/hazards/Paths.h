// Which wait states a program lacks before an instruction, on every path that leads to it.
#pragma once

#include "hazards/HazardTable.h"
#include "program/Edit.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight::hazards {

/// Two instructions that are too near to each other on some path.
struct Shortage {
  uint32_t producer = 0;
  unsigned found = 0;            ///< wait states between the two
  HazardTable::Requirement need; ///< of more than `found`
  HazardTable::Shortfall worst;  ///< the gravest that is wrong
  unsigned elapsed = 0;          ///< `found` with the stalls known of
  unsigned original = 0;         ///< what `found` is on this path without the pending edits
  uint32_t edge =
      ~0u; ///< predecessor of the consumer's block by which the path comes in; ~0: it doesn't leave the block
  unsigned passed = 0;                 ///< how often it passes the marked place
  llvm::SmallVector<uint32_t, 4> path; ///< blocks from the producer's to the consumer's; empty when they are one
};

/// How to look for shortages.
struct Search {
  bool withinBlock = false;   ///< only in the consumer's block
  bool byEdge = false;        ///< keep the paths into the block apart
  bool asBefore = false;      ///< keep paths apart that differ in what they had without the pending edits
  uint32_t marked = ~0u;      ///< instruction: paths that come by it or end there count it
  uint32_t markedBlock = ~0u; ///< block: paths that fall out of it count it
};

/// A program's instructions as the rules see them. Wait states can be added and taken away.
class Paths {
public:
  /// `pending` are edits of waits: what is judged is the program that they lead to.
  Paths(const Program &program LLVM_LIFETIME_BOUND, const HazardTable &table LLVM_LIFETIME_BOUND,
        llvm::ArrayRef<Edit> pending = {});

  const Program &program;
  const HazardTable &table;

  /// Wait states that the instruction gives.
  uint8_t states(uint32_t i) const { return sites[i].states; }
  void setStates(uint32_t i, unsigned states) { sites[i].states = uint8_t(states); }
  /// Wait states of s_nop to be put before the instruction, and of s_waitcnt.
  uint8_t before(uint32_t i) const { return sites[i].before; }
  void setBefore(uint32_t i, unsigned states) { sites[i].before = uint8_t(states); }
  /// The same after a block, for those who fall through.
  uint8_t statesAfter(uint32_t block) const { return afterBlocks[block]; }
  void setStatesAfter(uint32_t block, unsigned states) { afterBlocks[block] = uint8_t(states); }

  /// Whether anything could be too near before it.
  bool mayLack(uint32_t i) const { return sites[i].consumes; }
  /// Calls `found` for each producer that is too near before `consumer`, perhaps several times for different paths.
  void shortages(uint32_t block, uint32_t consumer, const Search &search,
                 llvm::function_ref<void(const Shortage &)> found);
  /// Calls `visit` with (block, instruction) for what may lack wait states and comes soon after: from `instruction` on,
  /// or from those on that run after `block`.
  void forEachSoonAfter(uint32_t block, uint32_t instruction, llvm::function_ref<void(uint32_t, uint32_t)> visit);

private:
  /// Register units, some to a bit.
  struct Units {
    uint64_t vgprs = 0, others = 0;
    void add(RegRange range);
    bool meets(const Units &other) const { return (vgprs & other.vgprs) | (others & other.others); }
  };
  struct Site {
    uint64_t produces = 0, consumes = 0; ///< bit sets of rules
    Units results, uses;                 ///< written; read or written
    Units kept;                          ///< read, and not to be overwritten at once
    uint8_t reach = 0;                   ///< wait states within which it may matter to others
    uint8_t states = 1, before = 0;
    uint8_t original = 1; ///< wait states without pending edits
    uint8_t passes = 0;   ///< of matrix instructions: at least
    bool isMatrix : 1 = false, between : 1 = false, waitsForMatrixCore : 1 = false;
    bool usesM0 : 1 = false, usesHwReg : 1 = false;
  };
  struct Step {
    uint32_t block = 0, edge = ~0u;
    unsigned found = 0, passed = 0;
    unsigned original = 0; ///< `found` without pending edits and what was placed
    unsigned elapsed = 0;  ///< `found` with the stalls known of
    unsigned waiter =
        0; ///< issue slots from the nearest instruction that waits for the matrix core to the consumer, plus 1; 0: none
    Between between;                      ///< as far as the consumer's registers go
    llvm::SmallVector<uint32_t, 2> calls; ///< blocks after the calls out of which the path came, walking back
    uint32_t towards = ~0u;               ///< the step nearer to the consumer; ~0 in its block
    bool dominates(const Step &other, bool asBefore) const;
  };
  struct Walk {
    uint32_t block, consumer;
    const Search *search;
    llvm::function_ref<void(const Shortage &)> report;
  };
  void describe(uint32_t i);
  void apply(llvm::ArrayRef<Edit> pending);
  void findActiveRules();
  bool walkBack(const Walk &walk, Step &step, uint32_t begin, uint32_t end);
  void walkBlocks(const Walk &walk, Step start);
  void enterPredecessors(const Walk &walk, const Step &begin, uint32_t number);
  bool mayShare(uint32_t producer, uint32_t consumer, uint64_t rules) const;
  void judge(const Walk &walk, const Step &step, uint32_t producer);
  void pass(const Walk &walk, Step &step, uint32_t i);
  const Access &access(uint32_t i);

  std::vector<Site> sites;
  unsigned window = 0;                                ///< nothing in the program matters after so many wait states
  std::vector<uint8_t> afterBlocks;                   ///< by block
  std::vector<uint64_t> incoming;                     ///< by block: rules that something shortly before it may want
  std::vector<Step> steps;                            ///< of one search
  std::vector<uint32_t> visitedIn;                    ///< by block: the search that `visits` is of
  std::vector<llvm::SmallVector<uint32_t, 2>> visits; ///< by block: steps
  std::vector<unsigned> nearest;                      ///< by block, of forEachSoonAfter
  uint32_t searches = 0;
  static constexpr unsigned cached = 64;
  struct CachedAccess {
    uint32_t instruction = ~0u;
    Access access;
  };
  std::vector<CachedAccess> accesses;
};

} // namespace inflight::hazards
