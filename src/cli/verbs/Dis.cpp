#include "cli/LaunchOptions.h"
#include "cli/OutputFiles.h"
#include "object/SourceLines.h"
#include "program/assemble/AssemblyTarget.h"
#include "program/decode/Disassemble.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "support/Printable.h"
#include "support/files/InputFile.h"
#include "support/report/SourceText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"o", "FILE", "output, '-' for standard output (default: the input's name with .s)", FileUse::Written},
    {"mcpu", "CHIP", "of a file with several code objects: that for this chip"},
    {"kernel", "NAME", "that with this kernel"},
    {"entry", "N", "the N-th, from 0"},
    {"addresses", "", "each instruction's address in a comment, as findings and reports name it"},
    {"bytes", "", "each instruction's encoding in a comment"},
    {"source", "", "lines of the source before their instructions, of code with debug information (-g)"},
};

/// "k.hip:18: a[i] = b[i];" where the line changes.
static std::function<std::string(uint64_t)> sourceNotes(std::shared_ptr<const SourceLines> lines) {
  auto text = std::make_shared<SourceText>(lines->checksums());
  return [lines = std::move(lines), text, last = std::string()](uint64_t address) mutable -> std::string {
    const SourceLocation place = lines->of(address);
    if (place.file.empty())
      return "";
    std::string shown = place.file + ":" + std::to_string(place.line) + ":";
    if (std::optional<StringRef> line = text->line(place.file, place.line))
      shown += " " + printable(line->trim());
    if (shown == last)
      return "";
    last = shown;
    return shown;
  };
}

static Expected<int> run(const Arguments &arguments) {
  StringRef input = arguments.positional[0];
  Expected<std::string> bytes = readProgramFile(input);
  if (!bytes)
    return bytes.takeError();
  if (bytes->empty())
    return errorAt({input.str()}, "the file is empty");
  if (!targetOf(*bytes).chip.empty() && !StringRef(*bytes).contains('\0'))
    return errorAt({input.str()}, "assembly already; `inflight asm` makes a code object of it");
  Expected<std::string> output = outputFor(arguments, input, ".s");
  if (!output)
    return output.takeError();
  Expected<CodeObjectChoice> choice = parseChoice(arguments);
  if (!choice)
    return choice.takeError();
  Expected<LoadedCodeObject> loaded = loadCodeObject(*bytes, input, *choice);
  if (!loaded)
    return loaded.takeError();
  DisassemblyNotes notes{arguments.has("addresses"), arguments.has("bytes"), nullptr};
  if (arguments.has("source")) {
    auto lines = std::make_shared<const SourceLines>(loaded->bytes);
    if (!lines->hasAny())
      return makeError(printable(input) + ": --source needs debug information: compile with -g");
    notes.source = sourceNotes(std::move(lines));
  }
  Expected<std::string> text = disassemble(loaded->object, notes);
  if (!text)
    return text.takeError();
  Expected<std::vector<uint64_t>> references = findDataReferences(loaded->object);
  if (!references)
    return references.takeError();
  if (const size_t count = references->size())
    errs() << printable(input)
           << formatv(": warning: data isn't in the assembly, and {0} it by its distance from the code (0x{1:x-}): "
                      "assembled, {2} astray\n",
                      counted(count, "instruction") + (count == 1 ? " takes" : " take"), references->front(),
                      count == 1 ? "it goes" : "they go");
  if (Error error = writeFileAtomically(*output, *text))
    return std::move(error);
  return 0;
}

const Verb disVerb = {"dis",
                      "Disassemble a code object to assembly that assembles back to the same code",
                      {"KERNEL.hsaco"},
                      options,
                      "  inflight dis kernel.hsaco -o kernel.s\n"
                      "  inflight dis kernel.hsaco -o - | less\n"
                      "  inflight dis kernel.hsaco --addresses --bytes --source -o -\n"
                      "  inflight dis -mcpu=gfx942 libkernels.so --kernel gemm -o gemm.s\n",
                      run};

} // namespace inflight::cli
