// Speed of the wait analysis: waits-speed FILE... prints, for each program, the processor time of reading, of the
// fixpoint (with the description it starts from) and of the whole plan of new waits, which adds the waits on the path
// into loops and joins.
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

int main(int argc, char **argv) {
  ExitOnError check("waits-speed: ");
  for (int i = 1; i < argc; ++i) {
    const std::string bytes = check(readFile(argv[i]));
    const double begin = processorSeconds();
    std::vector<std::unique_ptr<Program>> programs = check(readPrograms(bytes, argv[i]));
    const double read = processorSeconds() - begin;
    for (const std::unique_ptr<Program> &program : programs) {
      waits::EngineOptions options;
      options.keepWaits = false;
      const double fixpoint = timed([&] {
        waits::Graph graph = waits::describe(*program);
        waits::followLds(graph, *program);
        waits::findNeeds(graph, options);
      });
      const double whole = timed([&] { waits::plan(*program, waits::Goal::Insert); });
      outs() << formatv("{0} instructions: read {1:f3} ms, fixpoint {2:f3} ms, plan {3:f3} ms\n",
                        program->instructions().size(), read * 1e3, fixpoint * 1e3, whole * 1e3);
    }
  }
}
