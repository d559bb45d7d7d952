// A document's text with its lines. The protocol counts lines from 0 and columns in UTF-16 units; everything else
// counts both from 1, columns in bytes.
#pragma once

#include "support/Diagnostics.h"
#include "llvm/Support/LSP/Protocol.h"
#include <vector>

namespace inflight::lsp {

/// Of labels, mnemonics and registers.
bool isNamePart(char c);

class DocumentText {
public:
  explicit DocumentText(std::string text);
  DocumentText(const DocumentText &) = delete;
  DocumentText &operator=(const DocumentText &) = delete;

  llvm::StringRef str() const LLVM_LIFETIME_BOUND { return text; }
  /// Without its end; `number` from 0. Empty beyond the last one.
  llvm::StringRef line(size_t number) const LLVM_LIFETIME_BOUND;
  size_t lineCount() const { return starts.size(); }

  llvm::lsp::Position positionOf(size_t offset) const;
  /// Of places beyond a line's or the text's end, that end.
  size_t offsetOf(llvm::lsp::Position position) const;
  /// Where the name begins that the offset is in or at the end of, and the name; empty where there is none.
  std::pair<size_t, llvm::StringRef> wordAt(size_t offset) const LLVM_LIFETIME_BOUND;
  /// From a place to the end of its statement, comments left out; of an unknown one the first line.
  llvm::lsp::Range statementAt(const SourceLocation &place) const;

private:
  std::string text;
  std::vector<size_t> starts;
};

} // namespace inflight::lsp
