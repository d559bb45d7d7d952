#include "support/files/JsonFile.h"

#include "support/Diagnostics.h"
#include "support/Printable.h"
#include <algorithm>

using namespace llvm;

namespace inflight {

/// How deep brackets are nested, those in strings left out.
static size_t depthOf(StringRef text) {
  size_t depth = 0, most = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isString) {
      i += c == '\\';
      isString = c != '"';
    } else if (c == '"') {
      isString = true;
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++depth);
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return most;
}

static constexpr size_t deepest = 200;

bool isShallow(StringRef text) { return depthOf(text) <= deepest; }

Expected<json::Value> parseJson(StringRef text, StringRef name) {
  if (!isShallow(text))
    return makeError(name + ": nested deeper than " + Twine(deepest) + " levels");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return makeError(name + ": " + printable(toString(value.takeError())));
  return value;
}

} // namespace inflight
