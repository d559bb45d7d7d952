// `inflight waits --diff A B`.
#pragma once

#include "cli/WaitsFile.h"

namespace inflight::cli {

/// Writes what changed; the exit status, or an error.
llvm::Expected<int> diffFiles(llvm::StringRef before, llvm::StringRef after, const WaitsRequest &request);

} // namespace inflight::cli
