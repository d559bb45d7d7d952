#include "cli/InputFiles.h"
#include "cli/OutputFiles.h"
#include "lint/LintDiff.h"
#include "lint/ProgramLine.h"
#include "lint/text/DiffText.h"
#include "lint/text/Findings.h"
#include "lint/text/NopText.h"
#include "program/assemble/IncludedFiles.h"
#include "support/Diagnostics.h"
#include "support/Fatal.h"
#include "support/OutputPath.h"
#include "support/Plural.h"
#include "support/Printable.h"
#include "support/files/InputFile.h"
#include "support/report/ClangText.h"
#include "support/report/SarifWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

using namespace llvm;

namespace inflight::cli {

using namespace lint;

static const OptionSpec options[] = {
    {"verify", "", "report missing waits (what is done when no other mode is given)"},
    {"report", "", "what each wait waits for, how weak it could be and why; each loop's queues"},
    {"annotate", "", "the listing with what is in flight before each instruction, oldest first"},
    {"price", "",
     "the cycles that each wait costs, as the timed machine has it for data that it doesn't know. With these options:"},
    {"trips", "N", "how often each loop runs (default 8); prices are those of the later half"},
    {"waves", "N", "waves on the compute unit (default: the workgroup that the kernel requires, else one per SIMD)"},
    {"memory", "LEVEL", "where loads find their data: l1, l2 (default), mall or hbm"},
    {"debug", "", "the analysis' states at the blocks' borders until its fixpoint"},
    {"hazards", "",
     "the same for wait states between instructions (s_nop), and what else ends hazards (v_nop, s_wait_alu)"},
    {"diff", "",
     "two files, the versions before and after: waits added, removed, stricter, weaker, moved; exit status 1 when the "
     "second waits more"},
    {"relax", "", "write the program with no wait stricter than needed"},
    {"insert", "", "write it with the weakest sound waits, whatever it has"},
    {"strip", "", "write it without waits, but for those that order memory for other waves"},
    {"o", "FILE", "of --relax, --insert and --strip: where to (default: standard output)", FileUse::Written},
    {"i", "", "of the same: change the files in place"},
    {"mcpu", "CHIP", "gfx942 and so on; default: what the file says"},
    {"allow-include", "",
     "read what assembly includes (.include, .incbin): of a stranger's file it may be any file of this machine"},
    {"format", "NAME",
     "of findings: text (standard error), json, sarif or github (standard output); jsonl: a line for each program "
     "as soon as it is done"},
    {"known", "FILE",
     "of --format=jsonl: a list of code_sha256, a line each, of code that needs no look; nor does what follows a twin",
     FileUse::Read},
    {"W", "RULE",
     "warn; -Wno-RULE doesn't, -Werror=RULE takes it for an error, -Werror all; missing-wait, counts-on-latency, "
     "counts-on-dma, unreleased-flag, undecided, control-flow, superfluous-wait, strict-wait, missing-wait-states, "
     "wait-state-advice, "
     "superfluous-nop, unresolved-hazard, unresolved-hazard-advice, wait-added, wait-stricter, wait-weaker, "
     "wait-removed, wait-earlier, wait-later, all",
     FileUse::None, true},
    {"latency-margin", "N",
     "leave out what counts on latency but has N times the latency or more between (default: nothing)"},
    {"max-findings", "N", "show no more of each file"},
    {"time-limit", "S",
     "seconds of processor time for what is looked at alone, a kernel with the functions that it reaches; beyond them "
     "it is undecided. One file at a time"},
    {"memory-limit", "M", "the same for so many MB of memory"},
    // Not Read: --write-baseline may bring it up to date.
    {"baseline", "FILE", "leave out the findings that this file lists"},
    {"write-baseline", "FILE", "list all findings there; exit status 0", FileUse::Written},
    {"threads", "N", "files at once (default: all cores)"},
    {"time", "", "a line for each file: how long reading, analysis and writing took"},
};

static Expected<unsigned> number(const Arguments &arguments, StringRef name, unsigned fallback) {
  unsigned value = fallback;
  if (arguments.has(name) && StringRef(arguments.get(name)).getAsInteger(0, value))
    return usageError("--" + name + " takes a number, not '" + arguments.get(name) + "'");
  return value;
}

/// Where an edit goes.
struct EditOutput {
  bool isInPlace = false;
  std::string path = "-"; ///< when it isn't in place
};

static LintResult serveFile(StringRef path, const LintRequest &request, const EditOutput &output) {
  LintResult result;
  auto fail = [&](Error error) {
    const std::string text = toString(std::move(error));
    // Messages with a place are complete; the others say what file they are about.
    result.err += (StringRef(text).contains("error:") ? "" : path.str() + ": error: ") + text + "\n";
    result.status = unusableStatus;
  };
  Expected<std::unique_ptr<MemoryBuffer>> file = openProgramFile(path);
  if (file)
    result =
        lint::lint((*file)->getBuffer(), path == "-" ? "<stdin>" : path, request, [&] { (*file)->dontNeedIfMmap(); });
  else
    fail(file.takeError());
  if (result.edited)
    if (Error error = writeFileAtomically(output.isInPlace ? path.str() : output.path, *result.edited))
      fail(std::move(error));
  if (request.onProgram && result.status == unusableStatus)
    request.onProgram(errorLine(request, path, result.err));
  return result;
}

/// `inflight waits --diff A B`: writes what changed; the exit status, or an error.
static Expected<int> diffFiles(StringRef before, StringRef after, const LintRequest &request) {
  Expected<std::string> old = readProgramFile(before);
  if (!old)
    return old.takeError();
  Expected<std::string> now = readProgramFile(after);
  if (!now)
    return now.takeError();
  auto nameOf = [](StringRef path) { return path == "-" ? StringRef("<stdin>") : path; };
  Expected<LintResult> result = lintDiff({*old, nameOf(before)}, {*now, nameOf(after)}, request);
  if (!result)
    return result.takeError();
  outs() << result->out;
  return result->status;
}

/// Serves the files on all cores; `take` gets the results in the files' order.
static void serveAll(ArrayRef<std::string> files, const LintRequest &request, const EditOutput &output,
                     unsigned threads, function_ref<void(LintResult)> take) {
  if (threads == 1) { // no others, for limits start processes
    for (const std::string &file : files)
      take(serveFile(file, request, output));
    return;
  }
  std::vector<std::optional<LintResult>> results(files.size());
  std::mutex mutex;
  std::condition_variable isDone;
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (size_t t = 0; t < std::min<size_t>(threads, files.size()); ++t)
    workers.emplace_back([&] {
      for (size_t i; (i = next++) < files.size();) {
        LintResult result = serveFile(files[i], request, output);
        std::lock_guard lock(mutex);
        results[i] = std::move(result);
        isDone.notify_one();
      }
    });
  for (std::optional<LintResult> &result : results) {
    std::unique_lock lock(mutex);
    isDone.wait(lock, [&] { return result.has_value(); });
    LintResult taken = std::move(*result);
    result.emplace();
    lock.unlock();
    take(std::move(taken));
  }
  for (std::thread &worker : workers)
    worker.join();
}

static void printSummary(const InputFiles &inputs, std::map<int, unsigned> &counts) {
  errs() << formatv("{0}: {1} clean, {2} with findings, {3} undecided, {4} that can't be used; {5} left out\n",
                    counted(inputs.files.size(), "file"), counts[cleanStatus], counts[findingsStatus],
                    counts[undecidedStatus], counts[unusableStatus], counted(inputs.leftOut, "other"));
}

static Error readGoal(const Arguments &arguments, LintRequest &request) {
  for (auto [name, goal] :
       {std::pair("strip", waits::Goal::Strip), {"insert", waits::Goal::Insert}, {"relax", waits::Goal::Relax}}) {
    if (!arguments.has(name))
      continue;
    if (request.goal)
      return usageError("--strip, --insert and --relax exclude each other");
    request.goal = goal;
  }
  return Error::success();
}

static Error readPricing(const Arguments &arguments, machine::timed::StaticOptions &pricing) {
  for (auto [name, into] : {std::pair("trips", &pricing.trips), {"waves", &pricing.waves}})
    if (arguments.has(name) && (StringRef(arguments.get(name)).getAsInteger(10, *into) || !*into ||
                                *into > (StringRef(name) == "waves" ? 32 : 1 << 16)))
      return usageError(Twine("--") + name + " takes a number from 1 to " +
                        (StringRef(name) == "waves" ? "32" : "65536") + ", not '" + arguments.get(name) + "'");
  const std::string memory = arguments.get("memory", "l2");
  using events::Level;
  pricing.memory = StringSwitch<Level>(memory)
                       .Case("l1", Level::L1)
                       .Case("l2", Level::L2)
                       .Case("mall", Level::Mall)
                       .Case("hbm", Level::Memory)
                       .Default(Level::None);
  if (pricing.memory == Level::None)
    return usageError("--memory takes l1, l2, mall or hbm, not '" + memory + "'");
  return Error::success();
}

static Expected<EditOutput> readOutput(const Arguments &arguments, bool edits) {
  EditOutput output{arguments.has("i"), arguments.get("o", "-")};
  if ((output.isInPlace || arguments.has("o")) && !edits)
    return usageError("-i and -o go with --relax, --insert or --strip");
  if (output.isInPlace && arguments.has("o"))
    return usageError("-i and -o exclude each other");
  if (output.isInPlace && is_contained(arguments.positional, "-"))
    return usageError("-i needs files, not standard input");
  if (output.isInPlace)
    for (const std::string &file : arguments.positional)
      if (sys::fs::exists(file) && !sys::fs::is_directory(file) && !isReplaceable(file))
        return usageError("-i needs regular files, which '" + file + "' isn't");
  const bool hasSeveral = arguments.positional.size() > 1 || sys::fs::is_directory(arguments.positional.front());
  if (edits && !output.isInPlace && hasSeveral)
    return usageError("several files can only be changed in place: -i");
  return output;
}

static Error readFormat(const Arguments &arguments, LintRequest &request) {
  request.tellsTime = arguments.has("time");
  const std::string name = arguments.get("format", "text");
  const bool isLines = name == "jsonl";
  Expected<ReportFormat> format = parseReportFormat(isLines ? "json" : name);
  if (!format)
    return usageError(toString(format.takeError()) + "; of waits also jsonl");
  request.format = *format;
  if (!isLines)
    return Error::success();
  for (StringRef other : {"report", "annotate", "price", "debug", "relax", "insert", "strip", "diff", "write-baseline"})
    if (arguments.has(other))
      return usageError("--format=jsonl goes with --verify and --hazards alone, not with --" + other);
  request.version = INFLIGHT_VERSION;
  for (StringRef option : {"hazards", "W", "latency-margin", "baseline", "time-limit", "memory-limit"})
    for (const std::string &value : arguments.all(option))
      request.rules += (request.rules.empty() ? "" : " ") + (option == "W" ? "-W" : "--" + option.str()) +
                       (option == "W" || value.empty() ? "" : "=") + value;
  request.onProgram = [mutex = std::make_shared<std::mutex>()](json::Object line) {
    std::lock_guard lock(*mutex);
    outs() << json::Value(std::move(line)) << '\n';
    outs().flush();
  };
  return Error::success();
}

/// Those listed in a file, and those of the run's own programs that are done.
static Error readKnown(const Arguments &arguments, LintRequest &request) {
  if (!arguments.has("known"))
    return Error::success();
  if (!request.onProgram)
    return usageError("--known goes with --format=jsonl");
  Expected<std::string> list = readFile(arguments.get("known"));
  if (!list)
    return list.takeError();
  struct Known {
    std::mutex mutex;
    StringSet<> hashes;
  };
  auto known = std::make_shared<Known>();
  SmallVector<StringRef, 0> lines;
  StringRef(*list).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    known->hashes.insert(line);
  request.isKnown = [known](StringRef hash) {
    std::lock_guard lock(known->mutex);
    return known->hashes.contains(hash);
  };
  request.onProgram = [known, write = std::move(request.onProgram)](json::Object line) {
    if (const std::optional<StringRef> hash = line.getString("code_sha256")) {
      std::lock_guard lock(known->mutex);
      known->hashes.insert(*hash);
    }
    write(std::move(line));
  };
  return Error::success();
}

static Error readLevels(const Arguments &arguments, RuleLevels &levels) {
  for (const auto &[name, value] : arguments.ordered)
    if (name == "W")
      if (Error error = levels.apply(value))
        return usageError(toString(std::move(error)));
  return Error::success();
}

static Error readLimits(const Arguments &arguments, LintRequest &request) {
  Expected<unsigned> shown = number(arguments, "max-findings", ~0u);
  if (!shown)
    return shown.takeError();
  request.maxFindings = *shown;
  request.columns = sys::Process::StandardErrColumns();
  if (arguments.has("latency-margin") &&
      (StringRef(arguments.get("latency-margin")).getAsDouble(request.latencyMargin) || !(request.latencyMargin >= 0)))
    return usageError("--latency-margin takes a number, not '" + arguments.get("latency-margin") + "'");
  return Error::success();
}

/// How much is spent on what is looked at alone.
static Error readAnalysisLimits(const Arguments &arguments, LintRequest &request) {
  double megabytes = 0;
  for (auto [name, into] : {std::pair("time-limit", &request.limits.seconds), {"memory-limit", &megabytes}}) {
    if (!arguments.has(name))
      continue;
    if (StringRef(arguments.get(name)).getAsDouble(*into) || !(*into > 0) || *into > 1e9)
      return usageError(Twine("--") + name + " takes a number above 0, not '" + arguments.get(name) + "'");
    for (StringRef other : {"report", "annotate", "price", "debug", "relax", "insert", "strip", "diff"})
      if (arguments.has(other))
        return usageError(Twine("--") + name + " is of --verify alone, not of --" + other);
    if (arguments.has("threads") && arguments.get("threads") != "1")
      return usageError(Twine("--") + name + " has one file looked at at a time: --threads=1");
  }
  request.limits.bytes = uint64_t(megabytes * (1 << 20));
  return Error::success();
}

/// What programs of all files come to, as they come.
class ResultWriter {
public:
  ResultWriter(const LintRequest &request, StringRef artifact) : request(request), artifact(artifact) {
    if (request.format == ReportFormat::Sarif)
      sarif.emplace(outs());
    if (request.format != ReportFormat::Json || request.onProgram)
      return;
    json.emplace(outs(), 2);
    json->objectBegin();
    json->attributeBegin("files");
    json->arrayBegin();
  }

  void add(LintResult &result) {
    // A listing is assembly again, byte for byte, unless somebody looks at it.
    const bool isListing = request.annotates && !outs().is_displayed();
    outs() << (request.format == ReportFormat::Text && !isListing ? printableLines(result.out) : result.out);
    showClangText(errs(), result.err);
    if (json)
      for (const json::Value &program : result.programs)
        json->value(program);
    if (sarif)
      sarif->add(result.items, artifact);
    if (request.format == ReportFormat::Github)
      writeReport(outs(), result.items, artifact, request.format);
  }

  void finish() {
    if (sarif)
      sarif->finish();
    if (!json)
      return;
    json->arrayEnd();
    json->attributeEnd();
    json->objectEnd();
    json->flush();
    outs() << '\n';
  }

private:
  const LintRequest &request;
  StringRef artifact;
  std::optional<json::OStream> json;
  std::optional<SarifWriter> sarif;
};

/// Serves all files, and writes what the whole run says.
static Expected<int> serve(const Arguments &arguments, const LintRequest &request, const EditOutput &output,
                           unsigned threads) {
  Expected<InputFiles> inputs = findInputs(arguments.positional, request.chip);
  if (!inputs)
    return inputs.takeError();
  if (Error error = checkOutputs(waitsVerb, arguments, inputs->files))
    return std::move(error);
  std::map<int, unsigned> counts; // by status
  int status = cleanStatus;
  Baseline written;
  ResultWriter writer(request, arguments.positional.front());
  serveAll(inputs->files, request, output, std::max(1u, threads), [&](LintResult result) {
    ++counts[result.status];
    status = worse(status, result.status);
    writer.add(result);
    if (request.tellsCovered)
      written.add(result.items);
  });
  if (inputs->hasDirectories)
    printSummary(*inputs, counts);
  writer.finish();
  if (!arguments.has("write-baseline"))
    return status;
  if (Error error = writeFileAtomically(arguments.get("write-baseline"), written.format()))
    return std::move(error);
  return status == unusableStatus ? status : cleanStatus;
}

static Expected<int> runRequest(const Arguments &arguments) {
  LintRequest request;
  request.chip = arguments.get("mcpu");
  if (Error error = readGoal(arguments, request))
    return std::move(error);
  request.annotates = arguments.has("annotate");
  request.reports = arguments.has("report");
  request.prices = arguments.has("price");
  if (Error error = readPricing(arguments, request.pricing))
    return std::move(error);
  request.withHazards = arguments.has("hazards");
  request.debugs = arguments.has("debug");
  request.verifies = arguments.has("verify") ||
                     !(request.goal || request.annotates || request.reports || request.prices || request.debugs);
  setIncludes(arguments.has("allow-include") ? Includes::Read : Includes::Refused);
  Expected<EditOutput> output = readOutput(arguments, request.goal.has_value());
  if (!output)
    return output.takeError();
  if (Error error = readFormat(arguments, request))
    return std::move(error);
  if (Error error = readKnown(arguments, request))
    return std::move(error);
  std::vector<RuleSpec> rules = waitRules().vec();
  append_range(rules, hazardRules());
  append_range(rules, diffRules());
  RuleLevels levels(rules);
  if (Error error = readLevels(arguments, levels))
    return std::move(error);
  request.levels = &levels;
  if (arguments.has("diff")) {
    if (arguments.positional.size() != 2)
      return usageError("--diff takes two files");
    return diffFiles(arguments.positional[0], arguments.positional[1], request);
  }
  if (Error error = readLimits(arguments, request))
    return std::move(error);
  if (Error error = readAnalysisLimits(arguments, request))
    return std::move(error);
  Expected<unsigned> threads =
      number(arguments, "threads", request.limits ? 1 : std::max(1u, std::thread::hardware_concurrency()));
  if (!threads)
    return threads.takeError();
  request.tellsCovered = arguments.has("write-baseline");
  Baseline baseline;
  if (arguments.has("baseline")) {
    const std::string file = arguments.get("baseline");
    Expected<std::string> text = readFile(file);
    if (!text)
      return text.takeError();
    Expected<Baseline> parsed = Baseline::parse(*text, file);
    if (!parsed)
      return parsed.takeError();
    baseline = std::move(*parsed);
    request.baseline = &baseline;
  }
  return serve(arguments, request, *output, *threads);
}

static Expected<int> run(const Arguments &arguments) {
  setFailureStatus(unusableStatus);
  Expected<int> status = runRequest(arguments);
  if (status || status.errorIsA<UsageError>())
    return status;
  const std::string text = toString(status.takeError());
  errs() << (StringRef(text).contains("error:") ? "" : "inflight waits: error: ") << printableLines(text) << '\n';
  return unusableStatus;
}

const Verb waitsVerb = {"waits",
                        "Check, weaken, insert and explain the waits of assembly and code objects",
                        {"FILE|DIRECTORY...", 1, anyNumber},
                        options,
                        "  inflight waits kernel.s\n"
                        "  inflight waits --format=sarif build/*.hsaco > waits.sarif\n"
                        "  inflight waits --report kernel.s\n"
                        "  inflight waits ~/.triton/cache\n"
                        "  inflight waits --relax -i kernel.s\n"
                        "  inflight waits --diff rocm-6.hsaco rocm-7.hsaco\n",
                        run};

} // namespace inflight::cli
