// How far something is that takes its time, and about how long it still takes: a line on the terminal that goes away.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace inflight {

class Progress {
public:
  /// Shows progress on standard error, if that is a terminal; silent otherwise, and for the first two seconds.
  Progress();
  /// `now` in seconds.
  Progress(llvm::raw_ostream &os, bool isShown, std::function<double()> now);
  ~Progress() { clear(); }
  /// Any thread may call it. `what` names the step: "workgroups"; its estimate comes from its own pace.
  void update(llvm::StringRef what, uint64_t done, uint64_t total);
  /// Takes the line away, before something else is printed.
  void clear();

private:
  llvm::raw_ostream &os;
  const bool isShown;
  const std::function<double()> now;
  std::mutex mutex;
  std::string step;
  double begun = 0;        ///< the step
  uint64_t doneBefore = 0; ///< when it had begun
  double next = 0;         ///< when to print
  bool isOnScreen = false;
};

} // namespace inflight
