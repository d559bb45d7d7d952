// The waits that a graph lacks, and why.
#pragma once

#include "waits/flow/Outstanding.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace inflight::waits {

/// Why an operation needs a wait.
enum class Cause : uint8_t {
  Register,    ///< a result in flight to a register that it reads or writes
  LdsDma,      ///< LDS DMA in flight to bytes that it touches
  LdsRead,     ///< an LDS access in flight that uses bytes which this LDS DMA writes
  Late,        ///< an access in flight at the barrier; another wave touches its bytes after the barrier
  WriteBack,   ///< a cache write-back in flight at a store that publishes
  Fence,       ///< it wants everything done
  Publication, ///< other waves wait for what it writes, and look at a write in flight then
  Order,       ///< the program has waited for an access that other waves can observe
};

/// What a need is about. LDS DMA comes to LDS a memory latency after its issue, so needs of LDS accesses that it
/// overwrites are weaker mistakes than others, and what is a flag isn't known: no reason to say nothing of other needs.
enum class About : uint8_t {
  Use,          ///< anything but the following two
  DmaOverWrite, ///< LDS DMA over bytes that an LDS access in flight writes
  DmaOverRead,  ///< the same over bytes that it reads alone
  Release,      ///< a store that may be a flag in global memory, and what it may tell about
};
inline constexpr unsigned aboutCount = 4;

/// A wait that is missing before `op`.
struct Need {
  uint32_t block = 0, op = 0; ///< op: index in Graph::ops
  About about = About::Use;   ///< when needs are separate; else Use
  WaitCounts counts;
  WaitCounts certain; ///< the part that doesn't rest on LDS accesses which only may overlap
  /// The accesses that meet a late one (Cause::Late) and make the counts what they are; else ~0.
  struct Conflicts {
    PerCounter<uint32_t> counts{~0u}, certain{~0u};
  };
  std::shared_ptr<const Conflicts> conflicts; ///< null: of none
  Cause cause = Cause::Register;              ///< of the strictest
};

/// A wait that stands on the path from one block of the program to another.
struct EdgeWait {
  uint32_t from = 0, to = 0; ///< GraphBlock::origin
  WaitCounts counts;
};

/// The wait on the path from one block to another, if any.
inline const EdgeWait *waitBetween(llvm::ArrayRef<EdgeWait> waits, const GraphBlock &from, const GraphBlock &to) {
  for (const EdgeWait &wait : waits)
    if (wait.from == from.origin && wait.to == to.origin)
      return &wait;
  return nullptr;
}

struct EngineOptions {
  bool keepWaits =
      true; ///< false: as if the program's waits weren't there; what they order for other waves stays in order
  bool ordersAlone = false; ///< needs of that order and no others
  bool fixesNeeds = true;   ///< what is after a missing wait is judged as if it were there
  bool separates = false;   ///< a need of its own for each About
  /// Which barriers meet is not looked for: Engine says when it matters, that is, when an LDS access is in flight at a
  /// barrier or where a wave ends.
  bool partnersIfFound = false;
  llvm::ArrayRef<EdgeWait> edgeWaits;
  /// Waits that stand before these ops instead.
  const llvm::DenseMap<uint32_t, WaitCounts> *placed = nullptr;
  /// What all phases together ask for, by instruction: where one asks for something, it gets that.
  const llvm::DenseMap<uint32_t, WaitCounts> *ofAllPhases = nullptr;
  /// What the program's own waits guarantee where overlap isn't known; such needs ask for no more.
  const struct Guarantees *guarantees = nullptr;
};

/// The weakest waits that make the program correct, beside those it keeps, right before the operations that need
/// them; by block and op.
std::vector<Need> findNeeds(const Graph &graph, const EngineOptions &options = {});
/// The same with the counts that each instruction gets for all its phases, none of which a wait of another one makes
/// superfluous.
std::vector<Need> findNeedsOfInstructions(const Graph &graph, EngineOptions options);

/// An LDS access in flight, whichever op of its kind it is.
struct PendingLds {
  Region region{};
  bool writes = false, isDma = false, isFlat = false;
  bool operator==(const PendingLds &) const = default;
};

struct Guarantees {
  std::vector<Outstanding> outstanding;                         ///< by op
  std::map<uint32_t, llvm::SmallVector<PendingLds, 4>> pending; ///< before LDS accesses and barriers, by op
  std::map<uint32_t, PerCounter<bool>> missing;                 ///< ops that the program lets go too early
};
Guarantees findGuarantees(const Graph &graph);

} // namespace inflight::waits
