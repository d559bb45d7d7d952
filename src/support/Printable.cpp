#include "support/Printable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight {

static bool isPlain(char c) { return c >= ' ' && c <= '~'; }

/// Whether a character beyond ASCII only acts: C1 controls, separators of lines, marks of direction (Unicode, "Special
/// Areas and Format Characters").
static bool onlyActs(UTF32 c) {
  return c < 0xa0 || c == 0x61c || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static std::string shown(StringRef text, StringRef kept) {
  if (all_of(text, [&](char c) { return isPlain(c) || kept.contains(c); }))
    return text.str();
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    if (isPlain(c) || kept.contains(c)) {
      out += c;
      text = text.drop_front();
      continue;
    }
    const auto *begin = reinterpret_cast<const UTF8 *>(text.begin()), *at = begin;
    UTF32 character = 0;
    const bool isUtf8 = uint8_t(c) >= 0x80 && convertUTF8Sequence(&at, reinterpret_cast<const UTF8 *>(text.end()),
                                                                  &character, strictConversion) == conversionOK;
    const size_t length = isUtf8 ? size_t(at - begin) : 1;
    if (isUtf8 && !onlyActs(character))
      out += text.take_front(length);
    else
      out += isUtf8 ? formatv("\\u{{{0:x-}}", character).str() : formatv("\\x{0:x-2}", unsigned(uint8_t(c))).str();
    text = text.drop_front(length);
  }
  return out;
}

std::string printable(StringRef text) { return shown(text, ""); }

std::string printableLines(StringRef text) {
  std::string out;
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    out += shown(line.rtrim('\r'), "\t");
    if (line.size() < text.size())
      out += '\n';
    text = rest;
  }
  return out;
}

} // namespace inflight
