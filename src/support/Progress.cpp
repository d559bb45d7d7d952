#include "support/Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <cmath>

using namespace llvm;

namespace inflight {

/// Seconds before the first line, and between lines.
static constexpr double patience = 2, interval = 0.2;

Progress::Progress()
    : Progress(errs(), sys::Process::StandardErrIsDisplayed(), [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
      }) {}

Progress::Progress(raw_ostream &os, bool isShown, std::function<double()> now)
    : os(os), isShown(isShown), now(std::move(now)) {
  if (isShown)
    next = this->now() + patience;
}

/// "12 s", "3 min".
static std::string duration(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 2 * minute)
    return formatv("{0} s", uint64_t(std::ceil(seconds)));
  if (seconds < 2 * hour)
    return formatv("{0} min", uint64_t(std::ceil(seconds / minute)));
  return formatv("{0:f1} h", seconds / hour);
}

void Progress::update(StringRef what, uint64_t done, uint64_t total) {
  if (!isShown || !total)
    return;
  const double time = now();
  std::lock_guard<std::mutex> lock(mutex);
  if (step != what || !begun) {
    step = what.str();
    begun = time;
    doneBefore = done;
  }
  if (time < next)
    return;
  next = time + interval;
  os << formatv("\r\x1b[K{0} % of {1} {2}", std::min<uint64_t>(100, done * 100 / total), total, what);
  if (done > doneBefore && done < total)
    os << ", about " << duration((time - begun) * double(total - done) / double(done - doneBefore)) << " left";
  os.flush();
  isOnScreen = true;
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!isOnScreen)
    return;
  os << "\r\x1b[K";
  os.flush();
  isOnScreen = false;
}

} // namespace inflight
