// What an editor asks about a place in a document, answered from its analysis.
#pragma once

#include "lsp/Analysis.h"
#include "llvm/Support/LSP/Protocol.h"

namespace inflight::lsp {

/// What is in flight before instructions on lines [first, last] of the protocol, where it changes; at waits that are
/// stricter than needed, the weakest value.
std::vector<llvm::lsp::InlayHint> hints(const Analysis &analysis, int first, int last);

/// The instruction, what it waits for and what is in flight before it; while the text doesn't assemble what a mnemonic
/// means. None where there is neither.
std::optional<llvm::lsp::Hover> hover(const Analysis &analysis, llvm::lsp::Position position);

/// What may stand at the position: mnemonics of the chip, counters of a wait.
std::vector<llvm::lsp::CompletionItem> completions(const Analysis &analysis, llvm::lsp::Position position);

/// One change of the document.
struct Fix {
  std::string title;
  std::string rule; ///< of the finding that it mends; empty: it makes the code better
  llvm::lsp::TextEdit edit;
};
/// For findings and waits on lines [first, last] of the protocol.
std::vector<Fix> fixes(const Analysis &analysis, int first, int last);

/// Of a register where it got its value, on any path; of a label where it stands; of a memory operation's mnemonic the
/// waits that cover it, and of a wait's the operations that it waits for.
std::vector<llvm::lsp::Range> definitions(const Analysis &analysis, llvm::lsp::Position position);

/// All places of the label under the position. None: there is no label.
std::vector<llvm::lsp::Range> labelPlaces(const Analysis &analysis, llvm::lsp::Position position);
/// Whether the assembler takes the text as a label's name.
bool isLabelName(llvm::StringRef name);

/// Where the label of that name stands.
std::optional<llvm::lsp::Range> labelNamed(const Analysis &analysis, llvm::StringRef name);

/// For each kernel its label's line and what it takes: registers, LDS, occupancy.
std::vector<std::pair<int, std::string>> lenses(const Analysis &analysis);

/// First and last lines of loops, innermost ones too.
std::vector<std::pair<int, int>> loopLines(const Analysis &analysis);

} // namespace inflight::lsp
