// What LLVM 22's assembler doesn't stand in a text.
#pragma once

#include "isa/Isa.h"
#include "llvm/Support/SourceMgr.h"

namespace inflight {

/// An error when a quote or comment is left open, where the parser may look for its end for ever, or when metadata is
/// no YAML, where it may read through a null pointer.
llvm::Error guardAssembler(const Isa &isa, llvm::StringRef text, llvm::StringRef name);

/// The messages of a run of the parser, up to a number of errors. Notes at the end say what the parser doesn't.
class AssemblerMessages {
public:
  explicit AssemblerMessages(unsigned mostErrors = 100) : mostErrors(mostErrors) {}
  /// False when there are so many that the parser had better stop.
  bool add(const llvm::SMDiagnostic &diagnostic);
  bool empty() const { return text.empty(); }
  /// `fallback` where the parser failed without a word.
  llvm::Error error(llvm::StringRef fallback, llvm::StringRef note) const;

private:
  std::string text;
  unsigned errors = 0, mostErrors;
};

} // namespace inflight
