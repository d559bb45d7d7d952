#include "cli/CommandLine.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <map>

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"device", "NAME", "MI300X, MI350X, ..., or a chip; without it one that the program has code for"},
    {"check", "LIST", "checks of every launch: all, or names as `inflight run --check` takes them"},
    {"timed", "", "count cycles: events then measure modelled time"},
    {"sample", "N", "with --timed: only the first N workgroups of a compute unit run (results are not complete)"},
    {"warm", "", "with --timed: launches before have left a launch's data in the caches"},
    {"trace", "FILE[@N]", "an HTML page with the timeline of the N-th launch, or of the first; implies --timed"},
    {"stats", "", "a table of kernels at the end: calls, time or instructions, share"},
    {"log", "FILE", "a line of JSON for each launch"},
};

Expected<std::string> hipLibraryFolder() {
  static int anchor;
  const std::string self = sys::fs::getMainExecutable(nullptr, &anchor);
  SmallString<128> folder(sys::path::parent_path(sys::path::parent_path(self)));
  sys::path::append(folder, "lib");
  if (!sys::fs::exists(folder + "/libamdhip64.so.7"))
    return makeError(folder + "/libamdhip64.so.7 isn't there: it is built and installed with the command");
  return folder.str().str();
}

static void set(const char *name, const std::string &value) { setenv(name, value.c_str(), /*overwrite=*/1); }

/// What the library reads (docs/hip.md).
static void setEnvironment(const Arguments &arguments, const std::string &folder, const std::string &log) {
  const char *before = std::getenv("LD_LIBRARY_PATH");
  set("LD_LIBRARY_PATH", before && *before ? folder + ":" + before : folder);
  for (auto [option, variable] : {std::pair("device", "INFLIGHT_DEVICE"),
                                  {"check", "INFLIGHT_CHECK"},
                                  {"trace", "INFLIGHT_TRACE"},
                                  {"sample", "INFLIGHT_SAMPLE"}})
    if (arguments.has(option))
      set(variable, arguments.get(option));
  if (arguments.has("timed"))
    set("INFLIGHT_TIMED", "1");
  if (arguments.has("warm"))
    set("INFLIGHT_WARM", "1");
  if (!log.empty())
    set("INFLIGHT_LOG", log);
}

namespace {
/// Of one kernel's launches.
struct Total {
  uint64_t calls = 0, instructions = 0, findings = 0;
  double microseconds = 0;
};
} // namespace

static std::map<std::string, Total> readLog(StringRef text) {
  std::map<std::string, Total> totals;
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    Expected<json::Value> value = json::parse(line);
    if (!value) {
      consumeError(value.takeError());
      continue;
    }
    const json::Object &launch = *value->getAsObject();
    Total &total = totals[launch.getString("kernel").value_or("").str()];
    ++total.calls;
    total.instructions += launch.getInteger("instructions").value_or(0);
    if (const json::Array *findings = launch.getArray("findings"))
      total.findings += findings->size();
    if (const json::Object *time = launch.getObject("time"))
      total.microseconds += time->getNumber("microseconds").value_or(0);
  }
  return totals;
}

/// The columns of `rocprofv3 --stats`; instructions instead of time where none was modelled.
static void printStats(const std::map<std::string, Total> &totals) {
  double allTime = 0, allInstructions = 0;
  for (const auto &[name, total] : totals) {
    allTime += total.microseconds;
    allInstructions += double(total.instructions);
  }
  const bool isTimed = allTime > 0;
  auto cost = [&](const Total &total) { return isTimed ? total.microseconds : double(total.instructions); };
  const double all = isTimed ? allTime : allInstructions;
  std::vector<const std::pair<const std::string, Total> *> rows;
  rows.reserve(totals.size());
  for (const auto &row : totals)
    rows.push_back(&row);
  llvm::stable_sort(rows, [&](const auto *a, const auto *b) { return cost(a->second) > cost(b->second); });
  errs() << formatv("{0,8}  {1,14}  {2,14}  {3,7}  {4}\n", "calls", isTimed ? "total us" : "instructions",
                    isTimed ? "mean us" : "mean", "share", "kernel");
  for (const auto *row : rows) {
    const auto &[name, total] = *row;
    const double sum = cost(total), mean = sum / double(total.calls);
    errs() << formatv("{0,8}  {1,14}  {2,14}  {3,5:F1} %  {4}\n", total.calls,
                      isTimed ? formatv("{0:F2}", sum).str() : formatv("{0:F0}", sum).str(),
                      isTimed ? formatv("{0:F2}", mean).str() : formatv("{0:F0}", mean).str(),
                      all > 0 ? sum / all * 100 : 0, name);
  }
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.positional.empty())
    return usageError("a program is needed");
  if (arguments.has("check") && (arguments.has("timed") || arguments.has("trace")))
    return usageError("--check and --timed exclude each other: run the program once with each");
  Expected<std::string> folder = hipLibraryFolder();
  if (!folder)
    return folder.takeError();
  ErrorOr<std::string> program = sys::findProgramByName(arguments.positional.front());
  if (!program || !sys::fs::can_execute(*program))
    return makeError("no program '" + arguments.positional.front() + "'");
  std::string log = arguments.get("log");
  const bool isTemporary = log.empty() && (arguments.has("stats") || arguments.has("check"));
  if (isTemporary) {
    SmallString<128> path;
    if (std::error_code error = sys::fs::createTemporaryFile("inflight-exec", "jsonl", path))
      return makeError("cannot make a temporary file: " + error.message());
    log = path.str().str();
  }
  if (!log.empty() && !isTemporary) {
    std::error_code error;
    const raw_fd_ostream emptied(log, error); // what runs adds to it
    if (error)
      return makeError(log + ": " + error.message());
  }
  setEnvironment(arguments, *folder, log);
  SmallVector<StringRef> words(arguments.positional.begin(), arguments.positional.end());
  std::string message;
  int status = sys::ExecuteAndWait(*program, words, std::nullopt, {}, 0, 0, &message);
  if (status < 0)
    return makeError(arguments.positional.front() + ": " + message);
  if (log.empty())
    return status;
  std::map<std::string, Total> totals;
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(log))
    totals = readLog((*file)->getBuffer());
  if (isTemporary)
    (void)sys::fs::remove(log);
  if (arguments.has("stats"))
    printStats(totals);
  // A program that is content with wrong code isn't right.
  const bool hasFindings = any_of(totals, [](const auto &row) { return row.second.findings != 0; });
  return status == 0 && hasFindings ? 1 : status;
}

const Verb execVerb{"exec",
                    "run a HIP program without a GPU",
                    "[options] -- PROGRAM [arguments]",
                    options,
                    "  inflight exec --check=all -- ./saxpy\n"
                    "  inflight exec --timed --stats -- ./bench 4096\n"
                    "  inflight exec --trace=page.html@3 -- ./program\n",
                    run};

} // namespace inflight::cli
