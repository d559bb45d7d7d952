// Which findings matter how much: -Wrule, -Wno-rule, -Werror, -Werror=rule, as compilers have it.
#pragma once

#include "support/report/Report.h"

namespace inflight {

struct RuleSpec {
  llvm::StringRef name;
  Level level; ///< without flags
};

class RuleLevels {
public:
  explicit RuleLevels(llvm::ArrayRef<RuleSpec> rules);
  /// A flag without "-W": "undecided", "no-undecided", "error", "error=undecided", "no-error=undecided", "all". Later
  /// ones win. An error lists the rules there are.
  llvm::Error apply(llvm::StringRef flag);
  /// `most`: no more than that unless -Werror= names the rule, or -Werror takes warnings for errors.
  Level of(llvm::StringRef rule, Level most = Level::Error) const;
  /// Whether a flag names the rule.
  bool isNamed(llvm::StringRef rule) const;

private:
  struct Entry {
    llvm::StringRef name;
    Level level;
    bool isFixed = false; ///< as an error or not, whatever -Werror says
    bool isNamed = false;
  };
  Entry *find(llvm::StringRef rule);
  std::vector<Entry> entries;
  bool areErrors = false;
};

} // namespace inflight
