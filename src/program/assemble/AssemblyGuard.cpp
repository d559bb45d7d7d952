#include "program/assemble/AssemblyGuard.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight {

/// Whether a look at the lines with quotes is enough to say that nothing is left open: their quotes come in pairs, and
/// nothing else stands there that could change what a quote means.
static bool isPlainlyClosed(StringRef text) {
  // StringRef::rfind compares at each place; most texts have no such comment.
  if (text.contains("/*") && text.find("*/", text.rfind("/*") + 2) == StringRef::npos)
    return false;
  constexpr size_t longestCharacter = 4; // '\n'
  if (text.take_back(longestCharacter).contains('\''))
    return false;
  for (size_t at = text.find('"'); at != StringRef::npos;) {
    const size_t begin = text.rfind('\n', at) + 1; // 0 when there is none
    const size_t end = std::min(text.find('\n', at), text.size());
    StringRef line = text.slice(begin, end);
    if (line.count('"') % 2 || line.find_first_of("'\\\r") < line.size() - line.ends_with("\r") ||
        line.contains("/*") || line.contains("*/"))
      return false;
    at = text.find('"', end);
  }
  return true;
}

/// Characters that only comments and strings may have: elsewhere the parser may look for the end of a bracket for ever.
static bool isOdd(char c) { return uint8_t(c) >= 0x7f || (c < ' ' && !isSpace(c)); }

static Error checkOpenQuotes(const Isa &isa, StringRef text, StringRef name) {
  if (isPlainlyClosed(text) && none_of(text, isOdd))
    return Error::success();
  // The lexer reads until a null character.
  std::string terminated = text.str();
  AsmLexer lexer(isa.asmInfo());
  lexer.setBuffer(terminated);
  const char *end = terminated.data() + terminated.size();
  while (lexer.Lex().isNot(AsmToken::Eof)) {
    StringRef token = lexer.getTok().getString();
    if (lexer.is(AsmToken::Error) && (token.end() == end || (!token.empty() && isOdd(token.front())))) {
      StringRef before(terminated.data(), token.begin() - terminated.data());
      return errorAt(
          {name.str(), unsigned(before.count('\n') + 1), unsigned(before.size() - (before.rfind('\n') + 1) + 1)},
          lexer.getErr());
    }
  }
  return Error::success();
}

/// The text up to the directive `end`, as the assembler hands it to the YAML reader: without comments. Nothing when
/// there is no end, which the assembler says itself.
static std::optional<std::string> blockText(const Isa &isa, StringRef from, StringRef end) {
  std::string terminated = from.str(), text;
  AsmLexer lexer(isa.asmInfo());
  lexer.setBuffer(terminated);
  lexer.setSkipSpace(false);
  lexer.Lex();
  while (lexer.isNot(AsmToken::Eof)) {
    for (; lexer.is(AsmToken::Space); lexer.Lex())
      text += lexer.getTok().getString();
    if (lexer.is(AsmToken::Identifier) && lexer.getTok().getString() == end)
      return text;
    const char *begin = lexer.getLoc().getPointer();
    while (lexer.isNot(AsmToken::EndOfStatement) && lexer.isNot(AsmToken::Eof))
      lexer.Lex();
    text.append(begin, lexer.getLoc().getPointer());
    text += isa.asmInfo().getSeparatorString();
    if (lexer.is(AsmToken::EndOfStatement))
      lexer.Lex();
  }
  return std::nullopt;
}

static Error checkMetadata(const Isa &isa, StringRef text, StringRef name) {
  for (std::string kind : {"amdgpu_metadata", "amdgpu_pal_metadata"})
    for (size_t at = 0; (at = text.find("." + kind, at)) != StringRef::npos;) {
      StringRef before = text.slice(text.rfind('\n', at) + 1, at);
      at += 1 + kind.size();
      if (before.contains(';') || before.contains("//"))
        continue;
      std::optional<std::string> block = blockText(isa, text.substr(at), ".end_" + kind);
      std::string message;
      auto keep = [](const SMDiagnostic &diagnostic, void *to) {
        *static_cast<std::string *>(to) = diagnostic.getMessage().str();
      };
      if (!block)
        continue;
      if (yaml::Input input(*block, nullptr, keep, &message); !input.setCurrentDocument() || input.error())
        return errorAt({name.str(), unsigned(text.take_front(at).count('\n') + 1)},
                       "the metadata is no YAML" + (message.empty() ? "" : ": " + message));
    }
  return Error::success();
}

bool AssemblerMessages::add(const SMDiagnostic &diagnostic) {
  const bool isError = diagnostic.getKind() == SourceMgr::DK_Error;
  if ((!isError && diagnostic.getKind() != SourceMgr::DK_Note) || errors > mostErrors)
    return errors <= mostErrors;
  errors += isError;
  if (errors > mostErrors) {
    text += "error: more errors follow\n";
    return false;
  }
  raw_string_ostream os(text);
  diagnostic.print("", os, /*ShowColors=*/false);
  return true;
}

Error AssemblerMessages::error(StringRef fallback, StringRef note) const {
  std::string all = StringRef(text.empty() ? fallback : StringRef(text)).rtrim().str();
  if (!note.empty())
    all += "\n" + note.str();
  for (StringRef unknown : {"unknown directive", "unknown .amdhsa_kernel directive"})
    if (StringRef(text).contains(unknown))
      return createStringError(inconvertibleErrorCode(), all + "\nnote: the assembler here is LLVM " LLVM_VERSION_STRING
                                                               "; what newer compilers write may be unknown to it");
  return createStringError(inconvertibleErrorCode(), all);
}

/// The parser repeats at once, however often: what is plainly too much is said with its place. Sums and symbols it
/// alone knows (AssemblyWatch).
static Error checkRepetitions(StringRef text, StringRef name) {
  constexpr uint64_t mostTimes = 10'000'000, mostBytes = uint64_t(1) << 28;
  for (size_t at = text.find('.'); at != StringRef::npos; at = text.find('.', at + 1)) {
    StringRef line = text.substr(at + 1).take_until([](char c) { return c == '\n'; });
    const bool isFill = line.consume_front_insensitive("fill");
    if ((!isFill && !line.consume_front_insensitive("rept") && !line.consume_front_insensitive("rep")) ||
        !text.slice(text.rfind('\n', at) + 1, at).trim().empty())
      continue;
    uint64_t times, size = 1;
    line = line.ltrim();
    if (line.consumeInteger(0, times))
      continue;
    if (line = line.ltrim(); isFill && line.consume_front(","))
      line.ltrim().consumeInteger(0, size);
    if (isFill ? SaturatingMultiply(times, size) > mostBytes : times > mostTimes)
      return errorAt({name.str(), unsigned(text.take_front(at).count('\n') + 1)},
                     isFill ? "more than " + Twine(mostBytes >> 20) + " MiB to fill"
                            : "more than " + Twine(mostTimes) + " repetitions");
  }
  return Error::success();
}

Error guardAssembler(const Isa &isa, StringRef text, StringRef name) {
  if (Error error = checkOpenQuotes(isa, text, name))
    return error;
  if (Error error = checkRepetitions(text, name))
    return error;
  return checkMetadata(isa, text, name);
}

} // namespace inflight
