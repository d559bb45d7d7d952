// Compiles every example for each of its chips, runs it on the machine model, compares with the
// host reference, and prints a line. Exit status 1 if any result differs.
//
//     inflight-demo [FOLDER] [--code-objects=DIR] [--only=KERNEL]
//
// With --code-objects the examples are not compiled: DIR/KERNEL.CHIP.hsaco is run, whoever made it.
#include "Example.h"
#include "compiler/Compile.h"
#include "device/Launch.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>
#include <thread>

using namespace llvm;
using namespace inflight;
using namespace inflight::demo;

namespace {
struct Outcome {
  KernelSummary summary;
  machine::RunStats stats;
  uint64_t mismatches = 0;
  double worst = 0; ///< the largest error as a part of what is allowed
  double compileMs = 0;
};

/// LLVM passes a memref as a descriptor if asked to: two pointers, of which the second is used, an
/// offset, sizes and strides. Returns where each argument's buffer is now.
std::vector<size_t> expandDescriptors(std::vector<device::Argument> &arguments) {
  std::vector<device::Argument> expanded;
  std::vector<size_t> places;
  auto scalar = [&](int64_t value) {
    expanded.push_back(cantFail(device::parseArgument(("i64:" + Twine(value)).str())));
  };
  for (device::Argument &argument : arguments) {
    if (!argument.isBuffer) {
      places.push_back(expanded.size());
      expanded.push_back(std::move(argument));
      continue;
    }
    std::vector<int64_t> shape = argument.array.shape, strides(shape.size(), 1);
    for (size_t d = shape.size(); d-- > 1;)
      strides[d - 1] = strides[d] * shape[d];
    expanded.push_back(cantFail(device::parseArgument("zeros:1:i64")));
    places.push_back(expanded.size());
    expanded.push_back(std::move(argument));
    scalar(0);
    for (int64_t size : shape)
      scalar(size);
    for (int64_t stride : strides)
      scalar(stride);
  }
  arguments = std::move(expanded);
  return places;
}

Expected<Outcome> runExample(const Example &example, StringRef chip, StringRef codeObjects) {
  Outcome outcome;
  std::string code, path = example.file;
  if (codeObjects.empty()) {
    Expected<std::string> source = readFile(path);
    if (!source)
      return source.takeError();
    CompileOptions options;
    options.chip = chip.str();
    auto begin = std::chrono::steady_clock::now();
    Expected<CompileResult> compiled = compile(*source, path, options);
    outcome.compileMs =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (!compiled)
      return compiled.takeError();
    outcome.summary = compiled->kernels[0];
    code = std::move(compiled->output);
  } else {
    path = (codeObjects + "/" + example.kernel + "." + chip + ".hsaco").str();
    Expected<std::string> contents = readFile(path);
    if (!contents)
      return contents.takeError();
    code = std::move(*contents);
  }
  Expected<CodeObject> object = CodeObject::load(code, path);
  if (!object)
    return object.takeError();
  Expected<const Kernel *> kernel = object->findKernel(example.kernel);
  if (!kernel)
    return kernel.takeError();
  std::vector<device::Argument> arguments;
  std::vector<Array> expected;
  std::vector<size_t> places;
  for (const std::string &text : example.arguments) {
    Expected<device::Argument> argument = device::parseArgument(text);
    if (!argument)
      return argument.takeError();
    expected.push_back(argument->array);
    places.push_back(arguments.size());
    arguments.push_back(std::move(*argument));
  }
  // Without names, more parameters than arguments are descriptors.
  const auto &parameters = (*kernel)->arguments;
  size_t visible = count_if(parameters, [](const KernelArgument &p) { return !p.isHidden(); });
  if (!codeObjects.empty() && visible > arguments.size() &&
      all_of(parameters, [](const KernelArgument &p) { return p.name.empty(); }))
    places = expandDescriptors(arguments);
  machine::LaunchConfig config;
  config.grid = example.grid;
  config.block = example.block;
  config.threads = std::max(1u, std::thread::hardware_concurrency());
  Expected<machine::RunStats> stats = device::launch(*object, **kernel, config, arguments);
  if (!stats)
    return stats.takeError();
  outcome.stats = *stats;
  example.reference->compute(expected, example.parameters);
  for (size_t a = 0; a < expected.size(); ++a)
    for (uint64_t i = 0, e = expected[a].elementCount(); i < e; ++i) {
      double x = elementAsDouble(expected[a], i),
             g = elementAsDouble(arguments[places[a]].array, i);
      double allowed = a == example.result ? example.absolute + example.relative * std::fabs(x) : 0,
             error = std::fabs(x - g);
      outcome.mismatches += !(error <= allowed);
      if (error > 0)
        outcome.worst = std::fmax(outcome.worst, error / allowed);
    }
  return outcome;
}
} // namespace

int main(int count, char **words) {
  StringRef folder = "examples", codeObjects, only;
  for (int i = 1; i < count; ++i) {
    StringRef word = words[i];
    if (word.consume_front("--code-objects=")) {
      codeObjects = word;
    } else if (word.consume_front("--only=")) {
      only = word;
    } else if (word.starts_with("-")) {
      errs() << "inflight-demo: unknown option '" << word
             << "'\nusage: inflight-demo [FOLDER] [--code-objects=DIR] [--only=KERNEL]\n";
      return 2;
    } else {
      folder = word;
    }
  }
  Expected<std::vector<Example>> examples = loadExamples(folder);
  if (!examples) {
    errs() << "error: " << toString(examples.takeError()) << '\n';
    return 1;
  }
  outs() << formatv("{0,-28}{1,-8}{2,-10}{3,12}{4,7}{5,7}{6,7}{7,9}{8,12}{9,10}\n", "kernel",
                    "target", "result", "instructions", "VGPRs", "AGPRs", "SGPRs", "waits",
                    "compile ms", "run ms");
  bool ok = true;
  size_t done = 0;
  for (const Example &example : *examples)
    for (const std::string &chip : example.targets) {
      if (!only.empty() && only != example.kernel)
        continue;
      ++done;
      Expected<Outcome> outcome = runExample(example, chip, codeObjects);
      if (!outcome) {
        ok = false;
        outs() << formatv("{0,-28}{1,-8}error\n", example.kernel, chip);
        outs().flush();
        errs() << toString(outcome.takeError()) << '\n';
        continue;
      }
      ok &= outcome->mismatches == 0;
      const KernelSummary &s = outcome->summary;
      outs() << formatv("{0,-28}{1,-8}{2,-10}{3,12}{4,7}{5,7}{6,7}{7,9}{8,12:f1}{9,10:f1}\n",
                        example.kernel, chip, outcome->mismatches ? "WRONG" : "correct",
                        outcome->stats.instructions(), s.vgprs, s.agprs, s.sgprs,
                        outcome->stats.waits(), outcome->compileMs, outcome->stats.seconds * 1e3);
      if (outcome->mismatches)
        outs() << formatv("  {0} elements differ, the worst by {1:f1} times what is allowed\n",
                          outcome->mismatches, outcome->worst);
      outs().flush();
    }
  if (!done) {
    errs() << "error: no example '" << only << "'\n";
    return 1;
  }
  return ok ? 0 : 1;
}
