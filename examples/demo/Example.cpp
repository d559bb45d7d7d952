#include "Example.h"

#include "support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace inflight::demo {

namespace {
struct Check {
  std::string reference;
  int64_t arg = 0;
  double rtol = 0, atol = 0;
  std::vector<int64_t> parameters;
};

struct Entry {
  std::string file, kernel;
  std::vector<std::string> targets, args;
  std::vector<int64_t> grid, block;
  Check check;
};

bool fromJSON(const json::Value &value, Check &check, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("reference", check.reference) && map.map("arg", check.arg) && map.map("rtol", check.rtol) &&
         map.map("atol", check.atol) && map.mapOptional("parameters", check.parameters);
}

bool fromJSON(const json::Value &value, Entry &entry, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("file", entry.file) && map.map("kernel", entry.kernel) && map.map("targets", entry.targets) &&
         map.map("grid", entry.grid) && map.map("block", entry.block) && map.map("args", entry.args) &&
         map.map("check", entry.check);
}
} // namespace

static Error readTriple(const std::vector<int64_t> &numbers, StringRef what, std::array<uint32_t, 3> &into,
                        StringRef path) {
  if (numbers.size() != 3 || any_of(numbers, [](int64_t n) { return n < 1 || n > UINT32_MAX; }))
    return makeError(path + ": '" + what + "' is three positive numbers");
  std::copy(numbers.begin(), numbers.end(), into.begin());
  return Error::success();
}

static Error loadFile(StringRef path, std::vector<Example> &examples) {
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  Expected<std::vector<Entry>> entries = json::parse<std::vector<Entry>>(*text);
  if (!entries)
    return makeError(path + ": " + toString(entries.takeError()));
  for (Entry &entry : *entries) {
    Example example;
    SmallString<128> file(sys::path::parent_path(path));
    sys::path::append(file, entry.file);
    example.file = file.str().str();
    example.kernel = entry.kernel;
    example.targets = entry.targets;
    example.arguments = entry.args;
    if (Error error = readTriple(entry.grid, "grid", example.grid, path))
      return error;
    if (Error error = readTriple(entry.block, "block", example.block, path))
      return error;
    const Check &check = entry.check;
    example.reference = findReference(check.reference);
    if (!example.reference)
      return makeError(path + ": no reference '" + check.reference + "'");
    if (check.arg < 0 || size_t(check.arg) >= entry.args.size() || entry.args.size() != example.reference->arrays ||
        check.parameters.size() != example.reference->parameters)
      return makeError(path + ": " + entry.kernel + ": the reference takes " + Twine(example.reference->arrays) +
                       " arguments and " + Twine(example.reference->parameters) + " parameters");
    example.parameters = check.parameters;
    example.result = check.arg;
    example.relative = check.rtol;
    example.absolute = check.atol;
    examples.push_back(std::move(example));
  }
  return Error::success();
}

Expected<std::vector<Example>> loadExamples(StringRef folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::directory_iterator it(folder, code), end; it != end && !code; it.increment(code)) {
    SmallString<128> path(it->path());
    sys::path::append(path, "example.json");
    if (sys::fs::exists(path))
      files.push_back(path.str().str());
  }
  if (code)
    return makeError(folder + ": " + code.message());
  if (files.empty())
    return makeError(folder + ": no folder with an example.json");
  std::sort(files.begin(), files.end());
  std::vector<Example> examples;
  for (const std::string &file : files)
    if (Error error = loadFile(file, examples))
      return std::move(error);
  return examples;
}

} // namespace inflight::demo
