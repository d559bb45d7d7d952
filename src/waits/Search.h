// Which operation a need is about, and on which path it may still be in flight.
#pragma once

#include "waits/Needs.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>

namespace inflight::waits {

/// Whether control can take these paths, by their blocks: needs of the same block ask for the same ones.
struct KnownPaths {
  using Answers = std::map<std::vector<uint32_t>, bool>;
  Answers byThemselves, fromBefore; ///< in itself; by one of the paths to its first block
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
  KnownPaths *known = nullptr; ///< of this graph, kept from need to need; null: found anew
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
  bool isImpossible =
      false; ///< on no path that control can take is anything in flight that the user needs on the counter
};
Found findProducer(const Graph &graph, const Wanted &wanted);

/// A path without another barrier from one to an access after it.
struct PathAfter {
  std::vector<uint32_t> path; ///< blocks, from the barrier's to the access's; empty when there is none
  bool isOpen = false;        ///< whether there is one isn't known: too many paths
};
/// One that control can take, for all that is known of branches; `partsNoWaves`: all waves that leave the barrier take
/// it.
PathAfter findPathAfter(const Graph &graph, uint32_t block, uint32_t barrier, uint32_t access, bool partsNoWaves);

} // namespace inflight::waits
