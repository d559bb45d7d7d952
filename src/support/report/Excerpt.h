// A line of a source with a caret below it.
#pragma once

#include "support/Diagnostics.h"

namespace llvm {
class raw_ostream;
}

namespace inflight {

/// How findings are shown: what there is room for, and whether there is colour.
struct TextStyle {
  unsigned columns = 0; ///< 0: any number
  bool hasColour = false;
};

/// That of a terminal; without one, plain text as wide as it is.
TextStyle styleOf(const llvm::raw_ostream &os);

/// "kernels/gemm.hip:42:5", without what leads to the current folder.
std::string placeText(const SourceLocation &place);

/// "   42 | text" and below it a caret under the column; a statement that begins there is underlined. Lines that are
/// too long lose their ends.
void writeExcerpt(llvm::raw_ostream &os, llvm::StringRef line, const SourceLocation &place, const TextStyle &style);

} // namespace inflight
