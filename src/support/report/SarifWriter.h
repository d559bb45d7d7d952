// SARIF as it comes: of a report about many files none has to be kept.
#pragma once

#include "support/report/Report.h"
#include <memory>
#include <set>

namespace llvm::json {
class OStream;
}

namespace inflight {

class SarifWriter {
public:
  explicit SarifWriter(llvm::raw_ostream &os LLVM_LIFETIME_BOUND);
  ~SarifWriter();
  void add(llvm::ArrayRef<ReportItem> items, llvm::StringRef artifact);
  void finish();

private:
  llvm::raw_ostream &os;
  std::unique_ptr<llvm::json::OStream> json;
  std::set<std::string> rules;
};

} // namespace inflight
