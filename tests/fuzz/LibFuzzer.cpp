// libFuzzer's entry points, with mutations that keep text mostly well-formed: single bytes hardly
// ever get past a parser.
#include "Harness.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace llvm;
using inflight::fuzz::fuzzOne;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzOne(StringRef(reinterpret_cast<const char *>(data), size));
  return 0;
}

namespace {

using Random = std::minstd_rand;

size_t below(Random &random, size_t bound) { return bound ? random() % bound : 0; }

bool isWord(char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$'; }

/// What a token is replaced by others of: names by their sigil, numbers, types, other words.
enum class TokenKind { Value, Symbol, Number, Word, Other };

struct Token {
  StringRef text;
  TokenKind kind;
};

std::vector<Token> tokenize(StringRef text) {
  std::vector<Token> tokens;
  while (!text.empty()) {
    char c = text.front();
    size_t length = 1;
    TokenKind kind = TokenKind::Other;
    if (c == '%' || c == '@' || c == '#' || c == '!') {
      kind = c == '%' ? TokenKind::Value : TokenKind::Symbol;
      length += text.drop_front().take_while(isWord).size();
    } else if (isWord(c)) {
      kind = isDigit(c) ? TokenKind::Number : TokenKind::Word;
      length = text.take_while(isWord).size();
    }
    tokens.push_back({text.take_front(length), kind});
    text = text.drop_front(length);
  }
  return tokens;
}

void replaceToken(std::string &text, Random &random) {
  std::string original = text;
  std::vector<Token> tokens = tokenize(original);
  if (tokens.empty())
    return;
  size_t at = below(random, tokens.size());
  while (at < tokens.size() && tokens[at].kind == TokenKind::Other)
    ++at;
  if (at == tokens.size())
    return;
  static const char *const numbers[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "3",
                                        "4",
                                        "7",
                                        "8",
                                        "15",
                                        "16",
                                        "31",
                                        "32",
                                        "33",
                                        "63",
                                        "64",
                                        "65",
                                        "127",
                                        "128",
                                        "255",
                                        "256",
                                        "1024",
                                        "1025",
                                        "4095",
                                        "4096",
                                        "65535",
                                        "65536",
                                        "131072",
                                        "2147483647",
                                        "2147483648",
                                        "4294967295",
                                        "4294967296",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "18446744073709551615",
                                        "0.5",
                                        "1.0e+40"};
  std::string replacement;
  if (tokens[at].kind == TokenKind::Number && random() % 2) {
    replacement = numbers[below(random, std::size(numbers))];
  } else {
    std::vector<StringRef> alike;
    for (const Token &token : tokens)
      if (token.kind == tokens[at].kind)
        alike.push_back(token.text);
    replacement = alike[below(random, alike.size())].str();
  }
  // A type or name that stands everywhere is only valid when it changes everywhere.
  bool everywhere = random() % 4 == 0;
  StringRef replaced = tokens[at].text;
  text.clear();
  for (size_t i = 0; i < tokens.size(); ++i)
    text += i == at || (everywhere && tokens[i].text == replaced) ? StringRef(replacement) : tokens[i].text;
}

void changeLine(std::string &text, Random &random) {
  std::string original = text;
  SmallVector<StringRef> lines;
  StringRef(original).split(lines, '\n');
  size_t from = below(random, lines.size()), to = below(random, lines.size());
  switch (random() % 3) {
  case 0: lines.erase(lines.begin() + from); break;
  case 1: {
    StringRef line = lines[from];
    lines.insert(lines.begin() + to, line);
    break;
  }
  default: std::swap(lines[from], lines[to]);
  }
  text = join(lines, "\n");
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  Random random(seed);
  if (!inflight::fuzz::inputIsText || size < 2 || random() % 5 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  // The first byte isn't text.
  if (random() % 16 == 0)
    data[0] = uint8_t(random());
  std::string text(reinterpret_cast<char *>(data) + 1, size - 1);
  for (unsigned i = 0, n = 1 + random() % 3; i < n; ++i)
    random() % 3 ? replaceToken(text, random) : changeLine(text, random);
  size_t length = std::min(text.size(), maxSize - 1);
  std::memcpy(data + 1, text.data(), length);
  return length + 1;
}
