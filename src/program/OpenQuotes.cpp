#include "program/OpenQuotes.h"

#include "support/Diagnostics.h"
#include "llvm/MC/MCParser/AsmLexer.h"

using namespace llvm;

namespace inflight {

/// Whether a look at the lines with quotes is enough to say that nothing is left open: their quotes come in pairs, and
/// nothing else stands there that could change what a quote means.
static bool isPlainlyClosed(StringRef text) {
  if (size_t comment = text.rfind("/*"); comment != StringRef::npos && text.find("*/", comment + 2) == StringRef::npos)
    return false;
  constexpr size_t longestCharacter = 4; // '\n'
  if (text.take_back(longestCharacter).contains('\''))
    return false;
  for (size_t at = text.find('"'); at != StringRef::npos;) {
    const size_t begin = text.rfind('\n', at) + 1; // 0 when there is none
    const size_t end = std::min(text.find('\n', at), text.size());
    StringRef line = text.slice(begin, end);
    if (line.count('"') % 2 || line.find_first_of("'\\\r") < line.size() - line.ends_with("\r") || line.contains("/*") || line.contains("*/"))
      return false;
    at = text.find('"', end);
  }
  return true;
}

Error checkOpenQuotes(const Isa &isa, StringRef text, StringRef name) {
  if (isPlainlyClosed(text))
    return Error::success();
  // The lexer reads until a null character.
  std::string terminated = text.str();
  AsmLexer lexer(isa.asmInfo());
  lexer.setBuffer(terminated);
  const char *end = terminated.data() + terminated.size();
  while (lexer.Lex().isNot(AsmToken::Eof)) {
    StringRef token = lexer.getTok().getString();
    if (lexer.is(AsmToken::Error) && token.end() == end) {
      StringRef before(terminated.data(), token.begin() - terminated.data());
      return errorAt({name.str(), unsigned(before.count('\n') + 1), unsigned(before.size() - (before.rfind('\n') + 1) + 1)},
                     lexer.getErr());
    }
  }
  return Error::success();
}

} // namespace inflight
