// What a program's or a recording's launches have taken: a table of kernels, the same as rocprofv3's file, a timeline.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace inflight::cli {

struct Arguments;

class RunLog {
public:
  /// An object of the log that docs/hip.md describes.
  void add(llvm::json::Object object);
  /// Lines of it.
  void addLines(llvm::StringRef text);
  bool hasFindings() const { return findings != 0; }
  uint64_t faults() const { return faultCount; } ///< kernels that couldn't go on
  /// Calls, total, mean, least, most, share of each kernel, the most expensive first; instructions where no time was
  /// modelled. Then how much of the whole time no kernel ran.
  void printTable(llvm::raw_ostream &os) const;
  /// The columns of rocprofv3's kernel_stats.csv.
  llvm::Error writeCsv(llvm::StringRef path) const;
  /// Chrome's trace format, which Perfetto reads: a track for each stream, kernels as slices, copies as instants.
  llvm::Error writeTimeline(llvm::StringRef path) const;

private:
  /// Sums over one kernel's launches, of modelled microseconds or of instructions.
  struct Total {
    uint64_t calls = 0;
    double sum = 0, squares = 0, least = 0, most = 0;
    double mean() const { return sum / double(calls); }
    double deviation() const;
  };
  std::map<std::string, Total> totals() const;
  /// Each kernel's name and total, the most expensive first, and the sum of all.
  struct Costs {
    std::vector<std::pair<std::string, Total>> rows;
    double all = 0;
  };
  Costs byCost() const;
  bool isTimed() const;

  std::vector<llvm::json::Object> objects;
  uint64_t findings = 0, faultCount = 0;
};

/// --stats, --csv and --timeline.
llvm::Error concludeLog(const Arguments &arguments, const RunLog &log);

} // namespace inflight::cli
