// `loc(unknown)` is left out, so that the parser gives such an operation its place in the text.
#include "compiler/import/Import.h"

#include "compiler/import/Text.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"
#include <vector>

using namespace llvm;

namespace inflight::import {

void blankUnknownLocations(std::string &buffer) {
  if (!StringRef(buffer).contains("loc(unknown)"))
    return;
  const Text text(buffer);
  StringSet<> unknown;
  unknown.insert("unknown");
  std::vector<std::pair<size_t, size_t>> uses;
  // Aliases follow their uses, so uses are looked for in a second pass.
  for (bool collect : {true, false})
    for (size_t at = text.skipSpace(0), last = 0; at < text.size();) {
      size_t past = text.skipToken(at);
      StringRef previous = text.slice(last, at);
      if (text.slice(at, past) == "loc" && text.at(past) == '(') {
        size_t end = text.skipBrackets(past);
        StringRef inside = text.slice(past + 1, end - 1);
        bool isAlias = previous.rtrim().ends_with("=");
        if (isAlias && collect && inside == "unknown") {
          StringRef before = StringRef(buffer).take_front(at);
          StringRef line = before.drop_front(before.rfind('\n') + 1).trim();
          unknown.insert(line.split('=').first.rtrim());
        }
        if (!isAlias && !collect && unknown.contains(inside))
          uses.push_back({at, end});
        past = end;
      }
      last = at;
      at = text.skipSpace(past);
    }
  for (auto [from, to] : uses)
    blank(buffer, from, to);
}

} // namespace inflight::import
