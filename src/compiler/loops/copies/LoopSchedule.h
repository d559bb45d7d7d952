// What the waves do in an iteration of a loop whose copies run ahead, in their order. PipelineLoop builds the loop from
// it: what precedes and follows the loop, and which copies and waits its last iterations have, comes of the same data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace inflight::loops {

struct LoopPlan;

/// The waves that execute something; Any unless two halves of them alternate.
enum class Half : uint8_t { Any, Early, Late };

struct Action {
  enum class Kind : uint8_t {
    Wait,         ///< until the wave's copies to a buffer have arrived and its reads of the buffer have returned
    Barrier,      ///< of all waves, or of one half's
    FullBarrier,  ///< with a wait for all that is in flight
    PacedBarrier, ///< orders nothing: keeps waves that are ahead from filling the queue with copies
    Load,         ///< what the loop loads into registers and tiles don't hold
    Read,         ///< memory, where halves of the waves read and compute apart; nothing in other loops
    Copy,         ///< tiles to a buffer
    Fetch,        ///< into registers what lanes store to tiles themselves
    Stage,        ///< what they have fetched to a buffer, as it is to be there
    Interleave,   ///< asks the scheduler to put the copies before it between the reads before them
    Compute,      ///< all that no other action does
    Prefer,       ///< what follows, of all waves of the SIMD
    Defer,
  };
  Kind kind;
  unsigned later = 0;            ///< the iteration that it is for, counted from the one that executes it
  unsigned begin = 0, end = ~0u; ///< of an iteration's copies
  unsigned onlyWith = 0;         ///< stands where there is the iteration so many later
  Half half = Half::Any;         ///< of the waves, that executes it
  bool isByHalf = false;         ///< each half executes it in a branch of its own, with those around it that are, too
};

struct LoopSchedule {
  std::vector<Action> before; ///< the loop; its "iteration that executes it" is the loop's first
  std::vector<Action> iteration;
  std::vector<Action> after;
  /// Iterations that copies are started or data is fetched ahead.
  unsigned ahead() const;
  /// The iteration, a bar for each barrier: "wait +0 | load +1, copy +2, compute".
  std::string text() const;
};

/// One buffer, copies and computation in turn.
LoopSchedule takingTurns(const LoopPlan &plan);
/// The one for a plan's loop, buffers and halves of the waves.
LoopSchedule chooseSchedule(const LoopPlan &plan);

} // namespace inflight::loops
