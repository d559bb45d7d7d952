// Findings of the checkers, written as people, CI jobs and editors read them.
#pragma once

#include "support/Diagnostics.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class Object;
}
} // namespace llvm

namespace inflight {

class SourceText;

/// A place in a program: an instruction, and the source line it comes from where that is known.
struct ProgramPlace {
  SourceLocation source;           ///< file empty: unknown
  std::optional<uint64_t> address; ///< in the code object
  std::string instruction;
};

enum class Level : uint8_t { Ignored, Warning, Error };
/// "warning" or "error", as JSON, SARIF and GitHub's commands have it.
llvm::StringRef levelName(Level level);

struct ReportItem {
  std::string rule;    ///< "in-flight", "race", ...
  std::string message; ///< begins in lower case, no full stop
  ProgramPlace place;
  std::string hint;                                          ///< what would be right; may be empty
  std::vector<std::pair<std::string, ProgramPlace>> related; ///< message and place of the other side
  std::vector<std::pair<std::string, std::string>> facts;    ///< "kernel", "workgroup", "wave", "lane", "times"
  Level level = Level::Error;
  std::string artifact;            ///< the file that the places are in, when a report is about several
  std::optional<uint32_t> number;  ///< among those of a program that others may be covered by
  std::vector<uint32_t> coveredBy; ///< numbers of others: what mends one of them mends this, too
};

enum class ReportFormat { Text, Json, Sarif, Github };

/// The format of that name, or an error that lists them.
llvm::Expected<ReportFormat> parseReportFormat(llvm::StringRef name);

/// The parts of reports about several files.
llvm::json::Object findingObject(const ReportItem &item);

/// The whole report in JSON.
llvm::json::Object reportObject(llvm::ArrayRef<ReportItem> items, llvm::StringRef artifact);

/// `artifact` names the program the places are in. Text and Github write nothing for no items. Text shows lines of
/// `sources` (null: none), on a terminal of so many columns (0: any number).
void writeReport(llvm::raw_ostream &os, llvm::ArrayRef<ReportItem> items, llvm::StringRef artifact, ReportFormat format,
                 SourceText *sources = nullptr, unsigned columns = 0);

} // namespace inflight
