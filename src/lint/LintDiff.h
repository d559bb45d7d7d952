// What changed in the waits between two versions of a file.
#pragma once

#include "lint/Lint.h"

namespace inflight::lint {

struct NamedBytes {
  llvm::StringRef bytes, name;
};

/// The status is findingsStatus when the second version waits more; text, JSON or a report are in `out`.
llvm::Expected<LintResult> lintDiff(NamedBytes before, NamedBytes after, const LintRequest &request);

} // namespace inflight::lint
