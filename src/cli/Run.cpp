#include "cli/CommandLine.h"
#include "device/Launch.h"
#include "machine/check/Report.h"
#include "program/SourceLines.h"
#include "support/Diagnostics.h"
#include "support/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <thread>

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"kernel", "NAME", "which kernel; not needed if there is one"},
    {"grid", "X,Y,Z", "workgroups (default 1,1,1)"},
    {"global", "X,Y,Z", "instead of --grid: all lanes; the last workgroups are smaller where the block doesn't divide them"},
    {"block", "X,Y,Z", "lanes of a workgroup (default: what the kernel requires, else 64,1,1)"},
    {"arg", "SPEC", "an argument, in order: FILE.npy[:TYPE], zeros:SHAPE:TYPE, random:SHAPE:TYPE:SEED, arange:SHAPE:TYPE, TYPE:VALUE, bytes:HEX, lds:BYTES for a pointer to local memory"},
    {"out", "I=FILE.npy", "write argument I afterwards"},
    {"expect", "I=FILE.npy[,RTOL,ATOL]", "compare argument I afterwards; exit status 1 if it differs"},
    {"lds", "BYTES", "dynamic LDS"},
    {"scratch", "BYTES", "of a lane, for recursion and stacks that grow (default: what the kernel states, 16 KiB more where it can't know)"},
    {"threads", "N", "host threads (default: all)"},
    {"check", "LIST", "all, or some of in-flight, race, write-after-read, hazard, memory, uninitialised, barrier; exit status 1 with findings"},
    {"delivery", "WHEN", "when checked loads arrive: latest (default: as late as the waits allow) or random[:SEED]"},
    {"format", "NAME", "of findings: text (standard error), json, sarif or github (standard output)"},
    {"trace", "FILE", "write what each wave executes and accesses there, a line each"},
    {"max-steps", "N", "instructions after which a wave counts as never ending (default 2^32)"},
    {"stats", "", "instructions by class and time, to standard error"},
    {"fidelity", "", "which instructions ran exactly as defined, which approximately and why, to standard error"},
};

struct Expectation {
  unsigned index;
  std::string file;
  double relative = 0, absolute = 0;
};

static Expected<std::pair<unsigned, StringRef>> indexed(StringRef text, StringRef option) {
  auto [number, rest] = text.split('=');
  unsigned index;
  if (rest.empty() || number.getAsInteger(10, index))
    return usageError("--" + option + " takes INDEX=FILE.npy, not '" + text + "'");
  return std::pair(index, rest);
}

/// Prints the first mismatches; returns how many there are.
static uint64_t compareArrays(const Array &got, const Array &expected, const Expectation &expectation) {
  constexpr uint64_t shown = 5;
  uint64_t mismatches = 0;
  for (uint64_t i = 0, e = expected.elementCount(); i < e; ++i) {
    double g = elementAsDouble(got, i), x = elementAsDouble(expected, i);
    bool same = g == x || (std::isnan(g) && std::isnan(x)) ||
                std::fabs(g - x) <= expectation.absolute + expectation.relative * std::fabs(x);
    if (same)
      continue;
    if (mismatches++ < shown) {
      std::string place;
      uint64_t rest = i;
      for (size_t d = expected.shape.size(); d-- > 0;) {
        place = std::to_string(rest % expected.shape[d]) + (place.empty() ? "" : ", ") + place;
        rest /= expected.shape[d];
      }
      errs() << formatv("argument {0}[{1}]: expected {2}, got {3}\n", expectation.index, place, x, g);
    }
  }
  if (mismatches)
    errs() << formatv("argument {0}: {1} of {2} elements differ\n", expectation.index, mismatches, expected.elementCount());
  return mismatches;
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.positional.size() != 1)
    return usageError("one code object is needed");
  StringRef input = arguments.positional[0];
  machine::LaunchConfig config;
  Expected<std::array<uint32_t, 3>> grid = parseTriple(arguments.get("grid", "1,1,1"), "grid");
  if (!grid)
    return grid.takeError();
  config.grid = *grid;
  config.threads = std::max(1u, std::thread::hardware_concurrency());
  auto number = [&](StringRef name, auto &into) -> Error {
    if (arguments.has(name) && StringRef(arguments.get(name)).getAsInteger(0, into))
      return usageError("--" + name + " takes a number, not '" + arguments.get(name) + "'");
    return Error::success();
  };
  if (Error error = number("lds", config.dynamicLdsBytes))
    return std::move(error);
  if (Error error = number("threads", config.threads))
    return std::move(error);
  if (Error error = number("max-steps", config.maxInstructions))
    return std::move(error);
  Expected<machine::check::Options> checks = machine::check::parseOptions(arguments.get("check"), arguments.get("delivery", "latest"));
  if (!checks)
    return usageError(toString(checks.takeError()));
  config.checks = *checks;
  config.countsFidelity = arguments.has("fidelity");
  Expected<ReportFormat> format = parseReportFormat(arguments.get("format", "text"));
  if (!format)
    return usageError(toString(format.takeError()));
  if (arguments.has("scratch"))
    if (Error error = number("scratch", config.scratchBytes.emplace()))
      return std::move(error);
  std::optional<raw_fd_ostream> trace;
  if (arguments.has("trace")) {
    std::error_code error;
    trace.emplace(arguments.get("trace"), error);
    if (error)
      return makeError(Twine("cannot write ") + arguments.get("trace") + ": " + error.message());
    config.checks.trace = &*trace;
    config.threads = 1;
  }
  std::vector<device::Argument> values;
  for (const std::string &text : arguments.all("arg")) {
    Expected<device::Argument> value = device::parseArgument(text);
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }

  Expected<std::string> bytes = readFile(input);
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObject> object = CodeObject::load(*bytes, input);
  if (!object)
    return object.takeError();
  std::string name = arguments.get("kernel");
  if (name.empty()) {
    if (object->kernels().size() != 1)
      return usageError("the code object has " + Twine(object->kernels().size()) + " kernels: give --kernel NAME");
    name = object->kernels()[0].name;
  }
  Expected<const Kernel *> kernel = object->findKernel(name);
  if (!kernel)
    return kernel.takeError();
  if (arguments.has("block")) {
    Expected<std::array<uint32_t, 3>> block = parseTriple(arguments.get("block"), "block");
    if (!block)
      return block.takeError();
    config.block = *block;
  } else if ((*kernel)->requiredWorkgroupSize[0]) {
    for (unsigned i = 0; i < 3; ++i)
      config.block[i] = (*kernel)->requiredWorkgroupSize[i];
  } else {
    config.block = {64, 1, 1};
  }
  if (arguments.has("global")) {
    if (arguments.has("grid"))
      return usageError("--grid and --global exclude each other");
    Expected<std::array<uint32_t, 3>> global = parseTriple(arguments.get("global"), "global");
    if (!global)
      return global.takeError();
    config.global = *global;
    for (unsigned i = 0; i < 3; ++i)
      config.grid[i] = config.block[i] ? divideCeil(config.global[i], config.block[i]) : 0;
  }
  Expected<machine::RunStats> stats = device::launch(*object, **kernel, config, values);
  if (!stats)
    return stats.takeError();

  auto bufferAt = [&](unsigned index) -> Expected<const Array *> {
    if (index >= values.size() || !values[index].isBuffer)
      return usageError("argument " + Twine(index) + " is no buffer");
    return &values[index].array;
  };
  for (const std::string &text : arguments.all("out")) {
    auto place = indexed(text, "out");
    if (!place)
      return place.takeError();
    Expected<const Array *> array = bufferAt(place->first);
    if (!array)
      return array.takeError();
    if (Error error = writeFileAtomically(place->second, formatNpy(**array)))
      return std::move(error);
  }
  uint64_t mismatches = 0;
  for (const std::string &text : arguments.all("expect")) {
    auto place = indexed(text, "expect");
    if (!place)
      return place.takeError();
    SmallVector<StringRef> parts;
    place->second.split(parts, ',');
    Expectation expectation{place->first, parts[0].str()};
    if ((parts.size() > 1 && parts[1].getAsDouble(expectation.relative)) ||
        (parts.size() > 2 && parts[2].getAsDouble(expectation.absolute)))
      return usageError("--expect takes INDEX=FILE.npy[,RTOL,ATOL], not '" + text + "'");
    Expected<const Array *> got = bufferAt(expectation.index);
    if (!got)
      return got.takeError();
    Expected<std::string> contents = readFile(expectation.file);
    if (!contents)
      return contents.takeError();
    Expected<Array> expected = parseNpy(*contents, expectation.file);
    if (!expected)
      return expected.takeError();
    // Types that .npy can't name are taken from the buffer.
    if (expected->type != (*got)->type && elementBytes(expected->type) == elementBytes((*got)->type) &&
        ((*got)->type == "bf16" || StringRef((*got)->type).starts_with("f8")))
      expected->type = (*got)->type;
    if (expected->elementCount() != (*got)->elementCount())
      return makeError(expectation.file + " has " + Twine(expected->elementCount()) + " elements, argument " +
                       Twine(expectation.index) + " has " + Twine((*got)->elementCount()));
    mismatches += compareArrays(**got, *expected, expectation);
  }
  if (arguments.has("stats")) {
    static const char *const names[] = {"SALU", "VALU", "MFMA", "VMEM", "LDS", "SMEM", "waits", "branches", "barriers", "other"};
    errs() << formatv("{0} waves, {1} instructions in {2:f3} s ({3:f1} million a second)\n", stats->waves, stats->instructions(),
                      stats->seconds, stats->instructions() / stats->seconds / 1e6);
    for (unsigned c = 0; c < std::size(names); ++c)
      if (stats->byClass[c])
        errs() << formatv("  {0,-10}{1,14}\n", names[c], stats->byClass[c]);
  }
  if (config.countsFidelity)
    errs() << stats->fidelity.line() << '\n';
  if (config.checks.any())
    writeReport(*format == ReportFormat::Text ? errs() : outs(), machine::check::reportItems(stats->findings, SourceLines(*bytes), name), input, *format);
  return mismatches || !stats->findings.empty() ? 1 : 0;
}

const Verb runVerb = {
    "run", "Execute a kernel on the machine model", "[options] KERNEL.hsaco", options,
    "  inflight run vadd.hsaco --grid 4 --block 256 --arg random:1000:f32:1 --arg random:1000:f32:2 \\\n"
    "      --arg zeros:1000:f32 --arg i64:1000 --out 2=sum.npy\n"
    "  inflight run gemm.hsaco --kernel gemm --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32 \\\n"
    "      --expect 2=c.npy,1e-3,1e-3 --stats\n"
    "  inflight run gemm.hsaco --grid 2,2 --arg a.npy --arg b.npy --arg zeros:256x256:f32 --check=all --format=sarif\n",
    run};

} // namespace inflight::cli
