#include "lsp/DocumentText.h"

#include "program/assemble/AssemblyText.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;
using llvm::lsp::Position;
using llvm::lsp::Range;

namespace inflight::lsp {

DocumentText::DocumentText(std::string contents) : text(std::move(contents)), starts{0} {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      starts.push_back(i + 1);
}

StringRef DocumentText::line(size_t number) const {
  if (number >= starts.size())
    return {};
  const size_t end = number + 1 < starts.size() ? starts[number + 1] : text.size();
  return StringRef(text).slice(starts[number], end).rtrim("\r\n");
}

bool isNamePart(char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '@'; }

std::pair<size_t, StringRef> DocumentText::wordAt(size_t offset) const {
  size_t begin = offset, end = offset;
  while (begin && isNamePart(text[begin - 1]))
    --begin;
  while (end < text.size() && isNamePart(text[end]))
    ++end;
  return {begin, StringRef(text).slice(begin, end)};
}

/// What a byte of UTF-8 adds to a length in UTF-16: continuations nothing, what needs four bytes two units.
static unsigned unitsOf(char byte) {
  const auto value = uint8_t(byte);
  return (value & 0xc0) == 0x80 ? 0 : value >= 0xf0 ? 2 : 1;
}

Position DocumentText::positionOf(size_t offset) const {
  offset = std::min(offset, text.size());
  const size_t line = size_t(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin()) - 1;
  int units = 0;
  for (size_t i = starts[line]; i < offset; ++i)
    units += int(unitsOf(text[i]));
  return {int(line), units};
}

size_t DocumentText::offsetOf(Position position) const {
  const size_t number = size_t(std::max(position.line, 0));
  if (number >= starts.size())
    return text.size();
  const StringRef content = line(number);
  size_t at = 0;
  for (int units = 0; at < content.size() && units < position.character; ++at)
    units += int(unitsOf(content[at]));
  while (at < content.size() && !unitsOf(content[at]))
    ++at;
  return starts[number] + at;
}

Range DocumentText::statementAt(const SourceLocation &place) const {
  const size_t number = place.line ? place.line - 1 : 0;
  const StringRef content = line(number);
  if (number >= starts.size())
    return positionOf(text.size());
  if (!place.column)
    return {positionOf(starts[number]), positionOf(starts[number] + content.size())};
  const size_t begin = starts[number] + std::min<size_t>(place.column - 1, content.size());
  const size_t length = begin < text.size() ? AssemblyText(text).statementLength(uint32_t(begin)) : 0;
  const size_t end = std::min(begin + std::max<size_t>(length, 1), starts[number] + content.size());
  return {positionOf(begin), positionOf(end)};
}

} // namespace inflight::lsp
