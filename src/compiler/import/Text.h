// MLIR as text: what has to be found before the parser sees it.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace inflight::import {

/// Positions in MLIR text, past strings and comments. All functions take any text: where nothing
/// matches they return its length.
class Text {
public:
  explicit Text(llvm::StringRef text LLVM_LIFETIME_BOUND) : text(text) {}

  size_t size() const { return text.size(); }
  char at(size_t position) const { return position < text.size() ? text[position] : '\0'; }
  llvm::StringRef slice(size_t from, size_t to) const { return text.slice(from, to); }

  /// The first position from `from` on that is neither white space nor in a comment.
  size_t skipSpace(size_t from) const;
  /// Past the token at `from`: a string, a run of the characters of names, or one character.
  size_t skipToken(size_t from) const;
  /// Past the bracket that closes the one at `from`.
  size_t skipBrackets(size_t from) const;
  bool isOpening(size_t position) const { return at(position) == '(' || at(position) == '[' || at(position) == '{'; }
  bool isClosing(size_t position) const { return at(position) == ')' || at(position) == ']' || at(position) == '}'; }

private:
  llvm::StringRef text;
};

/// Whether `c` can be part of a name, a keyword or an operation.
bool isNameCharacter(char c);

/// Spaces for all but the ends of lines, so that places stay what they are.
void blank(std::string &text, size_t from, size_t to);

} // namespace inflight::import
