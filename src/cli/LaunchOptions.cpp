#include "cli/LaunchOptions.h"
#include "cli/CodeFile.h"
#include "cli/NamedArguments.h"
#include "cli/TimedSummary.h"

#include "device/LaunchWarnings.h"
#include "machine/timed/TimedJson.h"
#include "object/SourceLines.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <thread>

using namespace llvm;

namespace inflight::cli {

ArrayRef<OptionSpec> launchOptions() {
  static const OptionSpec options[] = {
      {"kernel", "NAME", "which kernel; not needed if there is one"},
      {"mcpu", "CHIP", "of a file with code objects for several chips: which"},
      {"entry", "N", "of a file with several code objects: the N-th, from 0"},
      {"grid", "X,Y,Z", "workgroups (default 1,1,1)"},
      {"global", "X,Y,Z",
       "instead of --grid: all lanes; the last workgroups are smaller where the block doesn't divide them"},
      {"block", "X,Y,Z", "lanes of a workgroup (default: what the kernel requires, else 64,1,1)"},
      {"arg", "SPEC",
       "an argument, in order, or NAME=SPEC by the metadata's names (padding is then 0): FILE.npy[:TYPE], "
       "zeros:SHAPE:TYPE, random:SHAPE:TYPE:SEED, arange:SHAPE:TYPE, "
       "TYPE:VALUE, bytes:HEX, struct:ITEM,... and array:ITEM,..., ptr:I[+OFFSET] for a pointer into argument I or "
       "buffer bI, lds:BYTES for a pointer to local memory, null for a pointer to nothing",
       FileUse::Read},
      {"launch", "FILE.json",
       "kernel, grid, block, lds and args of a launch, as `inflight info --launch` writes them; options given besides "
       "come first",
       FileUse::Read},
      {"buffer", "SPEC",
       "a buffer that is no argument, b0, b1 and so on: pointers in structures and other buffers refer to it",
       FileUse::Read},
      {"kernarg", "SPEC",
       "the whole kernarg segment instead of --arg: struct:ITEM,... or bytes:HEX; hidden arguments are filled in"},
      {"out", "I=FILE.npy", "write argument I, or buffer bI, afterwards", FileUse::Written},
      {"expect", "I=FILE.npy[,RTOL,ATOL]",
       "compare argument I, or buffer bI, afterwards; exit status 1 if it differs by more than ATOL + RTOL * "
       "|expected| (default 0,0)",
       FileUse::Read},
      {"lds", "BYTES", "dynamic LDS"},
      {"scratch", "BYTES",
       "of a lane, for recursion and stacks that grow (default: what the kernel states, 16 KiB more where it can't "
       "know)"},
      {"threads", "N", "host threads (default: all)"},
      {"max-steps", "N", "instructions after which a wave counts as never ending (default 2^30)"},
  };
  return options;
}

ArrayRef<OptionSpec> timedOptions() {
  static const OptionSpec options[] = {
      {"device", "NAME", "the product: MI250X, MI300X, MI325X, MI355X ... (default: the chip's usual one)"},
      {"clock", "MHZ|load|peak",
       "shader clock (default load: what power leaves of the product's peak, by how busy matrix cores and memory are)"},
      {"cus", "N",
       "compute units to simulate, each with its part of the grid (default 1; 0: all that have work); the other "
       "workgroups run without time"},
      {"active-cus", "N", "compute units that share L2 and memory (default: all that have work)"},
      {"sample", "N",
       "simulate N workgroups per compute unit, at least as many as it holds at a time, and run no others: an estimate "
       "without results"},
      {"warm", "", "a launch before has left its data in the caches, as far as they hold it (default: its code alone)"},
      {"rotate", "BYTES",
       "launches before, each on the next copy of the buffers, BYTES of copies in all, as benchmarks do that want data "
       "from memory: what is left of that in the caches"},
      {"cold", "", "nothing has run before: code and address translation come from memory, too"},
      {"launch-overhead", "US", "microseconds that each launch takes besides (default 0)"},
      {"sharing", "on|off",
       "L2 hits on lines that other compute units have loaded, estimated from the first instructions of all workgroups "
       "(default on)"},
      {"latency", "FILE.json", "a latency file instead of the chip's, as 'inflight probe --calibrate' writes it",
       FileUse::Read},
  };
  return options;
}

std::vector<OptionSpec> joinOptions(std::initializer_list<ArrayRef<OptionSpec>> lists) {
  std::vector<OptionSpec> all;
  for (ArrayRef<OptionSpec> list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

Expected<SourcePolicy> parseSources(const Arguments &arguments) {
  const std::string directory = arguments.get("sources");
  if (arguments.has("sources") && directory != "off" && !sys::fs::is_directory(directory))
    return usageError("--sources takes off or a directory, not '" + directory + "'");
  return SourcePolicy{directory == "off", directory};
}

/// Reads a number option, if it is there.
template <typename T> static Error readNumber(const Arguments &arguments, StringRef name, T &into) {
  if (arguments.has(name) && StringRef(arguments.get(name)).getAsInteger(0, into))
    return usageError("--" + name + " takes a number, not '" + arguments.get(name) + "'");
  return Error::success();
}

struct Expectation {
  std::string buffer; ///< as given: "2", "b0"
  std::string file;
  double relative = 0, absolute = 0;
};

static Expected<std::pair<StringRef, StringRef>> indexed(StringRef text, StringRef option) {
  auto [name, rest] = text.split('=');
  StringRef number = name;
  number.consume_front("b");
  unsigned index;
  if (rest.empty() || number.getAsInteger(10, index))
    return usageError("--" + option + " takes INDEX=FILE.npy, not '" + text + "'");
  return std::pair(name, rest);
}

/// "[12, 3]": an element's indices.
static std::string indicesOf(const Array &array, uint64_t element) {
  std::string place;
  for (size_t d = array.shape.size(); d-- > 0;) {
    place.insert(0, std::to_string(element % array.shape[d]) + (place.empty() ? "" : ", "));
    element /= array.shape[d];
  }
  return "[" + place + "]";
}

/// The value with as many digits as tell two values of the type apart.
static std::string digitsOf(double value, StringRef type) {
  std::string text;
  raw_string_ostream(text) << (type == "f64" || type.starts_with("i") || type.starts_with("u") ? format("%.17g", value)
                                                                                               : format("%.9g", value));
  return text;
}

/// Prints the first mismatches and the worst; returns how many there are.
static uint64_t compareArrays(const Array &got, const Array &expected, const Expectation &expectation) {
  constexpr uint64_t shown = 5;
  uint64_t mismatches = 0;
  struct Worst {
    double error = -1;
    uint64_t element = 0;
    void take(double other, uint64_t at) {
      // What is no number is as wrong as can be.
      other = std::isnan(other) ? HUGE_VAL : other;
      if (other > error)
        *this = {other, at};
    }
  } absolute, relative;
  for (uint64_t i = 0, e = expected.elementCount(); i < e; ++i) {
    const double g = elementAsDouble(got, i), x = elementAsDouble(expected, i), error = std::fabs(g - x);
    if (g == x || (std::isnan(g) && std::isnan(x)) ||
        error <= expectation.absolute + expectation.relative * std::fabs(x))
      continue;
    absolute.take(error, i);
    relative.take(error / std::fabs(x), i);
    if (mismatches++ < shown)
      errs() << formatv("argument {0}{1}: expected {2}, got {3}, off by {4}\n", expectation.buffer,
                        indicesOf(expected, i), digitsOf(x, expected.type), digitsOf(g, got.type),
                        digitsOf(error, "f32"));
  }
  if (mismatches)
    errs() << formatv(
        "argument {0}: {1} of {2} elements differ; worst absolute error {3} at {4}, worst relative error {5} at {6}\n",
        expectation.buffer, mismatches, expected.elementCount(), digitsOf(absolute.error, "f32"),
        indicesOf(expected, absolute.element), digitsOf(relative.error, "f32"), indicesOf(expected, relative.element));
  return mismatches;
}

/// "10x100xf32": what is compared may not be what one takes it for.
static std::string describe(const Array &array) {
  std::string text;
  for (int64_t extent : array.shape)
    text += std::to_string(extent) + "x";
  return text + array.type;
}

Expected<CodeObjectChoice> parseChoice(const Arguments &arguments) {
  CodeObjectChoice choice{arguments.get("mcpu"), arguments.get("kernel"), std::nullopt};
  if (arguments.has("entry"))
    if (Error error = readNumber(arguments, "entry", choice.entry.emplace()))
      return std::move(error);
  return choice;
}

static Error readInputs(const Arguments &arguments, const Kernel &kernel, device::LaunchInputs &inputs) {
  auto readAll = [](ArrayRef<std::string> texts, std::vector<device::Argument> &list) -> Error {
    for (const std::string &text : texts) {
      Expected<device::Argument> value = device::parseArgument(text);
      if (!value)
        return value.takeError();
      list.push_back(std::move(*value));
    }
    return Error::success();
  };
  inputs.wantsResults = arguments.has("out") || arguments.has("expect");
  std::vector<device::Argument> kernargs;
  Expected<std::vector<std::string>> ordered = orderArguments(kernel, arguments.all("arg"));
  if (!ordered)
    return ordered.takeError();
  if (Error error = readAll(*ordered, inputs.arguments))
    return error;
  if (Error error = readAll(arguments.all("buffer"), inputs.buffers))
    return error;
  if (Error error = readAll(arguments.all("kernarg"), kernargs))
    return error;
  for (const device::Argument &buffer : inputs.buffers)
    if (!buffer.isBuffer)
      return usageError("--buffer takes FILE.npy, zeros:, random:, arange: or array:, not '" + buffer.text + "'");
  if (kernargs.empty())
    return Error::success();
  if (kernargs.size() > 1 || !inputs.arguments.empty())
    return usageError("--kernarg is given once, and without --arg");
  if (kernargs[0].isPointer() || kernargs[0].localBytes)
    return usageError("--kernarg takes struct: or bytes:, not '" + kernargs[0].text + "'");
  inputs.kernarg = std::move(kernargs[0]);
  return Error::success();
}

/// Reads the file and finds the kernel in it.
static Error loadKernel(const Arguments &arguments, StringRef input, KernelLaunch &launch) {
  Expected<std::string> bytes = readCodeFile(input, arguments.get("mcpu"));
  if (!bytes)
    return bytes.takeError();
  Expected<CodeObjectChoice> choice = parseChoice(arguments);
  if (!choice)
    return choice.takeError();
  Expected<LoadedCodeObject> loaded = loadCodeObject(*bytes, input, *choice);
  if (!loaded)
    return loaded.takeError();
  launch.bytes = std::move(loaded->bytes);
  launch.object = std::move(loaded->object);
  std::string name = arguments.get("kernel");
  if (name.empty()) {
    if (launch.object->kernels().size() != 1)
      return usageError("the code object has " + Twine(launch.object->kernels().size()) +
                        " kernels: give --kernel NAME (inflight info lists them)");
    name = launch.object->kernels()[0].name;
  }
  Expected<const Kernel *> kernel = launch.object->findKernel(name);
  if (!kernel)
    return kernel.takeError();
  launch.kernel = *kernel;
  return Error::success();
}

/// Work-items of a workgroup and of the grid.
static Error readSizes(const Arguments &arguments, const Kernel &kernel, machine::LaunchConfig &config) {
  if (arguments.has("block")) {
    Expected<std::array<uint32_t, 3>> block = parseTriple(arguments.get("block"), "block");
    if (!block)
      return block.takeError();
    config.block = *block;
  } else if (kernel.requiredWorkgroupSize[0]) {
    for (unsigned i = 0; i < 3; ++i)
      config.block[i] = kernel.requiredWorkgroupSize[i];
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
  return Error::success();
}

Expected<std::unique_ptr<KernelLaunch>> parseLaunch(const Arguments &given, StringRef input) {
  Expected<Arguments> merged = withLaunchFile(given);
  if (!merged)
    return merged.takeError();
  const Arguments &arguments = *merged;
  auto launch = std::make_unique<KernelLaunch>();
  machine::LaunchConfig &config = launch->config;
  Expected<std::array<uint32_t, 3>> grid = parseTriple(arguments.get("grid", "1,1,1"), "grid");
  if (!grid)
    return grid.takeError();
  config.grid = *grid;
  config.threads = std::max(1u, std::thread::hardware_concurrency());
  if (Error error = readNumber(arguments, "lds", config.dynamicLdsBytes))
    return std::move(error);
  if (Error error = readNumber(arguments, "threads", config.threads))
    return std::move(error);
  if (Error error = readNumber(arguments, "max-steps", config.maxInstructions))
    return std::move(error);
  if (!config.maxInstructions)
    return usageError("--max-steps 0 would let no wave execute an instruction");
  if (arguments.has("scratch"))
    if (Error error = readNumber(arguments, "scratch", config.scratchBytes.emplace()))
      return std::move(error);
  if (Error error = loadKernel(arguments, input, *launch))
    return std::move(error);
  if (Error error = readInputs(arguments, *launch->kernel, launch->inputs))
    return std::move(error);
  if (Error error = readSizes(arguments, *launch->kernel, config))
    return std::move(error);
  config.onWarning = [](const std::string &warning) { errs() << "inflight: warning: " << warning << '\n'; };
  config.onProgress = [&progress = launch->progress](StringRef step, uint64_t done, uint64_t total) {
    progress.update(step, done, total);
  };
  for (const std::string &warning :
       device::launchWarnings(*launch->kernel, config, launch->inputs, arguments.has("block")))
    config.onWarning(warning);
  return launch;
}

Expected<machine::timed::TimedOptions> parseTimedOptions(const Arguments &arguments, const KernelLaunch &launch) {
  machine::timed::TimedOptions options;
  options.device = arguments.get("device");
  const std::string clock = arguments.get("clock", "load");
  options.peakClock = clock == "peak";
  if (clock != "peak" && clock != "load")
    if (Error error = readNumber(arguments, "clock", options.clockMHz))
      return std::move(error);
  double overhead = 0;
  if (arguments.has("launch-overhead") &&
      (StringRef(arguments.get("launch-overhead")).getAsDouble(overhead) || !(overhead >= 0 && overhead <= 1e9)))
    return usageError("--launch-overhead takes microseconds, not '" + arguments.get("launch-overhead") + "'");
  options.launchOverheadSeconds = overhead * 1e-6;
  if (Error error = readNumber(arguments, "cus", options.cus))
    return std::move(error);
  if (Error error = readNumber(arguments, "active-cus", options.activeCus))
    return std::move(error);
  if (Error error = readNumber(arguments, "sample", options.sample))
    return std::move(error);
  if (arguments.has("sample") && (arguments.has("out") || arguments.has("expect")))
    return usageError("--sample leaves results incomplete: it can't go with --out or --expect");
  if ((arguments.has("warm") || arguments.has("rotate")) && arguments.has("cold"))
    return usageError(std::string(arguments.has("warm") ? "--warm" : "--rotate") + " and --cold exclude each other");
  if (Error error = readNumber(arguments, "rotate", options.rotatedBytes))
    return std::move(error);
  using machine::timed::CacheState;
  options.caches = arguments.has("warm") || options.rotatedBytes ? CacheState::Warm
                   : arguments.has("cold")                       ? CacheState::Cold
                                                                 : CacheState::Code;
  if (const std::string sharing = arguments.get("sharing", "on"); sharing != "on" && sharing != "off")
    return usageError("--sharing is on or off, not '" + sharing + "'");
  else
    options.sharing = sharing == "on";
  if (arguments.has("latency")) {
    options.latenciesName = arguments.get("latency");
    Expected<std::string> contents = readFile(options.latenciesName);
    if (!contents)
      return contents.takeError();
    options.latencies = std::move(*contents);
  }
  options.lines = std::make_shared<SourceLines>(launch.bytes);
  return options;
}

Expected<uint64_t> writeAndCompare(const Arguments &arguments, const device::LaunchInputs &inputs) {
  auto bufferAt = [&](StringRef name) -> Expected<const Array *> {
    StringRef number = name;
    ArrayRef<device::Argument> list = number.consume_front("b") ? inputs.buffers : inputs.arguments;
    unsigned index = 0;
    number.getAsInteger(10, index);
    if (index >= list.size() || !list[index].isBuffer)
      return usageError("argument " + name + " is no buffer");
    return &list[index].array;
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
    Expectation expectation{place->first.str(), parts[0].str()};
    if ((parts.size() > 1 && parts[1].getAsDouble(expectation.relative)) ||
        (parts.size() > 2 && parts[2].getAsDouble(expectation.absolute)) || parts.size() > 3 ||
        !(expectation.relative >= 0) || !(expectation.absolute >= 0))
      return usageError("--expect takes INDEX=FILE.npy[,RTOL,ATOL], not '" + text + "'");
    Expected<const Array *> got = bufferAt(place->first);
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
                       expectation.buffer + " has " + Twine((*got)->elementCount()));
    if (expected->type != (*got)->type || expected->shape != (*got)->shape)
      errs() << "note: " << printable(expectation.file) << " is " << describe(*expected) << ", argument "
             << expectation.buffer << " is " << describe(**got) << '\n';
    mismatches += compareArrays(**got, *expected, expectation);
  }
  return mismatches;
}

void warnOfNoStore(const KernelLaunch &launch) {
  const device::LaunchInputs &inputs = launch.inputs;
  auto isBuffer = [](const device::Argument &argument) { return argument.isBuffer; };
  if (!inputs.isStoredTo && (any_of(inputs.arguments, isBuffer) || any_of(inputs.buffers, isBuffer)))
    launch.config.onWarning("kernel '" + launch.kernel->name +
                            "': nothing was stored to global memory, so the launch has no result: arguments or the "
                            "grid are probably not what the kernel is made for");
}

Expected<int> concludeTimed(const Arguments &arguments, const KernelLaunch &launch,
                            const machine::timed::TimedStats &stats) {
  Expected<uint64_t> mismatches = writeAndCompare(arguments, launch.inputs);
  if (!mismatches)
    return mismatches.takeError();
  const bool isWhole = !stats.isSampled; // else others may have stored
  if (isWhole)
    warnOfNoStore(launch);
  if (arguments.get("format") == "json") {
    json::Object time = machine::timed::timeObject(stats);
    if (isWhole)
      time["stored"] = launch.inputs.isStoredTo;
    outs() << formatv("{0:2}\n", json::Value(std::move(time)));
  } else {
    printTimed(errs(), stats);
  }
  return *mismatches ? 1 : 0;
}

} // namespace inflight::cli
