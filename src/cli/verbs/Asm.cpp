#include "cli/OutputFiles.h"
#include "program/assemble/Assembler.h"
#include "program/assemble/AssemblyTarget.h"
#include "support/Diagnostics.h"
#include "support/files/InputFile.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"mcpu", "CHIP", "default: what .amdgcn_target says"},
    {"o", "FILE", "output, '-' for standard output (default: the input's name with .hsaco)", FileUse::Written},
    {"emit", "KIND", "obj or hsaco (default)"},
    {"g", "", "with a line table: breaks, findings and reports then name lines of the assembly"},
};

static Expected<int> run(const Arguments &arguments) {
  std::string kind = arguments.get("emit", "hsaco");
  if (kind != "obj" && kind != "hsaco")
    return usageError("--emit takes obj or hsaco, not '" + kind + "'");
  StringRef input = arguments.positional[0];
  Expected<std::string> output = outputFor(arguments, input, kind == "obj" ? ".o" : ".hsaco");
  if (!output)
    return output.takeError();
  Expected<std::string> source = readProgramFile(input);
  if (!source)
    return source.takeError();
  if (source->find('\0') != std::string::npos)
    return errorAt({input.str()}, "not assembly; 'inflight dis' prints code objects");
  std::string chip = arguments.get("mcpu", targetOf(*source).chip);
  if (chip.empty())
    return usageError("no .amdgcn_target in '" + input + "': give -mcpu=CHIP");
  Expected<const Isa *> isa = isaOf(chip, *source);
  if (!isa)
    return isa.takeError();
  const LineTable lines = arguments.has("g") ? LineTable::OfText : LineTable::None;
  Expected<std::string> result = kind == "obj" ? assembleObject(**isa, *source, input, TextFrom::User, lines)
                                               : assembleCodeObject(**isa, *source, input, lines);
  if (!result)
    return result.takeError();
  if (Error error = writeFileAtomically(*output, *result))
    return std::move(error);
  return 0;
}

const Verb asmVerb = {"asm",
                      "Assemble to a code object",
                      {"KERNEL.s"},
                      options,
                      "  inflight asm kernel.s -o kernel.hsaco\n"
                      "  inflight asm -g kernel.s -o kernel.hsaco\n"
                      "  inflight dis kernel.hsaco -o - | inflight asm - -o copy.hsaco\n",
                      run};

} // namespace inflight::cli
