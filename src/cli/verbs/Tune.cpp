#include "cli/CommandLine.h"

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

static Expected<int> run(const Arguments &arguments) { return runPythonModule("inflight.tune", arguments); }

const Verb tuneVerb = {
    "tune",
    "Search the parameters of a kernel template on the timed model",
    {"TEMPLATE.py"},
    options,
    "  inflight tune examples/gemm/tune.py -mcpu=gfx950 --set size=4096x4096x4096 --trials 40\n"
    "  inflight tune examples/gemm/tune.py --storage=postgresql://host/tuning --dask=host:8786 --jobs 64\n",
    run};

} // namespace inflight::cli
