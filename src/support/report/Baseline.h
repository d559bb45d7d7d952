// Findings that are known and accepted: a text file with a line for each, which stays true when lines move.
#pragma once

#include "support/report/Report.h"
#include <map>

namespace inflight {

class Baseline {
public:
  /// Errors name the line.
  static llvm::Expected<Baseline> parse(llvm::StringRef text, llvm::StringRef name);
  void add(llvm::ArrayRef<ReportItem> items);
  /// The text that parse() reads.
  std::string format() const;

  /// Takes out the items that are known. Each entry stands for one: when the same instructions have the same finding
  /// more often than before, the last ones remain.
  void filter(std::vector<ReportItem> &items) const;

private:
  /// Rule, kernel and instructions of an item.
  static std::string keyOf(const ReportItem &item);
  std::map<std::string, unsigned> counts;
};

} // namespace inflight
