#include "cli/CommandLine.h"

using namespace llvm;

namespace inflight::cli {

// python/inflight/mcp/__main__.py, which reads them, has the same ones.
static const OptionSpec options[] = {
    {"folder", "DIR", "where tools read and write files, and nowhere else (default: the current folder)"},
    {"seconds", "N", "what a call may take (default 120)"},
    {"memory", "MIB", "memory that a call may take (default 4096)"},
    {"answer", "KIB", "size of an answer (default 48): lists are shortened to fit"},
    {"calls", "N", "calls at a time; others wait (default 2)"},
};

static Expected<int> run(const Arguments &arguments) { return runPythonModule("inflight.mcp", arguments); }

const Verb mcpVerb = {"mcp",
                      "Serve agents by the Model Context Protocol, on standard input and output",
                      {"", 0, 0},
                      options,
                      "  inflight mcp --folder=kernels\n"
                      "  inflight mcp --folder=kernels --seconds=20 --memory=2048\n",
                      run,
                      Positional::Other};

} // namespace inflight::cli
