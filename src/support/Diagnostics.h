// Errors as the user sees them: `file:line:col: error: message`, with notes.
//
// Library code returns llvm::Error / llvm::Expected. An error that knows its place is made with
// errorAt(); everything else with llvm::createStringError. The command line prints either.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inflight {

/// A place in a file the user gave. Lines and columns count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// An error with a place and optional notes. Its message is the complete clang-style text.
class LocatedError : public llvm::ErrorInfo<LocatedError> {
public:
  static char ID;
  LocatedError(SourceLocation location, std::string message)
      : location(std::move(location)), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  SourceLocation location;
  std::string message;
};

llvm::Error errorAt(SourceLocation location, const llvm::Twine &message);

/// An error that concerns a whole file or no file at all.
llvm::Error makeError(const llvm::Twine &message);

/// Writes `contents` to `path` whole or not at all (temporary file in the same directory, then
/// rename); "-" is standard output.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

/// Reads a whole file; "-" is standard input. The error names the file.
llvm::Expected<std::string> readFile(llvm::StringRef path);

} // namespace inflight
