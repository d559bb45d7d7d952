// What is undone when somebody interrupts the program: Ctrl-C, kill, a terminal that closes.
#pragma once

#include <functional>
#include <mutex>

namespace inflight {

/// While it lives, an interrupt first removes the temporary files of OutputFile, calls `undo` in a thread of its own,
/// and then ends the program by the signal that came. The other threads run on meanwhile.
class OnInterrupt {
public:
  explicit OnInterrupt(std::function<void()> undo);
  ~OnInterrupt();
  OnInterrupt(const OnInterrupt &) = delete;
  OnInterrupt &operator=(const OnInterrupt &) = delete;
  const std::function<void()> undo;
};

/// Interrupts wait until it is released.
[[nodiscard]] std::unique_lock<std::recursive_mutex> holdInterrupts();

} // namespace inflight
