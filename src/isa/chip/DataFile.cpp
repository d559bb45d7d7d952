#include "isa/chip/DataFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight {

namespace {

/// What data files are written in: no escapes. llvm::json::parse() copies each string, and each array
/// whenever it grows, which takes longer than compiling a small kernel.
class Reader {
public:
  Reader(StringRef text, StringRef chip, bool isExplained) : rest(text), chip(chip), isExplained(isExplained) {}

  /// Nothing if it isn't understood.
  std::optional<json::Value> all() {
    std::optional<json::Value> result = value();
    return result && next() == 0 ? std::move(result) : std::nullopt;
  }

private:
  /// The next character that isn't white space; 0 at the end.
  char next() {
    size_t space = 0;
    while (space < rest.size() && isSpace(rest[space]))
      ++space;
    rest = rest.drop_front(space);
    return rest.empty() ? 0 : rest.front();
  }
  bool take(char wanted) { return next() == wanted && (rest = rest.drop_front(), true); }

  std::optional<json::Value> value() {
    switch (next()) {
    case '{': return object();
    case '[': return array();
    case '"':
      if (std::optional<StringRef> text = string())
        return json::Value(*text);
      return std::nullopt;
    default: break;
    }
    const StringRef word = rest.take_while([](char c) { return isAlnum(c) || c == '-' || c == '.' || c == '+'; });
    rest = rest.drop_front(word.size());
    if (word == "true" || word == "false")
      return json::Value(word == "true");
    if (word == "null")
      return json::Value(nullptr);
    if (int64_t number; !word.getAsInteger(10, number))
      return json::Value(number);
    if (double number; !word.getAsDouble(number))
      return json::Value(number);
    return std::nullopt;
  }

  std::optional<StringRef> string() {
    if (!take('"'))
      return std::nullopt;
    const size_t end = rest.find('"');
    if (end == StringRef::npos)
      return std::nullopt;
    const StringRef text = rest.take_front(end);
    rest = rest.drop_front(end + 1);
    return text.contains('\\') ? std::nullopt : std::optional(text);
  }

  std::optional<json::Value> array() {
    SmallVector<json::Value, 8> elements;
    take('[');
    if (!take(']')) {
      do {
        std::optional<json::Value> element = value();
        if (!element)
          return std::nullopt;
        elements.push_back(std::move(*element));
      } while (take(','));
      if (!take(']'))
        return std::nullopt;
    }
    json::Array result;
    result.reserve(elements.size());
    for (json::Value &element : elements)
      result.push_back(std::move(element));
    return json::Value(std::move(result));
  }

  std::optional<json::Value> object() {
    json::Object result;
    take('{');
    if (take('}'))
      return json::Value(std::move(result));
    do {
      std::optional<StringRef> key = string();
      if (!key || !take(':'))
        return std::nullopt;
      if (!isExplained && next() == '"' && (*key == "ref" || *key == "unit" || *key == "comment")) {
        if (!string())
          return std::nullopt;
        continue;
      }
      std::optional<json::Value> member = value();
      if (!member)
        return std::nullopt;
      if ((*key == "arch" || *key == "chip") && result.empty() && !chip.empty() && member->getAsString() != chip)
        return leaveObject() ? std::optional(json::Value(nullptr)) : std::nullopt;
      if (!result.try_emplace(*key, std::move(*member)).second)
        return std::nullopt;
    } while (take(','));
    return take('}') ? std::optional(json::Value(std::move(result))) : std::nullopt;
  }

  /// Goes behind the object that it is in.
  bool leaveObject() {
    for (unsigned depth = 1; depth;) {
      if (rest.empty())
        return false;
      const char c = rest.front();
      if (c == '"') {
        if (!string())
          return false;
        continue;
      }
      depth += c == '{' || c == '[';
      depth -= c == '}' || c == ']';
      rest = rest.drop_front();
    }
    return true;
  }

  StringRef rest, chip;
  bool isExplained;
};

} // namespace

Expected<json::Value> parseLasting(StringRef text, StringRef chip, bool isExplained) {
  if (std::optional<json::Value> value = Reader(text, chip, isExplained).all())
    return std::move(*value);
  return json::parse(text);
}

} // namespace inflight
