// What would make a launch faster, and by how much: each change is tried on the timed model. Weaker waits are written
// and run; what nobody can write for the author - another layout of LDS, fewer registers, loads issued earlier - is
// supposed (machine/timed/Suppositions.h), so its gain is a bound.
#pragma once

#include "machine/timed/TimedRun.h"
#include "trace/run/Verdict.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace inflight::advise {

struct Request {
  llvm::StringRef bytes, name; ///< of the code object
  const CodeObject *object = nullptr;
  const Kernel *kernel = nullptr;
  machine::timed::TimedOptions timed; ///< without a sink
  unsigned waits = 5;                 ///< that are tried, those that cost most
  /// Runs the launch with time, each time on the same memory. The code object is the one above, or it with other waits.
  std::function<llvm::Expected<machine::timed::TimedStats>(const CodeObject &, const Kernel &,
                                                           const machine::timed::TimedOptions &)>
      launch;
};

enum class Kind : uint8_t { Waits, Conflicts, Occupancy, Wait, AllWaits };

struct Advice {
  Kind kind = Kind::Waits;
  double gain = 0;        ///< of the launch's time; negative if it would take longer
  bool isApplied = false; ///< the change was made and run; else its effect was supposed
  std::string change;     ///< "hold 4 workgroups on a CU instead of 3"
  std::vector<std::string> details;
  std::optional<uint64_t> address; ///< of the instruction that it is about
  std::string instruction, source; ///< empty where unknown
};

struct PipeShare {
  std::string name;
  double busy = 0; ///< of the time
};

struct Advisory {
  std::string kernel, chip, device;
  double cycles = 0, microseconds = 0; ///< of the launch on the whole device, as it is
  events::Accuracy accuracy;           ///< of microseconds
  trace::Verdict verdict;
  std::vector<PipeShare> pipes;       ///< the busiest first
  std::vector<Advice> advice;         ///< all that was tried, the largest gain first
  std::optional<std::string> relaxed; ///< the code object with weaker waits, if there are any to weaken
};

/// Errors are those of the launch as it is. A change that can't be tried is left out.
llvm::Expected<Advisory> advise(const Request &request);

/// What gains less than `least` of the time is listed in a line of its own.
void print(llvm::raw_ostream &os, const Advisory &advisory, double least);
llvm::json::Object object(const Advisory &advisory);

} // namespace inflight::advise
