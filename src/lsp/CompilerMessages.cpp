#include "lsp/CompilerMessages.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace inflight::lsp {

std::vector<ReportItem> compilerMessages(StringRef messages, StringRef name) {
  std::vector<ReportItem> items;
  SmallVector<StringRef> split;
  messages.split(split, '\n');
  for (StringRef line : split) {
    ReportItem item;
    if (!line.consume_front(name) || !line.consume_front(":"))
      continue;
    if (!line.consumeInteger(10, item.place.source.line) && line.consume_front(":") &&
        !line.consumeInteger(10, item.place.source.column))
      line.consume_front(":");
    line = line.ltrim();
    if (line.consume_front("warning: "))
      item.level = Level::Warning;
    else if (!line.consume_front("error: ") && !line.consume_front("fatal error: "))
      continue;
    item.message = line.str();
    items.push_back(std::move(item));
  }
  return items;
}

} // namespace inflight::lsp
