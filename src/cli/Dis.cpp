#include "cli/LaunchOptions.h"
#include "program/Disassemble.h"
#include "support/Diagnostics.h"
#include "support/InputFile.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"o", "FILE", "output, '-' for standard output (default: the input's name with .s)"},
    {"mcpu", "CHIP", "of a file with several code objects: that for this chip"},
    {"kernel", "NAME", "that with this kernel"},
    {"entry", "N", "the N-th, from 0"},
};

static Expected<int> run(const Arguments &arguments) {
  if (arguments.positional.size() != 1)
    return usageError("one code object is needed");
  StringRef input = arguments.positional[0];
  Expected<std::string> bytes = readProgramFile(input);
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObjectChoice> choice = parseChoice(arguments);
  if (!choice)
    return choice.takeError();
  Expected<LoadedCodeObject> loaded = loadCodeObject(*bytes, input, *choice);
  if (!loaded)
    return loaded.takeError();
  Expected<std::string> text = disassemble(loaded->object);
  if (!text)
    return text.takeError();
  if (Error error = writeFileAtomically(arguments.outputFor(input, ".s"), *text))
    return std::move(error);
  return 0;
}

const Verb disVerb = {"dis",
                      "A code object to assembly that assembles back to the same code",
                      "[options] KERNEL.hsaco",
                      options,
                      "  inflight dis kernel.hsaco -o kernel.s\n"
                      "  inflight dis kernel.hsaco -o - | less\n"
                      "  inflight dis -mcpu=gfx942 libkernels.so --kernel gemm -o gemm.s\n",
                      run};

} // namespace inflight::cli
