#include "compiler/driver/Compile.h"
#include "cli/OutputFiles.h"
#include "isa/chip/TargetInfo.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"mcpu", "CHIP", "gfx90a, gfx942 (default) or gfx950"},
    {"o", "FILE", "output, '-' for standard output (default: the input's name with the kind's ending)",
     FileUse::Written},
    {"emit", "KIND", "mlir (lowered), asm, obj or hsaco (default)"},
    {"g", "", "debug information: which line of the source each instruction comes from"},
    {"save-temps", "DIR", "keep the lowered MLIR, assembly and object there", FileUse::Written},
    {"print-after-all", "", "print after every pass, to standard error"},
    {"print-after", "PASS", "print after this pass; may be given several times"},
    {"time-passes", "", "time of every pass, to standard error"},
    {"verify-each", "", "verify MLIR and LIR after every pass, and register allocation against its input"},
    {"async-copies", "WHEN",
     "auto (default): tiles that loops bring to workgroup memory are copied by LDS DMA, iterations ahead, where that "
     "is "
     "provably the same; off: as they are written"},
    {"stages", "N", "buffers of each tile that is copied ahead, 1 to 4 (default: as many as pay and LDS holds)"},
    {"ping-pong", "",
     "two halves of a workgroup's waves alternate between matrix instructions and memory in loops that copy tiles "
     "ahead"},
    {"tile", "ROWSxCOLUMNS",
     "of the result of a product of matrices, such as linalg.matmul, that a workgroup computes, multiples of 16 "
     "(default: with which the units are done first)"},
    {"reassociate", "", "sums of floats may be added in another order, as if each kernel had inflight.reassociate"},
    {"no-schedule", "", "keep the instructions in the order of the source"},
    {"min-waves", "N",
     "waves that a SIMD must hold: bounds the registers (default: rocdl.waves_per_eu, or what the workgroup forces)"},
    {"max-registers", "S,V,A", "at most so many SGPRs, VGPRs and AGPRs, to see what spilling costs"},
    {"remarks", "FILE",
     "what limited occupancy, where most registers are live, spills, loops: to standard error, or as YAML to FILE",
     FileUse::Written, false, true},
    {"tuned", "FILE", "compile what `inflight tune` found, as it found it, instead of an input", FileUse::Read},
    {"summary", "", "one line a kernel: registers, LDS, spills, instructions, waits"},
};

/// The extension of an output without a name of its own.
static StringRef extensionOf(EmitKind kind) {
  switch (kind) {
  case EmitKind::Mlir: return ".lowered.mlir";
  case EmitKind::Asm: return ".s";
  case EmitKind::Object: return ".o";
  case EmitKind::CodeObject: return ".hsaco";
  }
  llvm_unreachable("a kind of output");
}

/// All options but what is emitted.
static Expected<CompileOptions> parseOptions(const Arguments &arguments) {
  CompileOptions compileOptions;
  compileOptions.chip = arguments.get("mcpu", "gfx942");
  compileOptions.saveTempsDirectory = arguments.get("save-temps");
  compileOptions.printAfterAll = arguments.has("print-after-all");
  compileOptions.printAfter = arguments.all("print-after");
  compileOptions.timePasses = arguments.has("time-passes");
  compileOptions.verifyEach = arguments.has("verify-each");
  compileOptions.debugInfo = arguments.has("g");
  compileOptions.remarks = arguments.has("remarks");
  compileOptions.schedule = !arguments.has("no-schedule");
  if (const std::string when = arguments.get("async-copies", "auto"); when == "off")
    compileOptions.asyncCopies = false;
  else if (when != "auto")
    return usageError("--async-copies takes auto or off, not '" + when + "'");
  if (arguments.has("tile")) {
    constexpr unsigned multiple = 16, most = 256;
    const std::string text = arguments.get("tile");
    const auto [rows, columns] = StringRef(text).split('x');
    auto isSide = [](StringRef side, unsigned &number) {
      return !side.getAsInteger(10, number) && number && number % multiple == 0 && number <= most;
    };
    if (!isSide(rows, compileOptions.tileRows) || !isSide(columns, compileOptions.tileColumns))
      return usageError("--tile takes two multiples of 16 up to 256, as in 128x128, not '" + text + "'");
  }
  compileOptions.pingPong = arguments.has("ping-pong");
  compileOptions.reassociate = arguments.has("reassociate");
  constexpr unsigned mostStages = 4;
  if (arguments.has("stages") && (StringRef(arguments.get("stages")).getAsInteger(10, compileOptions.stages) ||
                                  !compileOptions.stages || compileOptions.stages > mostStages))
    return usageError("--stages takes 1 to " + Twine(mostStages) + ", not '" + arguments.get("stages") + "'");
  if (arguments.has("min-waves")) {
    if (Error error = requireExecuted(compileOptions.chip))
      return std::move(error);
    Expected<const TargetInfo *> target = TargetInfo::get(compileOptions.chip);
    if (!target)
      return target.takeError();
    if (StringRef(arguments.get("min-waves")).getAsInteger(10, compileOptions.minWavesPerSimd) ||
        !compileOptions.minWavesPerSimd || compileOptions.minWavesPerSimd > (*target)->maxWavesPerSimd)
      return usageError("--min-waves takes 1 to " + Twine((*target)->maxWavesPerSimd) + ", not '" +
                        arguments.get("min-waves") + "'");
  }

  if (arguments.has("max-registers")) {
    SmallVector<StringRef, 3> counts;
    const std::string text = arguments.get("max-registers");
    StringRef(text).split(counts, ',');
    unsigned *const fields[] = {&compileOptions.maxSgprs, &compileOptions.maxVgprs, &compileOptions.maxAgprs};
    for (auto [i, field] : enumerate(fields))
      if (counts.size() != std::size(fields) || counts[i].getAsInteger(10, *field))
        return usageError("--max-registers takes three numbers, not '" + text + "'");
  }
  return compileOptions;
}

static void printSummary(StringRef input, const KernelSummary &kernel, bool isWanted) {
  if (kernel.vgprSpills || kernel.sgprSpills)
    errs() << input << ": remark: kernel '" << kernel.name << "' spills " << kernel.vgprSpills << " vector and "
           << kernel.sgprSpills << " scalar registers (" << kernel.scratchBytes
           << " bytes of scratch per lane): they don't fit into the workgroup's share of the register file\n";
  if (isWanted)
    errs() << formatv("{0}: {1} instructions, {2} waits, {3} VGPRs, {4} AGPRs, {5} SGPRs, {6} bytes of LDS\n",
                      kernel.name, kernel.instructions, kernel.waits, kernel.vgprs, kernel.agprs, kernel.sgprs,
                      kernel.ldsBytes);
}

namespace {
/// What `inflight tune` found: the kernel and how to compile it.
struct Tuned {
  std::string mlir;
  Arguments arguments;
};
} // namespace

/// `given` without --tuned, after the options that the file names.
static Expected<Tuned> readTuned(const Arguments &given) {
  const std::string file = given.get("tuned");
  if (!given.positional.empty())
    return usageError("--tuned has the kernel in it: no other input");
  Expected<std::string> text = readFile(file);
  if (!text)
    return text.takeError();
  Expected<json::Value> value = json::parse(*text);
  if (!value)
    return makeError(file + ": " + toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  const std::optional<StringRef> mlir = object ? object->getString("mlir") : std::nullopt,
                                 chip = object ? object->getString("chip") : std::nullopt;
  const json::Array *list = object ? object->getArray("options") : nullptr;
  if (!mlir || !chip || !list || object->getInteger("tuned") != 1)
    return makeError(file + " is no result of inflight tune, or of another version");
  if (given.has("mcpu") && given.get("mcpu") != *chip)
    return makeError(file + " was tuned for " + *chip + ", not " + given.get("mcpu"));
  std::vector<std::string> words;
  for (const json::Value &word : *list)
    words.push_back(word.getAsString().value_or("").str());
  std::vector<const char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  Expected<Arguments> arguments = parseArguments(pointers, options);
  if (!arguments)
    return makeError(file + ": " + toString(arguments.takeError()));
  // The file may be a stranger's.
  for (const auto &[name, value] : arguments->ordered)
    if (find_if(options, [&n = name](const OptionSpec &option) { return option.name == n; })->use != FileUse::None &&
        !value.empty())
      return makeError(file + ": its options read or write another file: --" + name + "=" + value);
  // What is given on the command line comes last, which is what counts.
  for (const auto &option : given.ordered)
    if (option.first != "tuned")
      arguments->ordered.push_back(option);
  arguments->ordered.emplace_back("mcpu", chip->str());
  arguments->positional = {file};
  return Tuned{mlir->str(), std::move(*arguments)};
}

static Expected<int> compileText(const Arguments &arguments, StringRef input, StringRef source) {
  const std::string kind = arguments.get("emit", "hsaco");
  const std::optional<EmitKind> emit = parseEmitKind(kind);
  if (!emit)
    return usageError("--emit takes mlir, asm, obj or hsaco, not '" + kind + "'");
  Expected<CompileOptions> compileOptions = parseOptions(arguments);
  if (!compileOptions)
    return compileOptions.takeError();
  compileOptions->emit = *emit;
  Expected<std::string> output = outputFor(arguments, input, extensionOf(*emit));
  if (!output)
    return output.takeError();
  Expected<CompileResult> result = compile(source, input, *compileOptions);
  if (!result)
    return result.takeError();
  for (const KernelSummary &kernel : result->kernels)
    printSummary(input, kernel, arguments.has("summary"));
  if (std::string file = arguments.get("remarks"); !file.empty()) {
    if (Error error = writeFileAtomically(file, result->remarksYaml))
      return std::move(error);
  } else {
    errs() << result->remarks;
  }
  if (Error error = writeFileAtomically(*output, result->output))
    return std::move(error);
  return 0;
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.has("tuned")) {
    Expected<Tuned> tuned = readTuned(arguments);
    if (!tuned)
      return tuned.takeError();
    return compileText(tuned->arguments, tuned->arguments.positional[0], tuned->mlir);
  }
  if (arguments.positional.empty())
    return missingOperand(compileVerb, 0);
  const std::string &input = arguments.positional[0];
  Expected<std::string> source = readFile(input);
  if (!source)
    return source.takeError();
  return compileText(arguments, input, *source);
}

const Verb compileVerb = {"compile",
                          "Compile kernels of MLIR or LLVM IR to assembly or a code object",
                          {"KERNEL.mlir", 0}, // --tuned has it
                          options,
                          "  inflight compile -mcpu=gfx942 kernel.mlir -o kernel.hsaco\n"
                          "  inflight compile -mcpu=gfx950 --emit=asm kernel.mlir -o -\n"
                          "  inflight compile -mcpu=gfx942 kernel.ll -o kernel.hsaco\n"
                          "  inflight compile --print-after=regalloc kernel.mlir -o /dev/null\n",
                          run};

} // namespace inflight::cli
