#include "cli/CommandLine.h"
#include "cli/Environment.h"
#include "cli/InputFiles.h"
#include "cli/Version.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

// python/inflight_scan/__main__.py, which reads them, has the same ones.
static const OptionSpec options[] = {
    {"store", "FILE",
     "where results are kept: a SQLite database (default: inflight-scan.db), or postgresql://HOST/DATABASE",
     FileUse::Written},
    {"mcpu", "CHIP", "gfx942 and so on: code of that chip alone"},
    {"W", "RULE", "levels of rules, as in `inflight waits`", FileUse::None, true},
    {"latency-margin", "N", "as in `inflight waits`"},
    {"hazards", "", "wait states, too"},
    {"time-limit", "S", "seconds of processor time for a kernel (default 60); beyond them it is undecided; 0: any"},
    {"memory-limit", "M", "MB of memory for a kernel (default 2000); beyond them it is undecided; 0: any"},
    {"max-findings", "N", "findings kept of each program (default 100); all are counted"},
    {"jobs", "N", "files at a time (default: processors; of a cluster: 2 for each of its workers)"},
    {"workers", "CLUSTER", "dask, dask:SCHEDULER, ray or ray:ADDRESS: on the machines of that cluster"},
    {"all", "", "take files named .orig, .bak, .old, .rej, .tmp and names that end with ~, too"},
    {"since", "SCAN", "what is new and what is gone since that scan: its number, or `last`"},
    {"format", "NAME", "of the summary: text or json"},
    {"html", "FILE", "the summary as a page, too", FileUse::Written},
    {"parquet", "DIR", "write the store's tables there as Parquet files, too", FileUse::Written},
    {"list", "", "print the files that would be looked at, and look at none"},
};

static Expected<int> run(const Arguments &arguments) {
  const bool isList = arguments.has("list");
  Expected<InputFiles> inputs = findInputs(arguments.positional, arguments.get("mcpu"),
                                           {.packages = true, .mayBeNothing = isList, .links = true});
  if (!inputs)
    return inputs.takeError();
  if (isList) {
    for (const std::string &file : inputs->files)
      outs() << file << '\n';
    return 0;
  }
  SmallString<128> list;
  int descriptor;
  if (std::error_code error = sys::fs::createTemporaryFile("inflight-scan", "files", descriptor, list))
    return makeError("cannot make a temporary file: " + error.message());
  FileRemover remover(list);
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  for (const std::string &file : inputs->files)
    os << file << '\0';
  os.close();
  if (os.has_error()) {
    const std::error_code error = os.error();
    os.clear_error();
    return makeError("cannot write '" + list + "': " + error.message());
  }
  std::vector<std::string> given;
  for (const auto &[name, value] : arguments.ordered)
    given.push_back((name == "W" ? "-W" : "--" + name) + (value.empty() || name == "W" ? "" : "=") + value);
  given.push_back("--");
  append_range(given, arguments.positional);
  setVariable("INFLIGHT_COMMAND_VERSION", versionText());
  return runPythonModule("inflight_scan", given, list);
}

const Verb scanVerb = {"scan",
                       "Check the waits of whole trees of code, and keep the results",
                       {"PATH...", 1, anyNumber},
                       options,
                       "  inflight scan /opt/rocm/lib --store=rocm.db\n"
                       "  inflight scan build/lib -mcpu=gfx942 --since=last\n",
                       run};

} // namespace inflight::cli
