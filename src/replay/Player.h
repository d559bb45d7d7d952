// Plays a recording on the machine: memory at the recorded addresses, copies from the recorded data, launches, and what
// was copied back compared with what was recorded.
#pragma once

#include "replay/Recording.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace inflight::replay {

struct PlayOptions {
  std::string device;   ///< a product or a chip; empty: the recording's, or the newest that it has code for
  std::string checks;   ///< of the chosen launches
  bool isTimed = false; ///< the chosen launches are
  bool isWarm = false;
  uint32_t sample = 0;
  std::string page;            ///< a page of the first chosen launch
  std::string replacement;     ///< bytes of a code object whose kernels run instead of recorded ones of their names
  std::string replacementName; ///< its file, for messages
  bool isLossy = false;        ///< go on where the recording doesn't say what happened
  std::vector<bool> isChosen;  ///< by launch; empty: all
};

struct PlayResult {
  uint64_t launches = 0, findings = 0, comparisons = 0, differences = 0; ///< the last: comparisons that differ
};

/// Messages about findings and differences go to `os`. `log` gets an object for each launch, as INFLIGHT_LOG has them
/// (docs/hip.md), and for each copy where launches are timed. An AddressTaken error: try in another process.
llvm::Expected<PlayResult> play(const Recording &recording, const PlayOptions &options, llvm::raw_ostream &os,
                                llvm::function_ref<void(llvm::json::Object)> log);

} // namespace inflight::replay
