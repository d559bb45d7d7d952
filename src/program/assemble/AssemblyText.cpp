#include "program/assemble/AssemblyText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace llvm;

namespace inflight {

uint32_t AssemblyText::statementLength(uint32_t offset) const {
  size_t end = offset; // after the last character that counts
  for (size_t i = offset; i < text.size(); ++i) {
    switch (text[i]) {
    case '\n':
    case '\r':
    case ';': return end - offset;
    case '/':
      if (i + 1 < text.size() && text[i + 1] == '/')
        return end - offset;
      if (i + 1 < text.size() && text[i + 1] == '*') {
        size_t close = text.find("*/", i + 2);
        if (close == StringRef::npos)
          return end - offset;
        i = close + 1;
        continue;
      }
      break;
    case '"':
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
      break;
    case ' ':
    case '\t': continue;
    default: break;
    }
    end = std::min(i + 1, text.size());
  }
  return end - offset;
}

std::pair<unsigned, unsigned> AssemblyText::lineAndColumn(uint32_t offset) const {
  std::call_once(linesOnce, [this] {
    lineStarts.push_back(0);
    for (size_t at = 0; (at = text.find('\n', at)) != StringRef::npos;)
      lineStarts.push_back(++at);
  });
  auto line = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset) - 1;
  return {unsigned(line - lineStarts.begin() + 1), offset - *line + 1};
}

/// The comments of a line that has nothing else; false when it has.
static bool isCommentLine(StringRef line, std::string &comment) {
  line = line.trim();
  if (line.empty())
    return false;
  while (!line.empty()) {
    if (line.consume_front(";") || line.consume_front("//")) {
      comment += line.trim();
      return true;
    }
    if (!line.consume_front("/*"))
      return false;
    size_t close = line.find("*/");
    comment += line.take_front(close).trim();
    if (close == StringRef::npos)
      return false;
    line = line.drop_front(close + 2).ltrim();
    if (!line.empty())
      comment += ' ';
  }
  return true;
}

std::string AssemblyText::comments(uint32_t begin, uint32_t end) const {
  SmallVector<std::string> above;
  size_t start = text.rfind('\n', begin) + 1;
  while (start > 0) {
    const size_t lineEnd = start - 1, lineStart = text.take_front(lineEnd).rfind('\n') + 1;
    std::string comment;
    if (!isCommentLine(text.slice(lineStart, lineEnd), comment))
      break;
    above.push_back(std::move(comment));
    start = lineStart;
  }
  std::string all;
  for (const std::string &comment : reverse(above))
    all += (all.empty() ? "" : "\n") + comment;
  std::string after;
  isCommentLine(text.slice(end, text.find('\n', end)), after);
  if (!after.empty())
    all += (all.empty() ? "" : "\n") + after;
  return all;
}

} // namespace inflight
