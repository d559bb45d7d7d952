// --sandbox: the command runs itself again where files of strangers can do little: so long, so much memory, one folder.
#pragma once

#include "cli/CommandLine.h"

namespace inflight::cli {

/// The option of the verbs that have it.
inline constexpr OptionSpec sandboxOption = {
    "sandbox",
    "LIMITS",
    "for files of strangers: bounds time, memory and files and keeps the rest of the system away (docs/sandbox.md); "
    "seconds=600,memory=8192,file=1024 (MiB) unless named",
    FileUse::None,
    false,
    true};

/// What the same command without --sandbox comes to in there: its exit status, or an error that says what it was ended
/// for. `runsHostCode`: it starts a program of the host, so without namespaces nothing is run.
llvm::Expected<int> runInSandbox(const Verb &verb, const Arguments &arguments, bool runsHostCode);

} // namespace inflight::cli
