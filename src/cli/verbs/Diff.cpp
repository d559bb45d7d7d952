#include "cli/CodeFile.h"
#include "cli/CommandLine.h"
#include "cli/InputFiles.h"
#include "lint/KernelDiff.h"
#include "support/files/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"format", "NAME", "text (default), markdown, json, sarif or github"},
    {"budget", "FILE", "JSON: limits that the new kernels must keep; exit status 1 if one doesn't", FileUse::Read},
    {"no-price", "", "leave out what loops take on the timed model"},
    {"trips", "N", "iterations of each loop on the timed model (8)"},
    {"match", "HOW", "similar (default): equal names, else those of another chip, else the most similar; or name"},
    {"pair", "OLD=NEW", "these two, by their names; may be repeated"},
    {"fail-on-worse", "", "exit status 1 when a kernel has become worse"},
};

static Expected<std::vector<lint::KernelFigures>> readAll(const std::string &path, bool pricesLoops,
                                                          const machine::timed::StaticOptions &pricing) {
  std::vector<lint::KernelFigures> all;
  Expected<InputFiles> inputs = findInputs(path, /*chip=*/"", {.assembly = false});
  if (!inputs)
    return inputs.takeError();
  for (const std::string &file : inputs->files) {
    Expected<std::string> bytes = readCodeFile(file, /*chip=*/"");
    if (!bytes)
      return bytes.takeError();
    Expected<std::vector<lint::KernelFigures>> kernels = lint::kernelFigures(*bytes, file, pricesLoops, pricing);
    if (!kernels)
      return kernels.takeError();
    append_range(all, std::move(*kernels));
  }
  return all;
}

static Error print(const lint::KernelDiff &diff, StringRef format, StringRef artifact) {
  if (format == "text" || format == "markdown")
    lint::writeKernelDiff(outs(), diff, format == "markdown");
  else if (format == "json")
    outs() << formatv("{0:2}\n", json::Value(lint::kernelDiffObject(diff)));
  else {
    Expected<ReportFormat> report = parseReportFormat(format);
    if (!report)
      return report.takeError();
    writeReport(outs(), lint::kernelDiffItems(diff), artifact, *report);
    return Error::success();
  }
  for (const ReportItem &item : diff.violations)
    errs() << item.artifact << ": error: " << item.message << " [budget]\n";
  return Error::success();
}

static Expected<lint::KernelPairs> pair(const Arguments &arguments, ArrayRef<lint::KernelFigures> before,
                                        ArrayRef<lint::KernelFigures> after) {
  const std::string match = arguments.get("match", "similar");
  if (match != "similar" && match != "name")
    return usageError("--match is similar or name, not '" + match + "'");
  std::vector<std::pair<std::string, std::string>> given;
  for (const std::string &text : arguments.all("pair")) {
    const auto [first, second] = StringRef(text).split('=');
    if (first.empty() || second.empty())
      return usageError("--pair takes OLD=NEW, not '" + text + "'");
    given.push_back({first.str(), second.str()});
  }
  Expected<lint::KernelPairs> pairs =
      lint::pairKernels(before, after, match == "name" ? lint::KernelMatch::Name : lint::KernelMatch::Similar, given);
  if (pairs && pairs->areTooMany)
    errs() << "inflight diff: warning: too many kernels without one of the same name to pair those that are similar; "
              "--pair OLD=NEW names them\n";
  return pairs;
}

static Expected<int> run(const Arguments &arguments) {
  machine::timed::StaticOptions pricing;
  if (arguments.has("trips") && (StringRef(arguments.get("trips")).getAsInteger(10, pricing.trips) || !pricing.trips))
    return usageError("--trips takes a number above 0, not '" + arguments.get("trips") + "'");
  const std::string &oldPath = arguments.positional[0], &newPath = arguments.positional[1];
  const bool pricesLoops = !arguments.has("no-price");
  Expected<std::vector<lint::KernelFigures>> before = readAll(oldPath, pricesLoops, pricing);
  if (!before)
    return before.takeError();
  Expected<std::vector<lint::KernelFigures>> after = readAll(newPath, pricesLoops, pricing);
  if (!after)
    return after.takeError();
  Expected<lint::KernelPairs> pairs = pair(arguments, *before, *after);
  if (!pairs)
    return pairs.takeError();
  lint::KernelDiff diff = lint::diffKernels(pairs->pairs);
  if (arguments.has("budget")) {
    Expected<std::string> text = readProgramFile(arguments.get("budget"));
    if (!text)
      return text.takeError();
    if (Error error = lint::checkBudget(*text, arguments.get("budget"), pairs->pairs, diff))
      return std::move(error);
  }
  if (Error error = print(diff, arguments.get("format", "text"), newPath))
    return std::move(error);
  const bool isWorse = any_of(diff.changes, [](const lint::KernelChange &change) { return change.score > 0; });
  return !diff.violations.empty() || (arguments.has("fail-on-worse") && isWorse) ? 1 : 0;
}

const Verb diffVerb{"diff",
                    "Compare the kernels of two builds",
                    {"OLD NEW", 2, 2},
                    options,
                    "  inflight diff old.hsaco new.hsaco\n"
                    "  inflight diff --format=markdown ~/.triton/cache.old ~/.triton/cache\n"
                    "  inflight diff --budget=budget.json --format=github main/ pr/\n",
                    run};

} // namespace inflight::cli
