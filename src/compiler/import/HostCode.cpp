// What only the host runs, in the syntax of any dialect, is taken out before parsing.
#include "compiler/import/Import.h"

#include "compiler/import/Text.h"
#include "llvm/ADT/StringSwitch.h"
#include <vector>

using namespace llvm;

namespace inflight::import {

namespace {
/// An operation at the top level of a module: its name, and where it begins and ends.
struct TopLevelOp {
  StringRef name;
  size_t begin = 0, end = 0;
};

/// Whether device code is inside.
bool isWrapper(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"stream.executable", "hal.executable", "hal.executable.source", "flow.executable", "gpu.module"}, true)
      .Cases({"module", "builtin.module"}, true)
      .Default(false);
}

bool isHost(StringRef name) {
  if (name == "func.func")
    return true;
  StringRef dialect = name.split('.').first;
  return !isWrapper(name) && (dialect == "util" || dialect == "hal" || dialect == "stream" || dialect == "flow" ||
                              dialect == "vm" || dialect == "transform");
}

/// The name of the operation at `at`, if one can begin there; in quotes if the operation is in generic form.
StringRef operationName(const Text &text, size_t at) {
  char first = text.at(at);
  if (first == '"' && text.at(text.skipToken(at)) == '(')
    return text.slice(at + 1, text.skipToken(at) - 1);
  if (!isalpha(static_cast<unsigned char>(first)) && first != '_')
    return {};
  return text.slice(at, text.skipToken(at));
}

/// Where the body of the module begins: past its brace, or at the first operation if there is no
/// module around all.
size_t findBody(const Text &text) {
  size_t at = text.skipSpace(0);
  // Aliases, `#name = …` and `!name = …`, come first; no line of theirs begins with the name of an operation.
  for (bool startsLine = true; at < text.size();) {
    StringRef name = startsLine ? operationName(text, at) : StringRef();
    if (name == "module" || name == "builtin.module")
      break;
    if (name.contains('.'))
      return at;
    size_t past = text.isOpening(at) ? text.skipBrackets(at) : text.skipToken(at);
    at = text.skipSpace(past);
    startsLine = text.slice(past, at).contains('\n');
  }
  bool attributes = false;
  for (at = text.skipSpace(text.skipToken(at)); at < text.size(); at = text.skipSpace(at)) {
    if (text.at(at) == '{' && !attributes)
      return at + 1;
    attributes = operationName(text, at) == "attributes";
    at = text.isOpening(at) ? text.skipBrackets(at) : text.skipToken(at);
  }
  return text.size();
}

/// Operations at the level of `begin`, which follow each other: each begins a line.
std::vector<TopLevelOp> topLevelOps(const Text &text, size_t begin) {
  std::vector<TopLevelOp> ops;
  size_t at = text.skipSpace(begin);
  bool startsLine = true;
  while (at < text.size() && !text.isClosing(at)) {
    StringRef name = startsLine ? operationName(text, at) : StringRef();
    if (!name.empty() && (name.contains('.') || name == "module")) {
      if (!ops.empty())
        ops.back().end = at;
      ops.push_back({name, at, at});
    }
    size_t past = text.isOpening(at) ? text.skipBrackets(at) : text.skipToken(at);
    at = text.skipSpace(past);
    startsLine = text.slice(past, at).contains('\n');
  }
  if (!ops.empty())
    ops.back().end = at;
  return ops;
}

/// Skips an operation's clause `keyword(…) [-> (…)] [{…}]`.
size_t skipClause(const Text &text, size_t at, bool withRegion) {
  at = text.skipSpace(text.skipToken(at));
  size_t end = at;
  if (text.at(at) == '(')
    end = text.skipBrackets(at);
  at = text.skipSpace(end);
  if (!withRegion)
    return end;
  if (text.slice(at, at + 2) == "->") {
    at = text.skipSpace(at + 2);
    end = text.at(at) == '(' ? text.skipBrackets(at) : text.skipToken(at);
    at = text.skipSpace(end);
  }
  return text.at(at) == '{' ? text.skipBrackets(at) : end;
}

/// `iree_codegen.dispatch_config @kernel workgroup_size = [64, 1, 1] {…}` beside a kernel: the region computes the
/// grid.
void blankDispatchConfigs(std::string &buffer) {
  constexpr StringLiteral config = "iree_codegen.dispatch_config";
  for (size_t at = buffer.find(config.data()); at != std::string::npos; at = buffer.find(config.data(), at + 1)) {
    const Text text(buffer);
    size_t end = std::min(buffer.find('\n', at), buffer.size());
    size_t brace = StringRef(buffer).take_front(end).find('{', at);
    if (brace != StringRef::npos)
      blank(buffer, brace, text.skipBrackets(brace));
  }
}

/// Blanks what wrappers say about devices and grids. `from` and `to` enclose the wrapper's operations.
void blankClauses(std::string &buffer, size_t from, size_t to) {
  const Text text(StringRef(buffer).take_front(to));
  std::vector<std::pair<size_t, size_t>> ranges;
  StringRef op;
  size_t at = text.skipSpace(from);
  while (at < to) {
    StringRef name = operationName(text, at);
    if (name.starts_with("hal.executable") || name.starts_with("stream.executable"))
      op = name;
    else if (name == "builtin.module" || name == "module")
      op = {};
    bool region = StringSwitch<bool>(name).Cases({"count", "workgroups", "condition"}, true).Default(false);
    bool clause = StringSwitch<bool>(name).Cases({"target", "layout", "objects", "sources"}, true).Default(false);
    size_t past = text.skipToken(at);
    if (!op.empty() && (region || clause) && text.at(text.skipSpace(past)) == '(') {
      past = skipClause(text, at, region);
      ranges.push_back({at, past});
    } else if (op.empty() && text.at(at) == '{') {
      past = text.skipBrackets(at);
    } else if (name == "hal.executable.condition" || name == "hal.executable.constant.block") {
      while (past < to && text.at(past) != '{')
        past = text.skipSpace(text.isOpening(past) ? text.skipBrackets(past) : text.skipToken(past));
      past = text.skipBrackets(past);
      ranges.push_back({at, past});
    }
    at = text.skipSpace(past);
  }
  for (auto [begin, end] : ranges)
    blank(buffer, begin, end);
}
} // namespace

void blankHostCode(std::string &buffer) {
  const Text text(buffer);
  std::vector<TopLevelOp> ops = topLevelOps(text, findBody(text));
  bool wrapped = false;
  for (const TopLevelOp &op : ops)
    wrapped |= op.name.starts_with("stream.executable") || op.name.starts_with("hal.executable");
  if (!wrapped)
    return;
  std::vector<std::pair<size_t, size_t>> host, wrappers;
  for (const TopLevelOp &op : ops)
    (isHost(op.name) ? host : wrappers).push_back({op.begin, op.end});
  for (auto [begin, end] : host)
    blank(buffer, begin, end);
  for (auto [begin, end] : wrappers)
    blankClauses(buffer, begin, end);
}

std::string translateText(StringRef source) {
  std::string text = source.str();
  blankDispatchConfigs(text);
  blankHostCode(text);
  blankUnknownLocations(text);
  translateNewerSyntax(text);
  return text;
}

} // namespace inflight::import
