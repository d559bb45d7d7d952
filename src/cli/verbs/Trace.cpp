#include "cli/LaunchOptions.h"
#include "cli/TraceOutputs.h"
#include "events/EventFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec ownOptions[] = {
    {"partial", "", "shows what there is of a run that failed, or of a file of events that ends too early"},
};
static const std::vector<OptionSpec> options =
    joinOptions({traceOutputOptions(), ownOptions, launchOptions(), timedOptions()});

static Expected<int> traceFile(const Arguments &arguments, StringRef input) {
  for (ArrayRef<OptionSpec> list : {launchOptions(), timedOptions()})
    for (const OptionSpec &option : list)
      if (arguments.has(option.name))
        return usageError("--" + option.name + " is for running a code object, but " + input +
                          " has the events of a run");
  Expected<std::unique_ptr<TraceOutputs>> outputs = TraceOutputs::create(arguments);
  if (!outputs)
    return outputs.takeError();
  Expected<events::Replayed> replayed = events::replay(input, (*outputs)->sink(), arguments.has("partial"));
  if (!replayed)
    return replayed.takeError();
  if (replayed->truncated)
    errs() << "inflight trace: warning: " << input << " ends too early, at byte " << replayed->bytes
           << ": this is a part of the run\n";
  if (Error error = (*outputs)->finish())
    return std::move(error);
  return 0;
}

static Expected<int> traceKernel(const Arguments &arguments, StringRef input) {
  Expected<std::unique_ptr<KernelLaunch>> launch = parseLaunch(arguments, input);
  if (!launch)
    return launch.takeError();
  Expected<machine::timed::TimedOptions> timed = parseTimedOptions(arguments, **launch);
  if (!timed)
    return timed.takeError();
  Expected<std::unique_ptr<TraceOutputs>> outputs = TraceOutputs::create(arguments);
  if (!outputs)
    return outputs.takeError();
  timed->sink = &(*outputs)->sink();
  Expected<machine::timed::TimedStats> stats =
      device::launchTimed(*(*launch)->object, *(*launch)->kernel, (*launch)->config, *timed, (*launch)->inputs);
  (*launch)->progress.clear();
  // A run that fails leaves no trace unless --partial asks for it: where a wave waits for ever, the way there is what
  // one looks for.
  if (!stats && !arguments.has("partial"))
    return stats.takeError();
  if (Error error = (*outputs)->finish())
    return stats ? std::move(error) : joinErrors(stats.takeError(), std::move(error));
  if (!stats)
    return stats.takeError();
  return concludeTimed(arguments, **launch, *stats);
}

static Expected<int> run(const Arguments &arguments) {
  StringRef input = arguments.positional[0];
  return input != "-" && events::looksLikeEvents(input) ? traceFile(arguments, input) : traceKernel(arguments, input);
}

const Verb traceVerb = {"trace",
                        "Show where the time of a run goes",
                        {"KERNEL.hsaco|FILE.events"},
                        options,
                        "  inflight trace gemm.hsaco --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32\n"
                        "  inflight trace gemm.hsaco --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32 \\\n"
                        "      --viewer out --html gemm.html --perfetto out.json.gz --events gemm.events\n"
                        "  inflight trace gemm.events --report=json --metrics=json\n",
                        run};

} // namespace inflight::cli
