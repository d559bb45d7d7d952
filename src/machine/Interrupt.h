// How a run that lasts is ended by the one who has called it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace inflight::machine {

/// Made by the thread that calls the run. Any thread of the run may poll it.
class Interrupt {
public:
  /// `wanted` is asked on the caller's thread alone, some times a second, and never again once it has said yes.
  explicit Interrupt(std::function<bool()> wanted) : wanted(std::move(wanted)) {}

  /// Whether the run is to end. Cheap enough for every few thousand instructions.
  bool poll() {
    if (set)
      return true;
    if (std::this_thread::get_id() != owner)
      return false;
    const auto now = std::chrono::steady_clock::now();
    if (now < next)
      return false;
    const bool isWanted = wanted();
    set = isWanted;
    next = std::chrono::steady_clock::now() + pause;
    return isWanted;
  }
  bool isSet() const { return set; }
  /// Between two questions.
  static constexpr std::chrono::milliseconds pause{50};

private:
  const std::function<bool()> wanted;
  const std::thread::id owner = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next = std::chrono::steady_clock::now() + pause;
  std::atomic<bool> set = false;
};

/// For null as for one that is never set.
inline bool isInterrupted(Interrupt *interrupt) { return interrupt && interrupt->poll(); }

} // namespace inflight::machine
