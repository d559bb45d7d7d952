// The options of verbs that run a kernel: which one, with what arguments, on how many workgroups, and what becomes of
// the results.
#pragma once

#include "cli/CommandLine.h"
#include "device/Launch.h"
#include "machine/timed/TimedRun.h"
#include "program/read/LoadCodeObject.h"
#include "support/Progress.h"
#include "support/report/SourceText.h"

namespace inflight::cli {

/// A kernel with all that it is launched with.
struct KernelLaunch {
  std::string bytes; ///< of the code object
  std::optional<CodeObject> object;
  const Kernel *kernel = nullptr;
  machine::LaunchConfig config;
  device::LaunchInputs inputs;
  Progress progress; ///< of the run, for who waits at a terminal
};

/// -mcpu, --kernel, --entry: which of a file's code objects.
llvm::Expected<CodeObjectChoice> parseChoice(const Arguments &arguments);
/// --kernel, --grid, --block, --arg and so on; --out and --expect.
llvm::ArrayRef<OptionSpec> launchOptions();
/// --device, --clock, --cus and so on.
llvm::ArrayRef<OptionSpec> timedOptions();
/// --sources.
llvm::Expected<SourcePolicy> parseSources(const Arguments &arguments);
std::vector<OptionSpec> joinOptions(std::initializer_list<llvm::ArrayRef<OptionSpec>> lists);

/// Reads the code object and the launch options but for those of checks.
llvm::Expected<std::unique_ptr<KernelLaunch>> parseLaunch(const Arguments &arguments, llvm::StringRef input);
/// Options of a timed run, without a sink; the sources are those of `launch`, which must outlive the result.
llvm::Expected<machine::timed::TimedOptions> parseTimedOptions(const Arguments &arguments, const KernelLaunch &launch);
/// After a timed run: what --out and --expect ask for, then, to standard error, what was simulated and what it means
/// for the whole device. The exit status.
llvm::Expected<int> concludeTimed(const Arguments &arguments, const KernelLaunch &launch,
                                  const machine::timed::TimedStats &stats);
/// Says so if a launch that went to its end stored nothing to global memory, though it was given buffers.
void warnOfNoStore(const KernelLaunch &launch);
/// Writes what --out asks for; the elements that differ from what --expect says, printed.
llvm::Expected<uint64_t> writeAndCompare(const Arguments &arguments, const device::LaunchInputs &inputs);

} // namespace inflight::cli
