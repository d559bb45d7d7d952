#include "advise/Advise.h"
#include "cli/LaunchOptions.h"
#include "support/Diagnostics.h"
#include "support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec own[] = {
    {"least", "PERCENT", "what gains less is not explained (default 1)"},
    {"waits", "N", "waits that are tried, those that cost most (default 5)"},
    {"o", "FILE", "writes the code object with the weaker waits", FileUse::Written},
    {"format", "NAME", "text, or json: all that was tried"},
};

static Expected<advise::Request> requestOf(const Arguments &arguments, KernelLaunch &launch) {
  advise::Request request;
  request.bytes = launch.bytes;
  request.name = arguments.positional[0];
  request.object = &*launch.object;
  request.kernel = launch.kernel;
  launch.inputs.wantsResults = false;
  request.launch = [&launch](const CodeObject &object, const Kernel &kernel,
                             const machine::timed::TimedOptions &options) {
    Expected<machine::timed::TimedStats> stats =
        device::launchTimed(object, kernel, launch.config, options, launch.inputs);
    launch.config.onWarning = nullptr; // once is enough
    return stats;
  };
  Expected<machine::timed::TimedOptions> timed = parseTimedOptions(arguments, launch);
  if (!timed)
    return timed.takeError();
  request.timed = std::move(*timed);
  if (arguments.has("waits") && StringRef(arguments.get("waits")).getAsInteger(10, request.waits))
    return usageError("--waits takes a number, not '" + arguments.get("waits") + "'");
  return std::move(request);
}

static Expected<int> run(const Arguments &arguments) {
  double least = 1;
  if (arguments.has("least") && (StringRef(arguments.get("least")).getAsDouble(least) || !(least >= 0 && least <= 100)))
    return usageError("--least takes a percentage, not '" + arguments.get("least") + "'");
  const std::string format = arguments.get("format", "text");
  if (format != "text" && format != "json")
    return usageError("--format is text or json, not '" + format + "'");
  for (StringRef name : {"out", "expect"})
    if (arguments.has(name))
      return usageError("--" + name + " is for inflight run: advice leaves results alone");
  Expected<std::unique_ptr<KernelLaunch>> launch = parseLaunch(arguments, arguments.positional[0]);
  if (!launch)
    return launch.takeError();
  Expected<advise::Request> request = requestOf(arguments, **launch);
  if (!request)
    return request.takeError();
  Expected<advise::Advisory> advisory = advise::advise(*request);
  if (!advisory)
    return advisory.takeError();
  if (format == "json")
    outs() << formatv("{0:2}\n", json::Value(advise::object(*advisory)));
  else
    advise::print(outs(), *advisory, least / 100);
  if (!arguments.has("o"))
    return 0;
  if (!advisory->relaxed)
    return makeError("no wait of " + arguments.positional[0] + " can be weaker: nothing is written");
  if (Error error = writeFileAtomically(arguments.get("o"), *advisory->relaxed))
    return std::move(error);
  return 0;
}

static const std::vector<OptionSpec> options = joinOptions({own, launchOptions(), timedOptions()});

const Verb adviseVerb = {
    "advise",
    "Say what would make a kernel faster, each change tried on the timed model",
    {"KERNEL.hsaco"},
    options,
    "  inflight advise gemm.hsaco --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32\n"
    "  inflight advise gemm.hsaco --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32 -o relaxed.hsaco\n",
    run};

} // namespace inflight::cli
