#pragma once

#include <string>

namespace inflight::cli {

/// "inflight 0.1.0 (0123456789ab, LLVM 22.1.8)": the commit, with a + where the sources were changed after it.
std::string versionText();

} // namespace inflight::cli
