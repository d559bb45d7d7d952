#include "compiler/import/Text.h"

#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::import {

bool isNameCharacter(char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-'; }

size_t Text::skipSpace(size_t from) const {
  while (from < text.size()) {
    if (isSpace(text[from]))
      ++from;
    else if (text[from] == '/' && at(from + 1) == '/')
      from = std::min(text.find('\n', from), text.size());
    else
      break;
  }
  return std::min(from, text.size());
}

size_t Text::skipToken(size_t from) const {
  if (from >= text.size())
    return text.size();
  if (text[from] == '"') {
    for (size_t i = from + 1; i < text.size(); ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        return i + 1;
      else if (text[i] == '\n')
        return i;
    }
    return text.size();
  }
  if (text[from] == '-' && at(from + 1) == '>')
    return from + 2;
  size_t i = from;
  while (i < text.size() && isNameCharacter(text[i]) && !(text[i] == '-' && at(i + 1) == '>'))
    ++i;
  return std::max(i, from + 1);
}

size_t Text::skipBrackets(size_t from) const {
  unsigned depth = 0;
  for (size_t i = from; i < text.size(); i = skipSpace(skipToken(i))) {
    if (isOpening(i))
      ++depth;
    else if (isClosing(i) && --depth == 0)
      return i + 1;
  }
  return text.size();
}

void blank(std::string &text, size_t from, size_t to) {
  to = std::min(to, text.size());
  for (size_t i = from; i < to; ++i)
    if (text[i] != '\n' && text[i] != '\r')
      text[i] = ' ';
}

} // namespace inflight::import
