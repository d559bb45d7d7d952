#include "cli/TraceOutputs.h"
#include "events/EventFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static ArrayRef<OptionSpec> options() {
  static const std::vector<OptionSpec> all = [] {
    std::vector<OptionSpec> result = traceOutputOptions().vec();
    result.push_back({"partial", "", "shows what there is of a file that ends too early"});
    return result;
  }();
  return all;
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.positional.size() != 1)
    return usageError("one file of events is needed");
  const std::string &input = arguments.positional[0];
  Expected<std::unique_ptr<TraceOutputs>> outputs = TraceOutputs::create(arguments);
  if (!outputs)
    return outputs.takeError();
  Expected<events::Replayed> replayed = events::replay(input, (*outputs)->sink(), arguments.has("partial"));
  if (!replayed)
    return replayed.takeError();
  if (replayed->truncated)
    errs() << "inflight trace: warning: " << input << " ends too early, at byte " << replayed->bytes << ": this is a part of the run\n";
  if (Error error = (*outputs)->finish())
    return std::move(error);
  return 0;
}

const Verb traceVerb = {
    "trace", "Show where the time of a run went", "[options] FILE.events", options(),
    "  inflight trace run.events --top 20\n"
    "  inflight trace run.events --html run.html\n"
    "  inflight trace run.events --viewer out --perfetto out.json.gz\n"
    "  inflight trace run.events --report=json --metrics=json\n",
    run};

} // namespace inflight::cli
