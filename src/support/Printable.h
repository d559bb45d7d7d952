// Text of files, shown: names and lines that strangers wrote must not speak to the terminal or begin lines of their
// own.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace inflight {

/// The text with control characters, what turns the direction of writing, and what is no UTF-8 as \x1b and \u{202e}.
std::string printable(llvm::StringRef text);

/// The same for a message of several lines: ends of lines and tabs stay.
std::string printableLines(llvm::StringRef text);

} // namespace inflight
