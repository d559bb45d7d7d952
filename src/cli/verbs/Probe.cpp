#include "probes/Probe.h"
#include "cli/CommandLine.h"
#include "device/HipDevice.h"
#include "device/ModelDevice.h"
#include "probes/Calibrate.h"
#include "support/Diagnostics.h"
#include "support/OutputFile.h"
#include "support/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"mcpu", "CHIP", "gfx90a, gfx942 (default of the model) or gfx950"},
    {"list", "", "the probes there are"},
    {"all", "", "every probe"},
    {"device", "WHERE", "model (default), or hip: a GPU through libamdhip64.so"},
    {"gpu", "N", "which GPU; 0 without it"},
    {"hip-library", "FILE", "libamdhip64.so, where the loader doesn't find it", FileUse::Read},
    {"product", "NAME",
     "such as MI308X: the model's, and what a GPU is taken for in --calibrate; without it the one that the chip is "
     "best known by"},
    {"clock", "MHZ", "the model's shader clock"},
    {"latency", "FILE", "latencies of the model instead of the chip's, a file like data/latency/CHIP.json",
     FileUse::Read},
    {"calibrate", "OUT.json",
     "write latency data in the form of data/latency/CHIP.json, with what experiments on the device determine",
     FileUse::Written},
    {"format", "NAME", "text or json"},
    {"save-temps", "DIR", "write the assembly of every kernel that runs to this directory", FileUse::Written},
};

static Expected<std::unique_ptr<device::Device>> makeDevice(const Arguments &arguments) {
  const std::string where = arguments.get("device", "model");
  auto number = [&](StringRef name, unsigned &value) -> Error {
    if (arguments.has(name) && StringRef(arguments.get(name)).getAsInteger(10, value))
      return usageError("--" + name + " takes a number, not '" + arguments.get(name) + "'");
    return Error::success();
  };
  if (where == "hip") {
    for (const char *name : {"clock", "latency"})
      if (arguments.has(name))
        return usageError(Twine("--") + name + " is for --device=model");
    device::HipOptions hip;
    hip.chip = arguments.get("mcpu");
    hip.library = arguments.get("hip-library");
    if (Error error = number("gpu", hip.ordinal))
      return std::move(error);
    return device::makeHipDevice(hip);
  }
  if (where != "model")
    return usageError("--device is model or hip, not '" + where + "'");
  for (const char *name : {"gpu", "hip-library"})
    if (arguments.has(name))
      return usageError(Twine("--") + name + " is for --device=hip");
  device::ModelOptions model;
  model.chip = arguments.get("mcpu", "gfx942");
  if (Error error = requireExecuted(model.chip))
    return usageError(toString(std::move(error)));
  model.product = arguments.get("product");
  if (Error error = number("clock", model.clockMHz))
    return std::move(error);
  if (arguments.has("latency")) {
    model.latenciesName = arguments.get("latency");
    Expected<std::string> contents = readFile(model.latenciesName);
    if (!contents)
      return contents.takeError();
    model.latencies = std::move(*contents);
  }
  return device::makeModelDevice(model);
}

/// The probes named, or all.
static Expected<std::vector<const probes::Probe *>> wantedProbes(const Arguments &arguments) {
  std::vector<const probes::Probe *> wanted;
  for (const std::string &name : arguments.positional) {
    Expected<const probes::Probe *> probe = probes::findProbe(name);
    if (!probe)
      return usageError(toString(probe.takeError()));
    wanted.push_back(*probe);
  }
  if (arguments.has("all")) {
    if (!wanted.empty())
      return usageError("--all and names exclude each other");
    for (const probes::Probe &probe : probes::probes())
      wanted.push_back(&probe);
  }
  if (wanted.empty() && !arguments.has("calibrate"))
    return usageError("name a probe, or give --all; --list says which there are");
  return wanted;
}

/// Prints what each probe measures.
static Error measure(ArrayRef<const probes::Probe *> wanted, probes::Bench &bench, device::Device &device,
                     bool isText) {
  std::vector<probes::Report> reports;
  if (isText)
    outs() << device.name() << ", " << device.chip() << "\n\n";
  Progress progress;
  for (auto [i, probe] : enumerate(wanted)) {
    progress.update("probes", i, wanted.size());
    Expected<probes::Report> report = probes::measure(*probe, bench);
    progress.clear();
    if (!report)
      return report.takeError();
    if (isText)
      printText(outs(), *report);
    else
      reports.push_back(std::move(*report));
  }
  if (!isText && !wanted.empty())
    probes::printJson(outs(), device, reports);
  return Error::success();
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.has("list")) {
    for (const probes::Probe &probe : probes::probes())
      outs() << formatv("{0,-16}{1}\n", probe.name, probes::findTemplate(probe.name).title);
    return 0;
  }
  Expected<std::vector<const probes::Probe *>> wanted = wantedProbes(arguments);
  if (!wanted)
    return wanted.takeError();
  const std::string format = arguments.get("format", "text");
  if (format != "text" && format != "json")
    return usageError("--format is text or json, not '" + format + "'");
  Expected<std::unique_ptr<device::Device>> device = makeDevice(arguments);
  if (!device)
    return device.takeError();
  // Before anything is measured: it takes a while.
  std::unique_ptr<OutputFile> out;
  if (arguments.has("calibrate")) {
    Expected<std::unique_ptr<OutputFile>> created = OutputFile::create(arguments.get("calibrate"));
    if (!created)
      return created.takeError();
    out = std::move(*created);
  }
  probes::CodeCache code;
  if (arguments.has("save-temps")) {
    code.assemblyDirectory = arguments.get("save-temps");
    if (std::error_code error = sys::fs::create_directories(code.assemblyDirectory))
      return makeError("cannot make directory " + code.assemblyDirectory + ": " + error.message());
  }
  probes::Bench bench(**device, code);
  if (Error error = measure(*wanted, bench, **device, format == "text"))
    return std::move(error);
  if (!out)
    return 0;
  Expected<probes::Calibration> calibration = probes::calibrate(bench, code, arguments.get("product"));
  if (!calibration)
    return calibration.takeError();
  if (format == "text" && arguments.get("calibrate") != "-")
    probes::printCalibration(outs(), *calibration);
  out->write(calibration->file);
  if (Error error = out->commit())
    return std::move(error);
  return 0;
}

const Verb probeVerb = {"probe",
                        "Measure latencies and rates with kernels that time themselves, on the model or a GPU",
                        {"NAME... | --all | --list", 0, anyNumber},
                        options,
                        "  inflight probe lds\n"
                        "  inflight probe vmem-issue chase -mcpu=gfx950 --format=json\n"
                        "  inflight probe --all --device=hip --calibrate=mi300x.json\n",
                        run,
                        Positional::Other};

} // namespace inflight::cli
