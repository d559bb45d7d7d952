// The sources of a run's code, as far as they may be shown (support/SourceText): a trace is handed on.
#pragma once

#include "events/Events.h"
#include "support/report/SourceText.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inflight::trace {

/// A frame of CodeLine::source: "file.cpp:12", line 0 if it has none.
struct SourcePlace {
  llvm::StringRef file;
  unsigned line = 0;
};
/// Innermost first.
std::vector<SourcePlace> placesOf(llvm::StringRef source);
/// The user's own: the innermost that is no system header (isSystemSource), else the innermost; "file.cpp:12"
/// without folders, or empty.
std::string ownPlace(llvm::StringRef source);

class SourceFiles {
public:
  /// Contents by name of those files that `info`'s code names and that may be shown.
  std::map<std::string, std::string> contents;
  unsigned leftOut = 0; ///< files that are there and may not be shown

  SourceFiles(const events::RunInfo &info, const SourcePolicy &policy);
};

} // namespace inflight::trace
