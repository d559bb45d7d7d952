// make-events FILE [WORKGROUPS [TILES [STEPS [CUS]]]]: the made-up run as a file, for the tests of the command line.
#include "SyntheticRun.h"
#include "events/EventFile.h"
#include <cstdlib>

using namespace inflight;

int main(int argc, char **argv) {
  llvm::ExitOnError check("make-events: ");
  synthetic::SyntheticOptions options;
  if (argc < 2)
    return 2;
  unsigned *const into[] = {&options.workgroups, &options.tiles, &options.steps, &options.cus};
  for (int i = 2; i < argc && i < 6; ++i)
    *into[i - 2] = unsigned(std::atoi(argv[i]));
  std::unique_ptr<events::EventWriter> writer = check(events::EventWriter::create(argv[1]));
  synthetic::syntheticRun(options, *writer);
  check(writer->commit());
  return 0;
}
