// Which operation a need is about, and on which path it may still be in flight.
#pragma once

#include "waits/flow/Needs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace inflight::waits {

/// Of Cause::Late: where the waves are that make the other access.
enum class Meeting : uint8_t {
  Anywhere,
  Here,     ///< at the same barrier, and have come the same way
  Elsewhere ///< at a partner
};

/// What is looked for: an operation that `need` is about, on that counter.
struct Wanted {
  const Need &need;
  Counter counter;
  uint32_t conflict = ~0u;  ///< of Cause::Late
  bool isCertain = false;   ///< none whose LDS bytes may be others
  bool resultsOnly = false; ///< of Cause::Fence: none that writes neither registers nor LDS
  /// Whether an operation is none after all, on a path through blocks from its own to the user's; null: each is one.
  llvm::function_ref<bool(uint32_t op, llvm::ArrayRef<uint32_t> path)> isNoalias = nullptr;
  /// Whether an operation brings to the user's registers what the user itself will; null: none does.
  llvm::function_ref<bool(uint32_t op)> bringsTheSame = nullptr;
  Facts facts = noFacts; ///< that must hold at the end of the need's block
  Meeting meeting = Meeting::Anywhere;
};

struct Producer {
  uint32_t op = 0;            ///< in Graph::ops
  unsigned age = 0;           ///< operations of its class issued after it on the path
  RegRange registers;         ///< that it writes and the user touches; empty for LDS
  std::vector<uint32_t> path; ///< blocks from the producer's to the user's
};

struct Found {
  std::optional<Producer> producer; ///< the youngest, when control can take its path for all that is known of branches
  bool isFromOutside = false;       ///< a caller's may be in flight
  bool isFromAnywhere = false;      ///< what a jump or call that isn't known leaves may be
  bool isOpen = false;              ///< control can't come the producer's path; whether on another isn't known
  bool isTooMuch = false;           ///< isOpen, as there are too many paths
  bool isImpossible =
      false; ///< on no path that control can take is anything in flight that the user needs on the counter
};

/// Searches over the paths of a graph. Its answers are kept, and its work is bounded: of all searches together, and of
/// each one, so that a program with more paths than that costs no more.
class PathSearch {
public:
  explicit PathSearch(const Graph &graph LLVM_LIFETIME_BOUND);

  Found findProducer(const Wanted &wanted);
  /// Whether control can come from a barrier to an access by a path without another one, for all that is known of
  /// branches; `partsNoWaves`: by one that all waves take which leave the barrier. False when there are too many.
  bool isReachedAfter(uint32_t barrier, uint32_t access, bool partsNoWaves);
  /// Of Cause::Late: whether one path that control can take leads from a producer over the barrier to the conflict, so
  /// that both may be of waves that go the same way. False when there are too many.
  bool isOnePath(const Wanted &wanted);
  /// Of Cause::Late: what is in flight at the barrier on some path that control can take and meets, or may meet, an
  /// access that other waves come to after it, whichever. What all waves decide alike holds for both. `certain`: whose
  /// bytes are known to be the same ones, each with another access.
  struct Meetings {
    struct One {
      uint32_t conflict;
      Producer producer;
    };
    llvm::SmallVector<One, 4> certain;
    std::optional<One> perhaps;
    bool isTooMuch = false; ///< there are too many paths
    bool areRuledOut() const { return certain.empty() && !perhaps && !isTooMuch; }
  };
  Meetings findMeetings(const Need &need, Counter counter);

private:
  friend class Search;
  enum class Answer : uint8_t { No, Yes, TooMuch };
  /// Whether control can come to the block's end so that these facts hold.
  Answer canCome(uint32_t block, Facts facts);
  std::optional<Facts> factsBefore(Facts after, uint32_t from, uint32_t to) const;
  /// Takes from what is left for this search; false when nothing is.
  bool spend(unsigned work) { return (left -= work) > 0 && (*ofAll -= work) > 0; }
  void begin(int64_t &ofAll);
  void begin() { begin(leftOfAll); }
  /// Of the paths from a barrier to an access without another one: what must hold at the end of the barrier's block.
  /// Until `visit` returns true; whether it did. False when there are too many.
  bool visitPathsAfter(uint32_t barrier, uint32_t access, bool partsNoWaves,
                       llvm::function_ref<bool(Facts facts)> visit);
  /// What must hold at the end of the barrier's block for control to come from there to an access without another
  /// barrier, of what waves in step decide alike; for each access, but each done to the same bytes once. None when
  /// there are too many paths.
  std::optional<std::vector<std::pair<uint32_t, Facts>>> accessesAfter(uint32_t barrier);
  /// Operations that the counter counts and that finish in no order.
  llvm::ArrayRef<uint32_t> unorderedOf(Counter counter);

  const Graph &graph;
  /// Whether control can come to the end of a block with facts.
  llvm::DenseMap<std::pair<uint32_t, Facts>, bool> known;
  PerCounter<std::optional<std::vector<uint32_t>>> unordered;
  int64_t left = 0, leftOfAll, leftToRuleOut;
  int64_t leftOfShortest;      ///< for all shortest paths together
  int64_t *ofAll = &leftOfAll; ///< what the search that runs takes from
};

} // namespace inflight::waits
