// Inflight against LLVM's own pipeline on the example kernels, in one process: compile time, and
// what the code objects of both execute on the machine model. docs/benchmarks.md explains.
#include "Execute.h"
#include "Upstream.h"
#include "compiler/driver/Compile.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>

using namespace llvm;
using namespace inflight;
using namespace inflight::bench;
using namespace inflight::demo;

namespace {
const char *const usage = R"(usage: inflight-bench [options] [FOLDER]
Compiles the examples in FOLDER (default: examples) with Inflight and with LLVM's own pipeline in
this process, runs both code objects on the machine model, and prints a table of both.
  --chip=CHIP          the target (default: gfx942)
  --only=KERNEL        one example
  --repetitions=N      timed compilations of each; the median counts (default: 9)
  --upstream-opt=0..3  LLVM's optimisation level (default: 3)
  --save=DIR           keeps the code objects: DIR/KERNEL.CHIP.{inflight,upstream}.hsaco
  --json               prints JSON instead of the table
)";

struct Options {
  std::string folder = "examples", chip = "gfx942", only, save;
  unsigned repetitions = 9, optLevel = 3;
  bool json = false;
};

/// One compiler's side of a row.
struct Side {
  double compileMs = 0; ///< median
  uint64_t instructions = 0, waits = 0;
  unsigned vgprs = 0, agprs = 0; ///< of the unified file: both, and the accumulation registers of them
};

struct Row {
  std::string kernel;
  Side ours, upstream;
};

struct Column {
  const char *name, *key;
  double (*value)(const Side &);
};
const Column columns[] = {
    {"compile ms", "compile_ms", [](const Side &s) { return s.compileMs; }},
    {"instructions", "instructions", [](const Side &s) { return double(s.instructions); }},
    {"waits", "waits", [](const Side &s) { return double(s.waits); }},
    {"VGPRs", "vgprs", [](const Side &s) { return double(s.vgprs); }},
};

double ratio(const Row &row, const Column &column) {
  double ours = column.value(row.ours), upstream = column.value(row.upstream);
  return upstream != 0 ? ours / upstream : ours == 0 ? 1 : INFINITY;
}

double median(std::vector<double> values) {
  sort(values);
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Milliseconds of processor time, all threads together: other load of the machine disturbs it little,
/// and neither compiler waits for anything.
double processorTime() {
  sys::TimePoint<> now;
  std::chrono::nanoseconds user, system;
  sys::Process::GetTimeUsage(now, user, system);
  return std::chrono::duration<double, std::milli>(user + system).count();
}

/// The time of one call in milliseconds.
template <typename F> Expected<double> timed(std::string &code, F compile) {
  double begin = processorTime();
  Expected<std::string> result = compile();
  double time = processorTime() - begin;
  if (!result)
    return result.takeError();
  code = std::move(*result);
  return time;
}

Error executeSide(const Example &example, StringRef who, const std::string &code, const Options &options, Side &side) {
  std::string name = (example.kernel + "." + options.chip + "." + who + ".hsaco").str();
  if (!options.save.empty()) {
    if (std::error_code ec = sys::fs::create_directories(options.save))
      return makeError("cannot make the directory '" + options.save + "': " + ec.message());
    if (Error error = writeFileAtomically(options.save + "/" + name, code))
      return error;
  }
  Expected<Execution> execution = execute(example, code, name, {});
  if (!execution)
    return execution.takeError();
  if (execution->mismatches)
    return makeError(name + ": " + Twine(execution->mismatches) + " elements differ from the reference");
  side.instructions = execution->stats.instructions();
  side.waits = execution->stats.waits();
  side.vgprs = execution->kernel.vgprCount;
  side.agprs = execution->kernel.agprCount;
  return Error::success();
}

Expected<Row> compare(const Example &example, UpstreamCompiler &upstream, const Options &options) {
  Row row;
  row.kernel = example.kernel;
  Expected<std::string> source = readFile(example.file);
  if (!source)
    return source.takeError();
  Expected<std::string> prepared = upstream.prepare(*source, example.file);
  if (!prepared)
    return prepared.takeError();
  CompileOptions compileOptions;
  compileOptions.chip = options.chip;
  std::string ourCode, upstreamCode;
  std::vector<double> ourTimes, upstreamTimes;
  // In turns, so that both see the same load of the machine.
  constexpr unsigned warmUps = 2;
  for (unsigned i = 0; i < warmUps + options.repetitions; ++i) {
    Expected<double> ours = timed(ourCode, [&]() -> Expected<std::string> {
      Expected<CompileResult> result = inflight::compile(*source, example.file, compileOptions);
      if (!result)
        return result.takeError();
      return std::move(result->output);
    });
    if (!ours)
      return ours.takeError();
    Expected<double> theirs = timed(upstreamCode, [&] { return upstream.compile(*prepared, example.file); });
    if (!theirs)
      return theirs.takeError();
    if (i < warmUps)
      continue;
    ourTimes.push_back(*ours);
    upstreamTimes.push_back(*theirs);
  }
  row.ours.compileMs = median(ourTimes);
  row.upstream.compileMs = median(upstreamTimes);
  if (Error error = executeSide(example, "inflight", ourCode, options, row.ours))
    return std::move(error);
  if (Error error = executeSide(example, "upstream", upstreamCode, options, row.upstream))
    return std::move(error);
  return row;
}

void printTable(ArrayRef<Row> rows) {
  constexpr unsigned nameWidth = 30, columnWidth = 27;
  outs() << left_justify("", nameWidth);
  for (const Column &column : columns)
    outs() << right_justify(column.name, columnWidth);
  outs() << '\n' << left_justify("kernel", nameWidth);
  for (size_t i = 0; i < std::size(columns); ++i)
    outs() << formatv("{0,10}{1,10}{2,7}", "ours", "LLVM", "ratio");
  outs() << '\n';
  for (const Row &row : rows) {
    outs() << left_justify(row.kernel, nameWidth);
    for (const Column &column : columns) {
      double ours = column.value(row.ours), upstream = column.value(row.upstream);
      if (&column == columns)
        outs() << formatv("{0,10:f1}{1,10:f1}{2,7:f2}", ours, upstream, ratio(row, column));
      else
        outs() << formatv("{0,10}{1,10}{2,7:f2}", uint64_t(ours), uint64_t(upstream), ratio(row, column));
    }
    outs() << '\n';
  }
  auto summary = [&](StringRef name, function_ref<double(std::vector<double>)> reduce) {
    outs() << left_justify(name, nameWidth);
    for (const Column &column : columns) {
      std::vector<double> ratios;
      for (const Row &row : rows)
        ratios.push_back(ratio(row, column));
      outs() << formatv("{0,27:f2}", reduce(ratios));
    }
    outs() << '\n';
  };
  summary("median", median);
  summary("worst", [](std::vector<double> values) { return *llvm::max_element(values); });
}

void printJson(ArrayRef<Row> rows, const Options &options) {
  json::OStream json(outs(), 2);
  auto side = [&](const Side &s) {
    for (const Column &column : columns)
      json.attribute(column.key, column.value(s));
    json.attribute("agprs", s.agprs);
  };
  json.object([&] {
    json.attribute("chip", options.chip);
    json.attribute("repetitions", options.repetitions);
    json.attribute("upstream_opt", options.optLevel);
    json.attributeArray("kernels", [&] {
      for (const Row &row : rows)
        json.object([&] {
          json.attribute("kernel", row.kernel);
          json.attributeObject("inflight", [&] { side(row.ours); });
          json.attributeObject("upstream", [&] { side(row.upstream); });
          json.attributeObject("ratio", [&] {
            for (const Column &column : columns)
              json.attribute(column.key, ratio(row, column));
          });
        });
    });
  });
  outs() << '\n';
}

bool parseOptions(int count, char **words, Options &options) {
  for (int i = 1; i < count; ++i) {
    StringRef word = words[i];
    if (word.consume_front("--chip="))
      options.chip = word.str();
    else if (word.consume_front("--only="))
      options.only = word.str();
    else if (word.consume_front("--save="))
      options.save = word.str();
    else if (word.consume_front("--repetitions=")) {
      if (word.getAsInteger(10, options.repetitions) || !options.repetitions)
        return false;
    } else if (word.consume_front("--upstream-opt=")) {
      if (word.getAsInteger(10, options.optLevel) || options.optLevel > 3)
        return false;
    } else if (word == "--json")
      options.json = true;
    else if (!word.starts_with("-"))
      options.folder = word.str();
    else
      return false;
  }
  return true;
}
} // namespace

int main(int count, char **words) {
  Options options;
  if (!parseOptions(count, words, options)) {
    errs() << usage;
    return 2;
  }
  Expected<std::vector<Example>> examples = loadExamples(options.folder);
  if (!examples) {
    errs() << "error: " << toString(examples.takeError()) << '\n';
    return 1;
  }
  UpstreamCompiler upstream(options.chip, options.optLevel);
  std::vector<Row> rows;
  bool ok = true;
  for (const Example &example : *examples) {
    if (!is_contained(example.targets, options.chip) || (!options.only.empty() && options.only != example.kernel))
      continue;
    Expected<Row> row = compare(example, upstream, options);
    if (row) {
      rows.push_back(std::move(*row));
      continue;
    }
    ok = false;
    errs() << "error: " << example.kernel << ": " << toString(row.takeError()) << '\n';
  }
  if (rows.empty()) {
    errs() << "error: nothing to compare\n";
    return 1;
  }
  if (options.json)
    printJson(rows, options);
  else
    printTable(rows);
  return ok ? 0 : 1;
}
