#include "cli/CodeFile.h"
#include "cli/CommandLine.h"
#include "cli/RunLog.h"
#include "replay/Pages.h"
#include "replay/Player.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <unistd.h>

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"list", "", "only list the launches"},
    {"launch", "N[,N]", "these launches, counted from 1; those before them run without checks and time"},
    {"kernel", "TEXT", "launches of kernels whose names contain this"},
    {"check", "LIST", "checks: all, or names as `inflight run --check` takes them"},
    {"timed", "", "count cycles"},
    {"sample", "N", "with --timed: only the first N workgroups of a compute unit run (results are not complete)"},
    {"warm", "", "with --timed: launches before have left a launch's data in the caches"},
    {"trace", "FILE", "an HTML page with the timeline of the first of the launches; implies --timed", FileUse::Written},
    {"device", "NAME", "MI300X, MI350X, ..., or a chip; without it what the recording was made on, or has code for"},
    {"replace", "FILE", "a code object or assembly whose kernels run in place of the recorded ones of their names",
     FileUse::Read},
    {"stats", "", "a table of kernels at the end: calls, time or instructions, share"},
    {"csv", "FILE", "with --timed: that table as rocprofv3 --stats writes it", FileUse::Written},
    {"timeline", "FILE", "with --timed: the launches and copies for Perfetto, a track for each stream",
     FileUse::Written},
    {"log", "FILE", "a line of JSON for each launch, and with --timed for each copy", FileUse::Written},
    {"lossy", "", "go on where the recording doesn't hold what happened, with a warning"},
};

static std::string launchesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " launch" : " launches");
}

static std::string shapeText(const std::array<uint32_t, 3> &shape) {
  return formatv("{0}x{1}x{2}", shape[0], shape[1], shape[2]);
}

static void list(const replay::Recording &recording, const std::vector<bool> &isChosen) {
  outs() << formatv("{0}: {1}, {2}{3}\n", recording.path, recording.kind, launchesText(recording.launches.size()),
                    recording.chip.empty() ? "" : ", made on " + recording.chip);
  outs() << formatv("{0,8}  {1,14}  {2,12}  {3,8}  {4,14}  {5}\n", "launch", "workgroups", "lanes", "LDS", "stream",
                    "kernel");
  for (const replay::Event &event : recording.events) {
    if (event.action != replay::Action::Launch || !isChosen[event.index])
      continue;
    const replay::Launch &launch = recording.launches[event.index];
    outs() << formatv("{0,8}  {1,14}  {2,12}  {3,8}  {4,14:x}  {5}\n", event.index + 1, shapeText(launch.grid),
                      shapeText(launch.block), launch.ldsBytes, event.stream, launch.kernel);
  }
}

/// Which launches the options mean.
static Expected<std::vector<bool>> choose(const Arguments &arguments, const replay::Recording &recording) {
  const size_t count = recording.launches.size();
  std::vector<bool> isChosen(count, !arguments.has("launch"));
  SmallVector<StringRef> numbers;
  const std::string wanted = arguments.get("launch"), kernel = arguments.get("kernel");
  StringRef(wanted).split(numbers, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : numbers) {
    size_t number = 0;
    if (text.getAsInteger(10, number) || !number)
      return usageError("--launch takes numbers from 1 on, not '" + text + "'");
    if (number > count)
      return makeError(recording.path + ": there is no launch " + text + "; the recording has " + Twine(count));
    isChosen[number - 1] = true;
  }
  for (size_t i = 0; i < count; ++i)
    if (!StringRef(recording.launches[i].kernel).contains(kernel))
      isChosen[i] = false;
  if (count && llvm::none_of(isChosen, [](bool is) { return is; }))
    return makeError(recording.path + ": no launch of a kernel with '" + kernel + "' in its name");
  return isChosen;
}

/// The loader places libraries and the stack anew in each process: what is in the way now isn't the next time.
static void tryAnotherProcess() {
  constexpr int mostTries = 8;
  const char *const variable = "INFLIGHT_REPLAY_TRY";
  const char *before = std::getenv(variable);
  const int tries = before ? std::atoi(before) : 0;
  if (tries >= mostTries)
    return;
  const auto file = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!file)
    return;
  std::string words = (*file)->getBuffer().str();
  std::vector<char *> argv;
  for (size_t at = 0; at < words.size(); at = words.find('\0', at) + 1)
    argv.push_back(words.data() + at);
  argv.push_back(nullptr);
  setenv(variable, std::to_string(tries + 1).c_str(), /*overwrite=*/1);
  outs().flush();
  errs().flush();
  (void)execv("/proc/self/exe", argv.data());
}

static Expected<replay::PlayOptions> parse(const Arguments &arguments) {
  replay::PlayOptions options;
  options.device = arguments.get("device");
  options.checks = arguments.get("check");
  options.isTimed = arguments.has("timed") || arguments.has("trace");
  options.isWarm = arguments.has("warm");
  options.page = arguments.get("trace");
  if (arguments.has("replace")) {
    options.replacementName = arguments.get("replace");
    if (Error error = readCodeFile(options.replacementName, /*chip=*/"").moveInto(options.replacement))
      return std::move(error);
  }
  options.isLossy = arguments.has("lossy");
  if (options.isTimed && !options.checks.empty())
    return usageError("--check and --timed exclude each other: replay once with each");
  for (const char *name : {"sample", "warm", "csv", "timeline"})
    if (arguments.has(name) && !options.isTimed)
      return usageError(Twine("--") + name + " needs --timed");
  if (arguments.has("sample") &&
      (StringRef(arguments.get("sample")).getAsInteger(10, options.sample) || !options.sample))
    return usageError("--sample takes a number of workgroups, not '" + arguments.get("sample") + "'");
  return options;
}

static Expected<int> run(const Arguments &arguments) {
  Expected<replay::PlayOptions> parsed = parse(arguments);
  if (!parsed)
    return parsed.takeError();
  Expected<replay::Recording> recording = replay::readRecording(arguments.positional.front());
  if (!recording)
    return recording.takeError();
  for (const std::string &note : recording->notes)
    errs() << "note: " << note << '\n';
  Expected<std::vector<bool>> isChosen = choose(arguments, *recording);
  if (!isChosen)
    return isChosen.takeError();
  if (arguments.has("list")) {
    list(*recording, *isChosen);
    return 0;
  }
  parsed->isChosen = std::move(*isChosen);
  RunLog log;
  std::string lines;
  Expected<replay::PlayResult> result = replay::play(*recording, *parsed, errs(), [&](json::Object object) {
    if (arguments.has("log"))
      raw_string_ostream(lines) << json::Value(json::Object(object)) << '\n';
    log.add(std::move(object));
  });
  if (result.errorIsA<replay::AddressTaken>())
    tryAnotherProcess();
  if (!result)
    return result.takeError();
  if (arguments.has("log"))
    if (Error error = writeFileAtomically(arguments.get("log"), lines))
      return error;
  if (Error error = concludeLog(arguments, log))
    return error;
  outs() << formatv("{0}: {1}", launchesText(result->launches), counted(result->comparisons, "recorded result"));
  if (result->comparisons)
    outs() << (result->differences ? formatv(", {0} of them different", result->differences).str()
                                   : ", all as recorded");
  outs() << '\n';
  return result->differences || result->findings ? 1 : 0;
}

const Verb replayVerb{"replay",
                      "Play a recording of HIP Record & Replay or of kerncap",
                      {"FOLDER"},
                      options,
                      "  inflight replay --list app.hrr\n"
                      "  inflight replay app.hrr\n"
                      "  inflight replay --launch=17 --check=all app.hrr\n"
                      "  inflight replay --kernel=attention --trace=page.html app.hrr\n"
                      "  inflight replay --timed --stats --timeline=run.json app.hrr\n",
                      run,
                      Positional::Recording};

} // namespace inflight::cli
