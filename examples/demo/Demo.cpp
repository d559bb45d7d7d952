// Compiles every example for each of its chips, runs it on the machine model, compares with the
// host reference, and prints a line. Exit status 1 if any result differs.
//
//     inflight-demo [FOLDER] [--code-objects=DIR] [--only=KERNEL] [--check=LIST] [--delivery=WHEN]
//
// --check and --delivery are those of `inflight run`: findings are failures. With --code-objects the examples are not
// compiled: DIR/KERNEL.CHIP.hsaco is run, whoever made it.
#include "Execute.h"
#include "compiler/driver/Compile.h"
#include "machine/check/Report.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;
using namespace inflight;
using namespace inflight::demo;

namespace {
struct Outcome {
  Execution execution;
  KernelSummary summary;
  double compileMs = 0;
};

Expected<Outcome> runExample(const Example &example, StringRef chip, StringRef codeObjects,
                             const machine::check::Options &checks) {
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
    outcome.compileMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
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
  Expected<Execution> execution = execute(example, code, path, checks);
  if (!execution)
    return execution.takeError();
  writeReport(errs(), machine::check::reportItems(execution->stats.findings, SourceLines(code), example.kernel), path,
              ReportFormat::Text);
  outcome.execution = std::move(*execution);
  if (!codeObjects.empty()) {
    const Kernel &kernel = outcome.execution.kernel;
    outcome.summary.vgprs = kernel.vgprCount - kernel.agprCount;
    outcome.summary.agprs = kernel.agprCount;
    outcome.summary.sgprs = kernel.sgprCount;
  }
  return outcome;
}

/// Prints its line; whether all is as it should be.
bool printOutcome(const Example &example, StringRef chip, const Outcome &outcome) {
  const Execution &run = outcome.execution;
  const KernelSummary &s = outcome.summary;
  outs() << formatv("{0,-28}{1,-8}{2,-10}{3,12}{4,7}{5,7}{6,7}{7,9}{8,12:f1}{9,10:f1}\n", example.kernel, chip,
                    run.mismatches ? "WRONG" : "correct", run.stats.instructions(), s.vgprs, s.agprs, s.sgprs,
                    run.stats.waits(), outcome.compileMs, run.stats.seconds * 1e3);
  if (run.mismatches)
    outs() << formatv("  {0} elements differ, the worst by {1:f1} times what is allowed\n", run.mismatches, run.worst);
  outs().flush();
  return run.mismatches == 0 && run.stats.findings.empty();
}
} // namespace

int main(int count, char **words) {
  StringRef folder = "examples", codeObjects, only, checkList, delivery = "latest";
  for (int i = 1; i < count; ++i) {
    StringRef word = words[i];
    if (word.consume_front("--code-objects=")) {
      codeObjects = word;
    } else if (word.consume_front("--only=")) {
      only = word;
    } else if (word.consume_front("--check=")) {
      checkList = word;
    } else if (word.consume_front("--delivery=")) {
      delivery = word;
    } else if (word.starts_with("-")) {
      errs()
          << "inflight-demo: unknown option '" << word
          << "'\nusage: inflight-demo [FOLDER] [--code-objects=DIR] [--only=KERNEL] [--check=LIST] [--delivery=WHEN]\n";
      return 2;
    } else {
      folder = word;
    }
  }
  Expected<machine::check::Options> checks = machine::check::parseOptions(checkList, delivery);
  if (!checks) {
    errs() << "inflight-demo: " << toString(checks.takeError()) << '\n';
    return 2;
  }
  Expected<std::vector<Example>> examples = loadExamples(folder);
  if (!examples) {
    errs() << "error: " << toString(examples.takeError()) << '\n';
    return 1;
  }
  outs() << formatv("{0,-28}{1,-8}{2,-10}{3,12}{4,7}{5,7}{6,7}{7,9}{8,12}{9,10}\n", "kernel", "target", "result",
                    "instructions", "VGPRs", "AGPRs", "SGPRs", "waits", "compile ms", "run ms");
  size_t done = 0, correct = 0;
  for (const Example &example : *examples)
    for (const std::string &chip : example.targets) {
      if (!only.empty() && only != example.kernel)
        continue;
      ++done;
      Expected<Outcome> outcome = runExample(example, chip, codeObjects, *checks);
      if (outcome) {
        correct += printOutcome(example, chip, *outcome);
        continue;
      }
      outs() << formatv("{0,-28}{1,-8}error\n", example.kernel, chip);
      outs().flush();
      errs() << toString(outcome.takeError()) << '\n';
    }
  if (!done) {
    errs() << "error: no example '" << only << "'\n";
    return 1;
  }
  outs() << formatv("\n{0} of {1} correct\n", correct, done);
  return correct == done ? 0 : 1;
}
