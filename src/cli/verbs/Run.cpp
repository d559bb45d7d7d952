#include "cli/DebugOptions.h"
#include "cli/sandbox/Sandbox.h"
#include "machine/check/Report.h"
#include "object/SourceLines.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "support/report/Report.h"
#include "support/report/SourceText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const std::string checkHelp = "all, or some of " + machine::check::kindNames(true) + "; besides " +
                                     machine::check::kindNames(false) + "; exit status 1 with findings";
static const OptionSpec ownOptions[] = {
    {"check", "LIST", checkHelp},
    {"delivery", "WHEN", "when checked loads arrive: latest (default: as late as the waits allow) or random[:SEED]"},
    {"stores", "WHEN",
     "when other workgroups see a store: now (default), or late: when its wave has waited for it, or nothing else can "
     "go on; one host thread"},
    {"format", "NAME",
     "of findings: text (standard error), json, sarif or github (standard output); with --timed text or json, of the "
     "time"},
    {"sources", "DIR",
     "show lines of sources below DIR, too; off: none (default: of those whose contents have the MD5 sum that the "
     "debug information states)"},
    {"trace", "FILE", "write what each wave executes and accesses there, a line each", FileUse::Written},
    {"stats", "", "instructions by class and time, to standard error"},
    {"fidelity", "", "which instructions ran exactly as defined, which approximately and why, to standard error"},
    {"repeat", "N",
     "with --timed: N launches one after another on the same memory, the first with caches as --warm or --cold say, "
     "the "
     "others warm; prints the time of each; results are those of all"},
    {"timed", "",
     "simulate cycles: time, rates and where the cycles go, to standard error; results are the same. With these "
     "options:"},
};
static const std::vector<OptionSpec> options =
    joinOptions({launchOptions(), debugOptions(), ownOptions, timedOptions(), sandboxOption});

static Expected<int> runTimed(const Arguments &arguments, KernelLaunch &launch) {
  for (const char *name : {"check", "delivery", "stores", "trace", "fidelity", "stats", "break", "dump", "watch"})
    if (arguments.has(name))
      return usageError(Twine("--timed and --") + name + " exclude each other");
  Expected<machine::timed::TimedOptions> timed = parseTimedOptions(arguments, launch);
  if (!timed)
    return timed.takeError();
  if (arguments.has("repeat") &&
      (StringRef(arguments.get("repeat")).getAsInteger(10, timed->launches) || !timed->launches))
    return usageError("--repeat takes a number of launches, not '" + arguments.get("repeat") + "'");
  Expected<machine::timed::TimedStats> stats =
      device::launchTimed(*launch.object, *launch.kernel, launch.config, *timed, launch.inputs);
  launch.progress.clear();
  if (!stats)
    return stats.takeError();
  return concludeTimed(arguments, launch, *stats);
}

/// A trace that isn't whole, as on a full disk, isn't left.
static Error closeTrace(raw_fd_ostream &trace, StringRef path) {
  trace.close();
  if (!trace.has_error())
    return Error::success();
  const std::string reason = trace.error().message();
  trace.clear_error();
  if (sys::fs::is_regular_file(path))
    (void)sys::fs::remove(path);
  return makeError("cannot write '" + path + "': " + reason);
}

static void printStats(const machine::RunStats &stats) {
  static const char *const names[] = {"SALU", "VALU",  "MFMA",     "VMEM",     "LDS",
                                      "SMEM", "waits", "branches", "barriers", "other"};
  errs() << formatv("{0}, {1} in {2:f3} s ({3:f1} million a second)\n", counted(stats.waves, "wave"),
                    counted(stats.instructions(), "instruction"), stats.seconds,
                    stats.instructions() / stats.seconds / 1e6);
  for (unsigned c = 0; c < std::size(names); ++c)
    if (stats.byClass[c])
      errs() << formatv("  {0,-10}{1,14}\n", names[c], stats.byClass[c]);
}

/// Findings, and in JSON whether something was stored and what the debugger has shown.
static void report(const KernelLaunch &launch, ArrayRef<machine::ReportedFinding> findings, StringRef input,
                   ReportFormat format, const SourcePolicy &policy, DebugSession *debug) {
  const SourceLines lines(launch.bytes);
  const std::vector<ReportItem> items = machine::check::reportItems(findings, lines, launch.kernel->name);
  SourceText sources(lines.checksums(), policy);
  if (format != ReportFormat::Json)
    return writeReport(format == ReportFormat::Text ? errs() : outs(), items, input, format, &sources,
                       sys::Process::StandardErrColumns());
  json::Object object = reportObject(items, input);
  object["stored"] = launch.inputs.isStoredTo;
  if (debug)
    debug->addTo(object);
  outs() << formatv("{0:2}\n", json::Value(std::move(object)));
}

static Expected<machine::check::Options> readChecks(const Arguments &arguments) {
  Expected<machine::check::Options> checks =
      machine::check::parseOptions(arguments.get("check"), arguments.get("delivery", "latest"));
  if (!checks)
    return usageError(toString(checks.takeError()));
  const std::string stores = arguments.get("stores", "now");
  if (stores != "now" && stores != "late")
    return usageError("--stores is now or late, not '" + stores + "'");
  checks->lateStores = stores == "late";
  return checks;
}

/// Options that only a timed run has.
static Error checkUntimed(const Arguments &arguments) {
  if (arguments.has("repeat"))
    return usageError("--repeat needs --timed");
  for (const OptionSpec &option : timedOptions())
    if (arguments.has(option.name))
      return usageError("--" + option.name + " needs --timed");
  return Error::success();
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.has("sandbox"))
    return runInSandbox(runVerb, arguments, /*runsHostCode=*/false);
  StringRef input = arguments.positional[0];
  Expected<machine::check::Options> checks = readChecks(arguments);
  if (!checks)
    return checks.takeError();
  Expected<ReportFormat> format = parseReportFormat(arguments.get("format", "text"));
  if (!format)
    return usageError(toString(format.takeError()));
  Expected<std::unique_ptr<KernelLaunch>> parsed = parseLaunch(arguments, input);
  if (!parsed)
    return parsed.takeError();
  KernelLaunch &launch = **parsed;
  if (arguments.has("timed"))
    return runTimed(arguments, launch);
  if (Error error = checkUntimed(arguments))
    return std::move(error);
  machine::LaunchConfig &config = launch.config;
  config.checks = *checks;
  config.countsFidelity = arguments.has("fidelity");
  config.onSlowProgress = [&launch](const std::string &text) {
    launch.progress.clear();
    errs() << "note: " << text << "\n  --max-steps ends what never does\n";
  };
  Expected<SourcePolicy> sources = parseSources(arguments);
  if (!sources)
    return sources.takeError();
  Expected<std::unique_ptr<DebugSession>> debug = parseDebugOptions(arguments, launch, *format, *sources);
  if (!debug)
    return debug.takeError();
  if (*debug)
    config.debug = &(*debug)->request();
  std::optional<raw_fd_ostream> trace;
  if (arguments.has("trace")) {
    std::error_code error;
    trace.emplace(arguments.get("trace"), error);
    if (error)
      return makeError(Twine("cannot write ") + arguments.get("trace") + ": " + error.message());
    config.checks.trace = &*trace;
    config.threads = 1;
  }
  Expected<machine::RunStats> stats = device::launch(*launch.object, *launch.kernel, config, launch.inputs);
  launch.progress.clear();
  if (Error error = trace ? closeTrace(*trace, arguments.get("trace")) : Error::success())
    return stats ? std::move(error) : joinErrors(stats.takeError(), std::move(error));
  if (!stats) {
    if (*debug)
      report(launch, {}, input, *format, *sources, debug->get());
    return stats.takeError();
  }
  Expected<uint64_t> mismatches = writeAndCompare(arguments, launch.inputs);
  if (!mismatches)
    return mismatches.takeError();
  if (arguments.has("stats"))
    printStats(*stats);
  if (config.countsFidelity)
    errs() << stats->fidelity.line() << '\n';
  if (stats->findings.empty()) // others may have ended the run
    warnOfNoStore(launch);
  if (config.checks.any() || *debug)
    report(launch, stats->findings, input, *format, *sources, debug->get());
  return *mismatches || !stats->findings.empty() ? 1 : 0;
}

const Verb runVerb = {
    "run",
    "Execute a kernel on the machine model",
    {"KERNEL.hsaco"},
    options,
    "  inflight run vadd.hsaco --grid 4 --block 256 --arg random:1000:f32:1 --arg random:1000:f32:2 \\\n"
    "      --arg zeros:1000:f32 --out 2=sum.npy\n"
    "  inflight run gemm.hsaco --kernel gemm --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32 \\\n"
    "      --expect 2=c.npy,1e-3,1e-3 --stats\n"
    "  inflight run gemm.hsaco --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32 --check=all --format=sarif\n",
    run};

} // namespace inflight::cli
