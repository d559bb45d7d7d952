// Compiles every example for each of its chips, runs it on the machine model, compares with the host
// reference, and prints a line. Exit status 1 if any result differs.
#include "Reference.h"
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
struct Example {
  const char *file, *kernel;
  std::vector<StringRef> chips;
  std::array<uint32_t, 3> grid, block;
  std::vector<const char *> arguments;
  Reference reference;
  double relative, absolute;
};

const std::vector<StringRef> all = {"gfx90a", "gfx942", "gfx950"};

const std::vector<Example> examples = {
    {"copy/copy.mlir", "copy", all, {64, 1, 1}, {64, 1, 1}, {"random:1024x64:f32:1", "zeros:1024x64:f32"}, copyReference, 0, 0},
    {"vadd/vadd.mlir", "vadd", all, {40, 1, 1}, {256, 1, 1}, {"random:10007:f32:1", "random:10007:f32:2", "zeros:10007:f32"}, vaddReference, 0, 0},
    {"transpose/transpose.mlir", "transpose", all, {8, 16, 1}, {32, 8, 1}, {"random:512x256:f32:1", "zeros:256x512:f32"}, transposeReference, 0, 0},
    {"reduce/reduce.mlir", "reduce", all, {4, 1, 1}, {256, 1, 1}, {"random:100003:f32:1", "zeros:1:f32"}, reduceReference, 1e-4, 1e-3},
    {"softmax/softmax.mlir", "softmax", all, {33, 1, 1}, {64, 1, 1}, {"random:33x777:f32:1", "zeros:33x777:f32"}, softmaxReference, 1e-5, 1e-8},
    {"layernorm/layernorm.mlir", "layernorm", all, {33, 1, 1}, {64, 1, 1},
     {"random:33x777:f32:1", "random:777:f32:2", "random:777:f32:3", "zeros:33x777:f32"}, layernormReference, 1e-4, 1e-5},
    {"gemm/gemm_f16_64.mlir", "gemm_f16_64", all, {2, 2, 1}, {256, 1, 1}, {"random:128x128:f16:1", "random:128x128:f16:2", "zeros:128x128:f32"}, gemmReference, 1e-4, 1e-4},
    {"gemm/gemm_f16_128.mlir", "gemm_f16_128", all, {2, 2, 1}, {256, 1, 1}, {"random:256x128:f16:1", "random:256x128:f16:2", "zeros:256x256:f32"}, gemmReference, 1e-4, 1e-4},
    {"gemm/gemm_f16_256.mlir", "gemm_f16_256", all, {1, 1, 1}, {512, 1, 1}, {"random:256x128:f16:1", "random:256x128:f16:2", "zeros:256x256:f32"}, gemmReference, 1e-4, 1e-4},
    {"gemm/gemm_bf16_128.mlir", "gemm_bf16_128", all, {2, 2, 1}, {256, 1, 1}, {"random:256x128:bf16:1", "random:256x128:bf16:2", "zeros:256x256:f32"}, gemmReference, 1e-4, 1e-4},
    {"gemm/gemm_batched_f16.mlir", "gemm_batched_f16", all, {2, 2, 3}, {256, 1, 1}, {"random:40104:f16:1", "random:40104:f16:2", "zeros:3x128x128:f32"}, batchedGemmReference, 1e-4, 1e-4},
    {"gemm/gemm_fp8_128.mlir", "gemm_fp8_128", {"gfx942"}, {2, 2, 1}, {256, 1, 1}, {"random:256x256:f8E4M3FNUZ:1", "random:256x256:f8E4M3FNUZ:2", "zeros:256x256:f32"}, gemmReference, 1e-4, 1e-4},
    {"gemm/gemm_fp8_ocp_128.mlir", "gemm_fp8_ocp_128", {"gfx950"}, {2, 2, 1}, {256, 1, 1}, {"random:256x256:f8E4M3FN:1", "random:256x256:f8E4M3FN:2", "zeros:256x256:f32"}, gemmReference, 1e-4, 1e-4},
};

struct Outcome {
  KernelSummary summary;
  machine::RunStats stats;
  uint64_t mismatches = 0;
  double compileMs = 0;
};

Expected<Outcome> runExample(const Example &example, StringRef chip, StringRef folder) {
  std::string path = (folder + "/" + example.file).str();
  Expected<std::string> source = readFile(path);
  if (!source)
    return source.takeError();
  Outcome outcome;
  CompileOptions options;
  options.chip = chip.str();
  auto begin = std::chrono::steady_clock::now();
  Expected<CompileResult> compiled = compile(*source, path, options);
  outcome.compileMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (!compiled)
    return compiled.takeError();
  outcome.summary = compiled->kernels[0];
  Expected<CodeObject> object = CodeObject::load(compiled->output, path);
  if (!object)
    return object.takeError();
  Expected<const Kernel *> kernel = object->findKernel(example.kernel);
  if (!kernel)
    return kernel.takeError();
  std::vector<device::Argument> arguments;
  std::vector<Array> expected;
  for (const char *text : example.arguments) {
    Expected<device::Argument> argument = device::parseArgument(text);
    if (!argument)
      return argument.takeError();
    expected.push_back(argument->array);
    arguments.push_back(std::move(*argument));
  }
  machine::LaunchConfig config;
  config.grid = example.grid;
  config.block = example.block;
  config.threads = std::max(1u, std::thread::hardware_concurrency());
  Expected<machine::RunStats> stats = device::launch(*object, **kernel, config, arguments);
  if (!stats)
    return stats.takeError();
  outcome.stats = *stats;
  example.reference(expected);
  for (size_t a = 0; a < expected.size(); ++a)
    for (uint64_t i = 0, e = expected[a].elementCount(); i < e; ++i) {
      double x = elementAsDouble(expected[a], i), g = elementAsDouble(arguments[a].array, i);
      outcome.mismatches += !(std::fabs(x - g) <= example.absolute + example.relative * std::fabs(x));
    }
  return outcome;
}
} // namespace

int main(int count, char **words) {
  StringRef folder = count > 1 ? words[1] : "examples";
  outs() << formatv("{0,-18}{1,-8}{2,-10}{3,12}{4,7}{5,7}{6,7}{7,9}{8,12}{9,10}\n", "kernel", "target", "result", "instructions",
                    "VGPRs", "AGPRs", "SGPRs", "waits", "compile ms", "run ms");
  bool ok = true;
  for (const Example &example : examples)
    for (StringRef chip : example.chips) {
      Expected<Outcome> outcome = runExample(example, chip, folder);
      if (!outcome) {
        ok = false;
        outs() << formatv("{0,-18}{1,-8}error\n", example.kernel, chip);
        outs().flush();
        errs() << toString(outcome.takeError()) << '\n';
        continue;
      }
      ok &= outcome->mismatches == 0;
      const KernelSummary &s = outcome->summary;
      outs() << formatv("{0,-18}{1,-8}{2,-10}{3,12}{4,7}{5,7}{6,7}{7,9}{8,12:f1}{9,10:f1}\n", example.kernel, chip,
                        outcome->mismatches ? "WRONG" : "correct", outcome->stats.instructions(), s.vgprs, s.agprs, s.sgprs,
                        outcome->stats.waits(), outcome->compileMs, outcome->stats.seconds * 1e3);
      outs().flush();
    }
  return ok ? 0 : 1;
}
