#include "cli/CommandLine.h"
#include "cli/Environment.h"
#include "cli/RunLog.h"
#include "cli/sandbox/Sandbox.h"
#include "hip/runtime/Limits.h"
#include "machine/check/inflight/Findings.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <sys/wait.h>

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"device", "NAME", "MI300X, MI350X, ..., or a chip; without it one that the program has code for"},
    {"devices", "N", "how many of it there are (default: 1)"},
    {"check", "LIST", "checks of every launch: all, or names as `inflight run --check` takes them"},
    {"sources", "DIR",
     "findings show lines of sources below DIR, too; off: none (default: of those whose contents have the MD5 sum that "
     "the debug information states; clang writes none into HIP code with AMD's device libraries)"},
    {"delivery", "WHEN", "when checked loads arrive: latest (default: as late as the waits allow) or random[:SEED]"},
    {"stores", "WHEN",
     "when other workgroups see a store: now (default), or late: when its wave has waited for it, or nothing else can "
     "go on; one host thread"},
    {"max-steps", "N", "instructions after which a wave counts as never ending (default 2^30)"},
    {"timed", "", "count cycles: events then measure modelled time"},
    {"sample", "N", "with --timed: only the first N workgroups of a compute unit run (results are not complete)"},
    {"warm", "", "with --timed: launches before have left a launch's data in the caches"},
    {"trace", "FILE[@N]",
     "an HTML page with the timeline of the N-th launch, or of the first; implies --timed. @N,N: a page each; @NAME: "
     "the first launch of a kernel whose name contains it",
     FileUse::Written},
    {"record", "DIR", "record the program for `inflight replay`, as HIP Record & Replay does", FileUse::Written},
    {"stats", "", "a table of kernels at the end: calls, time or instructions, share"},
    {"csv", "FILE", "with --timed: that table as rocprofv3 --stats writes it", FileUse::Written},
    {"timeline", "FILE", "with --timed: all launches and copies for Perfetto, a track for each stream",
     FileUse::Written},
    sandboxOption,
    {"log", "FILE", "a line of JSON for each launch; with --timeline for each copy, too", FileUse::Written},
};

Expected<std::string> hipLibraryFolder() {
  const std::string self = commandFile();
  const std::string lib = (sys::path::parent_path(sys::path::parent_path(self)) + "/lib").str();
  // As it is installed, and as it is built.
  for (const std::string &folder : {lib + "/inflight", lib})
    if (sys::fs::exists(folder + "/libamdhip64.so.7"))
      return folder;
  return makeError(lib +
                   "/inflight/libamdhip64.so.7 isn't there; `ninja -C build inflight_hip` builds it in a source tree");
}

/// An error for a folder that can't be written: the program's own would be lost among what it prints.
static Error prepareRecording(const std::string &folder) {
  std::error_code error = sys::fs::create_directories(folder);
  if (!error && !sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error)
    error = sys::fs::access(folder, sys::fs::AccessMode::Write);
  return error ? makeError("cannot record in '" + folder + "': " + error.message()) : Error::success();
}

/// What the library reads (docs/hip.md).
static void setEnvironment(const Arguments &arguments, const std::string &folder, const std::string &log) {
  prependFolder("LD_LIBRARY_PATH", folder);
  for (auto [option, variable] : {std::pair("device", "INFLIGHT_DEVICE"),
                                  {"devices", "INFLIGHT_DEVICES"},
                                  {"check", "INFLIGHT_CHECK"},
                                  {"sources", "INFLIGHT_SOURCES"},
                                  {"delivery", "INFLIGHT_DELIVERY"},
                                  {"stores", "INFLIGHT_STORES"},
                                  {"max-steps", "INFLIGHT_MAX_STEPS"},
                                  {"trace", "INFLIGHT_TRACE"},
                                  {"sample", "INFLIGHT_SAMPLE"}})
    if (arguments.has(option))
      setVariable(variable, arguments.get(option));
  if (arguments.has("record"))
    setVariable("HIP_HRR_CAPTURE_OUTPUT", arguments.get("record"));
  if (arguments.has("timed"))
    setVariable("INFLIGHT_TIMED", "1");
  if (arguments.has("warm"))
    setVariable("INFLIGHT_WARM", "1");
  setVariable("INFLIGHT_LOG", log);
  if (none_of(std::array{"log", "stats", "check", "csv", "timeline"},
              [&](const char *name) { return arguments.has(name); }))
    setVariable("INFLIGHT_LOG_LAUNCHES", "0");
  if (arguments.has("timeline"))
    setVariable("INFLIGHT_LOG_COPIES", "1");
}

namespace {
/// Where the library writes a line for each failure, and for each launch where that is asked for.
class LaunchLog {
public:
  static Expected<LaunchLog> create(const Arguments &arguments);
  LaunchLog(LaunchLog &&other) noexcept : path(std::exchange(other.path, "")), target(other.target) {}
  ~LaunchLog() {
    if (!path.empty() && path != target)
      (void)sys::fs::remove(path);
  }
  /// After the program has ended.
  Error read(RunLog &launches) const;

  std::string path;

private:
  LaunchLog() = default;
  std::string target; ///< what --log says; `path` is temporary where it is another
};
} // namespace

Expected<LaunchLog> LaunchLog::create(const Arguments &arguments) {
  LaunchLog log;
  log.target = arguments.get("log");
  // A device or a pipe can't be read again: it gets its lines at the end.
  const bool isReadable = !log.target.empty() && (!sys::fs::exists(log.target) || sys::fs::is_directory(log.target) ||
                                                  sys::fs::is_regular_file(log.target));
  if (isReadable) {
    std::error_code error;
    const raw_fd_ostream emptied(log.target, error); // what runs adds to it
    if (error)
      return makeError("cannot write '" + log.target + "': " + error.message());
    log.path = log.target;
    return log;
  }
  SmallString<128> path;
  if (std::error_code error = sys::fs::createTemporaryFile("inflight-exec", "jsonl", path))
    return makeError("cannot make a temporary file: " + error.message());
  log.path = path.str().str();
  return log;
}

Error LaunchLog::read(RunLog &launches) const {
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  launches.addLines(*text);
  return target.empty() || path == target ? Error::success() : writeFileAtomically(target, *text);
}

/// What the library can't tell the user of in time.
static Error checkLaunchOptions(const Arguments &arguments) {
  const std::string delivery = arguments.get("delivery", "latest"), stores = arguments.get("stores", "now");
  if (Error error = machine::check::parseOptions(arguments.get("check"), delivery).takeError())
    return usageError(toString(std::move(error)));
  if (arguments.has("delivery") && !arguments.has("check"))
    return usageError("--delivery needs --check");
  if (stores != "now" && stores != "late")
    return usageError("--stores is now or late, not '" + stores + "'");
  if (stores == "late" && (arguments.has("timed") || arguments.has("trace")))
    return usageError("--stores=late and --timed exclude each other: run the program once with each");
  uint64_t devices = 1;
  if (arguments.has("devices") &&
      (StringRef(arguments.get("devices")).getAsInteger(10, devices) || !devices || devices > hip::mostDevices))
    return usageError("--devices is a number from 1 to " + std::to_string(hip::mostDevices) + ", not '" +
                      arguments.get("devices") + "'");
  if (devices > 1 && arguments.has("record"))
    return usageError("--devices and --record exclude each other: recordings are of one device");
  uint64_t steps = 1;
  if (arguments.has("max-steps") && (StringRef(arguments.get("max-steps")).getAsInteger(10, steps) || !steps))
    return usageError("--max-steps is a number of instructions, not '" + arguments.get("max-steps") + "'");
  return Error::success();
}

/// The exit status of the program. sys::ExecuteAndWait would take 126 and 127, which loaders and shells end with, for
/// its own.
static Expected<int> runProgram(const std::string &file, ArrayRef<StringRef> words) {
  std::string message;
  bool hasFailed = false;
  const sys::ProcessInfo process = sys::ExecuteNoWait(file, words, std::nullopt, {}, 0, &message, &hasFailed);
  if (hasFailed)
    return makeError(words.front() + ": " + message);
  int status = 0;
  sys::RetryAfterSignal(-1, waitpid, process.Pid, &status, 0);
  if (WIFSIGNALED(status))
    return makeError(words.front() + ": " + strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.has("sandbox"))
    return runInSandbox(execVerb, arguments, /*runsHostCode=*/true);
  if (arguments.has("check") && (arguments.has("timed") || arguments.has("trace")))
    return usageError("--check and --timed exclude each other: run the program once with each");
  if (Error error = checkLaunchOptions(arguments))
    return error;
  for (const char *name : {"csv", "timeline"})
    if (arguments.has(name) && !arguments.has("timed") && !arguments.has("trace"))
      return usageError(Twine("--") + name + " needs --timed");
  Expected<std::string> folder = hipLibraryFolder();
  if (!folder)
    return folder.takeError();
  ErrorOr<std::string> program = sys::findProgramByName(arguments.positional.front());
  if (!program || !sys::fs::can_execute(*program))
    return makeError("no program '" + arguments.positional.front() + "'");
  Expected<LaunchLog> log = LaunchLog::create(arguments);
  if (!log)
    return log.takeError();
  if (arguments.has("record"))
    if (Error error = prepareRecording(arguments.get("record")))
      return error;
  setEnvironment(arguments, *folder, log->path);
  const SmallVector<StringRef> words(arguments.positional.begin(), arguments.positional.end());
  Expected<int> status = runProgram(*program, words);
  if (!status)
    return status.takeError();
  RunLog launches;
  if (Error error = log->read(launches))
    return error;
  if (Error error = concludeLog(arguments, launches))
    return error;
  if (*status != 0)
    return *status;
  // A program that is content with wrong code isn't right.
  if (const uint64_t faults = launches.faults())
    errs() << "inflight exec: error: the program ended with status 0, though "
           << (faults == 1 ? "a kernel" : Twine(faults) + " kernels") << " faulted\n";
  return launches.hasFindings() || launches.faults() ? 1 : 0;
}

const Verb execVerb{"exec",
                    "Run a HIP program without a GPU",
                    {"PROGRAM [arguments]", 1, anyNumber},
                    options,
                    "  inflight exec --check=all -- ./saxpy\n"
                    "  inflight exec --timed --stats -- ./bench 4096\n"
                    "  inflight exec --timed --timeline=run.json -- ./program\n"
                    "  inflight exec --trace=page.html@3 -- ./program\n",
                    run,
                    Positional::Program};

} // namespace inflight::cli
