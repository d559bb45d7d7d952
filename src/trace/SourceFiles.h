// The sources of a run's code, as far as they may be shown. Debug information may name any file of the machine, and a
// trace is handed on: a file is read if its contents have the MD5 sum that the debug information states, or if the user
// named a directory above it.
#pragma once

#include "events/Events.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inflight::trace {

struct SourcePolicy {
  bool isOff = false;         ///< none at all
  std::string directory = {}; ///< files below it are shown whatever their sums; empty: no such directory
};

/// A frame of CodeLine::source: "file.cpp:12", line 0 if it has none.
struct SourcePlace {
  llvm::StringRef file;
  unsigned line = 0;
};
/// Innermost first.
std::vector<SourcePlace> placesOf(llvm::StringRef source);
/// The user's own: the innermost that is not in a folder of headers ("/include/"), else the innermost; "file.cpp:12"
/// without folders, or empty.
std::string ownPlace(llvm::StringRef source);

class SourceFiles {
public:
  /// By name, the contents of those files that `info`'s code names and that may be shown.
  std::map<std::string, std::string> contents;
  unsigned leftOut = 0; ///< files that are there and may not be shown

  SourceFiles(const events::RunInfo &info, const SourcePolicy &policy);
};

} // namespace inflight::trace
