// Speed of the wait analysis: waits-speed FILE... prints, for each program, the processor time of reading, of the
// fixpoint (with the description it starts from) and of the whole plan of new waits, which adds the waits on the path
// into loops and joins. waits-speed --once=read|fixpoint|plan FILE... does one of them once and prints nothing: what it
// does is counted from outside.
#include "support/Diagnostics.h"
#include "waits/Plan.h"
#include "waits/graph/BuildGraph.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <ctime>

using namespace llvm;
using namespace inflight;

static double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The least of five.
template <typename Work> static double timed(Work work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin = processorSeconds();
    work();
    best = std::min(best, processorSeconds() - begin);
  }
  return best;
}

static void findFixpoint(const Program &program) {
  waits::EngineOptions options;
  options.keepWaits = false;
  waits::Graph graph = waits::describe(program);
  waits::followLds(graph, program);
  waits::findNeeds(graph, options);
}

static void findPlan(const Program &program) { waits::plan(program, waits::Goal::Insert); }

int main(int argc, char **argv) {
  ExitOnError check("waits-speed: ");
  StringRef once;
  for (StringRef argument : ArrayRef<const char *>(argv + 1, argc - 1)) {
    if (argument.consume_front("--once=")) {
      once = argument;
      continue;
    }
    const std::string bytes = check(readFile(argument));
    const double begin = processorSeconds();
    std::vector<std::unique_ptr<Program>> programs = check(readPrograms(bytes, argument));
    const double read = processorSeconds() - begin;
    for (const std::unique_ptr<Program> &program : programs) {
      if (once == "fixpoint")
        findFixpoint(*program);
      if (once == "plan")
        findPlan(*program);
      if (!once.empty())
        continue;
      const double fixpoint = timed([&] { findFixpoint(*program); });
      const double whole = timed([&] { findPlan(*program); });
      outs() << formatv("{0} instructions: read {1:f3} ms, fixpoint {2:f3} ms, plan {3:f3} ms\n",
                        program->instructions().size(), read * 1e3, fixpoint * 1e3, whole * 1e3);
    }
  }
}
