#include "cli/CommandLine.h"
#include "program/Disassemble.h"
#include "support/Diagnostics.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"o", "FILE", "output, '-' for standard output (default: the input's name with .s)"},
};

static Expected<int> run(const Arguments &arguments) {
  if (arguments.positional.size() != 1)
    return usageError("one code object is needed");
  StringRef input = arguments.positional[0];
  Expected<std::string> bytes = readFile(input);
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObject> object = CodeObject::load(*bytes, input);
  if (!object)
    return object.takeError();
  Expected<std::string> text = disassemble(*object);
  if (!text)
    return text.takeError();
  if (Error error = writeFileAtomically(arguments.outputFor(input, ".s"), *text))
    return std::move(error);
  return 0;
}

const Verb disVerb = {"dis", "A code object to assembly that assembles back to the same code", "[options] KERNEL.hsaco", options,
                      "  inflight dis kernel.hsaco -o kernel.s\n"
                      "  inflight dis kernel.hsaco -o - | less\n",
                      run};

} // namespace inflight::cli
