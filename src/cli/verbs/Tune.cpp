#include "cli/CommandLine.h"
#include "cli/Environment.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace inflight::cli {

// python/inflight/tune/__main__.py, which reads them, has the same ones.
static const OptionSpec options[] = {
    {"mcpu", "CHIP", "gfx90a, gfx942 (default) or gfx950"},
    {"device", "NAME", "the product: MI300X, MI355X, ... (default: the chip's usual one)"},
    {"set", "NAME=VALUE", "changes a setting of the template; may be given several times"},
    {"trials", "N", "choices to try, those of earlier runs included (default 50)"},
    {"sample", "N", "workgroups per compute unit that are timed (default 6; 0: all)"},
    {"storage", "URL", "where trials are kept: a file (SQLite; default inflight-tune.db), or any URL that Optuna takes",
     FileUse::Written},
    {"study", "NAME",
     "name in the storage (default: of template, chip and settings); it is gone on with if it is there"},
    {"jobs", "N", "trials at a time; with --dask and --ray workers (default: processors)"},
    {"dask", "ADDRESS", "have a Dask cluster's workers search: its scheduler's address"},
    {"ray", "ADDRESS", "the same with Ray; --ray alone: Ray's own on this machine", FileUse::None, false, true},
    {"seed", "N", "makes a search with --jobs=1 the same each time"},
    {"timeout", "SECONDS", "for one compilation or run (default: none)"},
    {"top", "N", "rows of the table (default 10)"},
    {"jsonl", "FILE", "a line of JSON for each trial", FileUse::Written},
    {"html", "FILE", "a page with the search", FileUse::Written},
    {"o", "FILE", "the result, for `inflight compile --tuned=FILE` (default: TEMPLATE.CHIP.tuned.json)",
     FileUse::Written},
};

// As it is in a source tree, in a wheel and where it is installed.
Expected<std::string> pythonPackageFolder() {
  const std::string self = commandFile();
  for (StringRef place : {"../../python", "../..", "../share/inflight/python"}) {
    SmallString<128> folder(sys::path::parent_path(self));
    sys::path::append(folder, place);
    sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
    if (sys::fs::exists(folder + "/inflight/tune/__main__.py"))
      return folder.str().str();
  }
  return makeError("the Python package isn't beside the command: pip install inflight-gpu has both");
}

// As python/inflight/_library.py looks for it.
Expected<std::string> inflightLibrary() {
  std::string folder;
  if (Error error = pythonPackageFolder().moveInto(folder))
    return std::move(error);
  const std::string prefix = sys::path::parent_path(sys::path::parent_path(commandFile())).str();
  for (const std::string &file :
       {sys::Process::GetEnv("INFLIGHT_LIBRARY").value_or(""), folder + "/inflight/lib/libinflight.so",
        prefix + "/lib/libinflight.so", folder + "/../build/lib/libinflight.so"})
    if (!file.empty() && sys::fs::exists(file))
      return file;
  return makeError("libinflight.so isn't beside the command; `ninja -C build inflight_shared` builds it in a source "
                   "tree, INFLIGHT_LIBRARY=FILE says where another is");
}

static Expected<int> run(const Arguments &arguments) {
  const std::string self = commandFile();
  Expected<std::string> folder = pythonPackageFolder();
  if (!folder)
    return folder.takeError();
  if (Error error = inflightLibrary().takeError())
    return std::move(error);
  const std::string python = sys::Process::GetEnv("INFLIGHT_PYTHON").value_or("python3");
  ErrorOr<std::string> program = sys::findProgramByName(python);
  if (!program)
    return makeError("no program '" + python + "' (INFLIGHT_PYTHON)");
  prependFolder("PYTHONPATH", *folder);
  setVariable("INFLIGHT_COMMAND", self);
  std::vector<std::string> given = {*program, "-m", "inflight.tune", arguments.positional[0]};
  for (const auto &[name, value] : arguments.ordered)
    given.push_back("--" + name + (value.empty() ? "" : "=" + value));
  std::string message;
  const int status = sys::ExecuteAndWait(*program, std::vector<StringRef>(given.begin(), given.end()), std::nullopt, {},
                                         0, 0, &message);
  if (status < 0)
    return makeError(*program + ": " + message);
  return status;
}

const Verb tuneVerb = {
    "tune",
    "Search the parameters of a kernel template on the timed model",
    {"TEMPLATE.py"},
    options,
    "  inflight tune examples/gemm/tune.py -mcpu=gfx950 --set size=4096x4096x4096 --trials 40\n"
    "  inflight tune examples/gemm/tune.py --storage=postgresql://host/tuning --dask=host:8786 --jobs 64\n",
    run};

} // namespace inflight::cli
