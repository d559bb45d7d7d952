#include "lsp/SourceCheck.h"

#include "lsp/CompilerMessages.h"
#include "support/files/JsonFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace llvm;

namespace inflight::lsp {

static constexpr StringLiteral seconds = "60";
static constexpr unsigned mebibytes = 8192;

SourceKind sourceKind(StringRef language, StringRef uri) {
  const auto byName = [](StringRef name) {
    return StringSwitch<SourceKind>(name)
        .Case("mlir", SourceKind::Mlir)
        .Cases({"ll", "llvm"}, SourceKind::LlvmIr)
        .Case("hip", SourceKind::Hip)
        .Default(SourceKind::None);
  };
  const SourceKind kind = byName(language);
  return kind != SourceKind::None || language == "amdgcn" ? kind : byName(uri.rsplit('.').second);
}

namespace {
/// A folder for what one check needs, gone with it.
class Workplace {
public:
  Workplace() { (void)sys::fs::createUniqueDirectory("inflight-lsp", folder); }
  ~Workplace() { (void)sys::fs::remove_directories(folder); }
  Workplace(const Workplace &) = delete;
  Workplace &operator=(const Workplace &) = delete;

  std::string file(StringRef name) const { return (folder + "/" + name).str(); }

  /// Its status; what it prints is in the files "out" and "err".
  int run(ArrayRef<std::string> command) const {
    // Of LLVM's own time limit the signal may reach another thread.
    const ErrorOr<std::string> limiter = sys::findProgramByName("timeout");
    if (!limiter)
      return -1;
    std::vector<StringRef> words = {*limiter, "-k", "1", seconds};
    append_range(words, command);
    const std::string out = file("out"), err = file("err");
    const std::optional<StringRef> redirects[] = {StringRef(), StringRef(out), StringRef(err)};
    return sys::ExecuteAndWait(*limiter, words, std::nullopt, redirects, 0, mebibytes);
  }

  std::string read(StringRef name) const {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(file(name));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  bool write(StringRef name, StringRef text) const {
    std::error_code error;
    raw_fd_ostream os(file(name), error);
    os << text;
    os.close();
    const bool isWritten = !error && !os.has_error();
    os.clear_error();
    return isWritten;
  }

private:
  SmallString<128> folder;
};
} // namespace

static ReportItem told(const Twine &message, Level level = Level::Error) {
  ReportItem item;
  item.message = message.str();
  item.level = level;
  return item;
}

/// The first file's list of that name in what a verb has printed.
static json::Array listOf(const std::string &printed, StringRef list) {
  Expected<json::Value> value = parseJson(printed, "waits");
  if (!value) {
    consumeError(value.takeError());
    return {};
  }
  json::Array all;
  json::Object *root = value->getAsObject();
  json::Array *files = root ? root->getArray("files") : nullptr;
  if (!files)
    return all;
  for (json::Value &file : *files)
    if (json::Array *found = file.getAsObject() ? file.getAsObject()->getArray(list) : nullptr)
      all.insert(all.end(), found->begin(), found->end());
  return all;
}

/// A place of the file of that name; of another one its line 0.
static ProgramPlace placeOf(const json::Object &object, StringRef source, StringRef key) {
  ProgramPlace place;
  if (object.getString(key).value_or("") != source)
    return place;
  place.source.line = unsigned(object.getInteger("line").value_or(0));
  place.source.column = unsigned(object.getInteger("column").value_or(0));
  return place;
}

static std::vector<ReportItem> findings(const std::string &printed, StringRef source) {
  std::vector<ReportItem> items;
  for (const json::Value &value : listOf(printed, "findings")) {
    const json::Object &object = *value.getAsObject();
    ReportItem item = told(object.getString("message").value_or(""),
                           object.getString("level") == "warning" ? Level::Warning : Level::Error);
    item.rule = object.getString("rule").value_or("").str();
    item.hint = object.getString("hint").value_or("").str();
    item.place = placeOf(object, source, "file");
    item.message += (" at " + object.getString("instruction").value_or("")).str();
    if (const json::Array *related = object.getArray("related"))
      for (const json::Value &other : *related)
        if (const ProgramPlace place = placeOf(*other.getAsObject(), source, "file"); place.source.line)
          item.related.emplace_back((other.getAsObject()->getString("message").value_or("") + ": " +
                                     other.getAsObject()->getString("instruction").value_or(""))
                                        .str(),
                                    place);
    items.push_back(std::move(item));
  }
  return items;
}

/// "waits 340 cycles for line 12".
static std::vector<std::pair<unsigned, std::string>> waitHints(const std::string &printed, StringRef source) {
  struct Line {
    double cycles = 0;
    std::set<unsigned> sources;
  };
  std::map<unsigned, Line> lines;
  for (const json::Value &value : listOf(printed, "waits")) {
    const json::Object &wait = *value.getAsObject();
    const unsigned number = placeOf(wait, source, "source").source.line;
    if (!number)
      continue;
    Line &line = lines[number];
    line.cycles += wait.getNumber("cycles").value_or(0);
    const json::Array *counts = wait.getArray("counts");
    for (const json::Value &count : counts ? *counts : json::Array())
      if (const json::Object *because = count.getAsObject()->getObject("because"))
        if (const json::Object *operation = because->getObject("operation"))
          if (const unsigned from = placeOf(*operation, source, "source").source.line)
            line.sources.insert(from);
  }
  std::vector<std::pair<unsigned, std::string>> hints;
  for (const auto &[number, line] : lines) {
    if (line.cycles < 1)
      continue;
    std::string text = "waits " + std::to_string(uint64_t(line.cycles)) + " cycles";
    for (unsigned from : line.sources)
      text += (from == *line.sources.begin() ? " for line " : ", ") + std::to_string(from);
    hints.emplace_back(number, std::move(text));
  }
  return hints;
}

static std::vector<std::string> compileCommand(SourceKind kind, const Workplace &place, const std::string &source,
                                               StringRef folder, const SourceTools &tools) {
  const std::string chip = tools.chip.empty() ? "gfx942" : tools.chip;
  if (kind != SourceKind::Hip)
    return {tools.inflight, "compile", "-g", "-mcpu=" + chip, source, "-o", place.file("object")};
  std::vector<std::string> words = {
      tools.hipcc, "-g", "-O2", "--offload-arch=" + chip, "--offload-device-only", "-c", "-fno-caret-diagnostics"};
  if (!folder.empty())
    words.insert(words.end(), {"-I", folder.str()});
  words.insert(words.end(), {source, "-o", place.file("object")});
  return words;
}

SourceCheck checkSource(SourceKind kind, std::string text, StringRef folder, const SourceTools &tools) {
  SourceCheck check;
  check.text = std::move(text);
  if (kind == SourceKind::Hip && tools.hipcc.empty()) {
    check.items.push_back(told("no hipcc compiles this: `inflight sdk DIR` makes DIR/bin/hipcc, and "
                               "`inflight lsp --hipcc=FILE` says where one is",
                               Level::Warning));
    return check;
  }
  const Workplace place;
  const StringRef ending = kind == SourceKind::Hip ? "hip" : kind == SourceKind::Mlir ? "mlir" : "ll";
  const std::string name = ("document." + ending).str(), source = place.file(name);
  if (!place.write(name, check.text)) {
    check.items.push_back(told("cannot write '" + source + "'"));
    return check;
  }
  const int status = place.run(compileCommand(kind, place, source, folder, tools));
  const std::string messages = place.read("err");
  check.items = compilerMessages(messages, source);
  if (status) {
    if (none_of(check.items, [](const ReportItem &item) { return item.level == Level::Error; }))
      check.items.push_back(told(status == 124 ? "compiling takes more than " + seconds + " s"
                                               : "doesn't compile: " + StringRef(messages).trim().split('\n').first));
    return check;
  }
  const std::string object = place.file("object");
  place.run({tools.inflight, "waits", "--format=json", object});
  append_range(check.items, findings(place.read("out"), source));
  place.run({tools.inflight, "waits", "--report", "--price", "--format=json", object});
  check.hints = waitHints(place.read("out"), source);
  return check;
}

} // namespace inflight::lsp
