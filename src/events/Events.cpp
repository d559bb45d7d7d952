#include "events/Events.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::events {

StringRef name(Category category) {
  static const StringRef names[] = {"SALU", "SMEM", "VALU", "MFMA", "VMEM", "FLAT", "LDS", "branch", "internal"};
  static_assert(std::size(names) == size_t(Category::Count));
  return names[size_t(category)];
}

StringRef name(Stall stall) {
  static const StringRef names[] = {"fetch",      "dependency", "waitcnt",  "barrier", "sleep",
                                    "queue full", "pipe busy",  "LDS busy", "arbiter"};
  static_assert(std::size(names) == size_t(Stall::Count));
  return names[size_t(stall)];
}

StringRef name(Pipe pipe) {
  static const StringRef names[] = {"none", "SALU", "scalar cache", "VALU", "MFMA", "LDS", "texture", "branch"};
  static_assert(std::size(names) == size_t(Pipe::Count));
  return names[size_t(pipe)];
}

std::string OccupancyLimit::needed() const {
  const std::string what = resource == "LDS" ? "bytes of LDS per workgroup" : resource + " per wave";
  return formatv("at most {0} {1} (now {2})", most, what, has);
}

StringRef name(Level level) {
  static const StringRef names[] = {"none", "LDS", "scalar cache", "L1", "L2", "MALL", "HBM"};
  static_assert(std::size(names) == size_t(Level::Count));
  return names[size_t(level)];
}

std::string range(const Accuracy &accuracy) {
  return accuracy.launches ? formatv("{0:f2} to {1:f2} us", accuracy.least, accuracy.most).str()
                           : "outside of what was compared";
}

json::Object object(const Accuracy &accuracy) {
  json::Object object{{"bound", accuracy.bound}, {"launches", accuracy.launches}};
  if (accuracy.launches) {
    object["least_microseconds"] = accuracy.least;
    object["most_microseconds"] = accuracy.most;
  }
  return object;
}

} // namespace inflight::events
