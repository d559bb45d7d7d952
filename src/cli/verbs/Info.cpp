#include "cli/CodeFile.h"
#include "cli/NamedArguments.h"
#include "isa/chip/TargetInfo.h"
#include "object/FatBinary.h"
#include "program/read/KernelText.h"
#include "program/read/LoadCodeObject.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"kernel", "NAME", "only this kernel"},
    {"format", "NAME", "text (default) or json"},
    {"launch", "", "write a launch of the kernel to fill in, for `inflight run --launch=FILE`"},
};

/// "256,1,1 lanes", "at most 1024 lanes" or nothing.
static std::string blockText(const Kernel &kernel) {
  if (kernel.requiredWorkgroupSize[0])
    return formatv("{0},{1},{2} lanes per workgroup", kernel.requiredWorkgroupSize[0], kernel.requiredWorkgroupSize[1],
                   kernel.requiredWorkgroupSize[2])
        .str();
  return kernel.maxFlatWorkgroupSize
             ? formatv("at most {0} lanes per workgroup, --block says how many", kernel.maxFlatWorkgroupSize).str()
             : "workgroup size not stated";
}

/// What only newer chips' kernels have.
static std::string newerProperties(const Kernel &kernel, const TargetInfo &target) {
  SmallVector<std::string, 4> parts;
  if (target.hasBothWaveSizes)
    parts.push_back(formatv("waves of {0} lanes", target.lanesPerWave));
  if (const unsigned *size = kernel.clusterSize; size[0])
    parts.push_back(formatv("clusters of {0},{1},{2} workgroups", size[0], size[1], size[2]));
  if (kernel.usesDynamicVgprs)
    parts.push_back("VGPRs that waves ask for while they run");
  if (const unsigned barriers = target.hasVgprWindows ? kernel.descriptor.namedBarriers() : 0)
    parts.push_back(counted(barriers, "named barrier"));
  return join(parts, "; ");
}

static void printKernel(const Kernel &kernel, const TargetInfo &target, raw_ostream &os) {
  const KernelDescriptor &d = kernel.descriptor;
  const unsigned allocated = d.vgprCount(target.vgprEncodingGranule);
  os << "  " << kernel.name << '\n'
     << "    launch     " << blockText(kernel) << '\n'
     << formatv("    registers  {0} VGPRs, {1} AGPRs, {2} SGPRs; {3} allocated: {4} per SIMD", kernel.vgprCount,
                kernel.agprCount, kernel.sgprCount, allocated, counted(target.wavesForVgprs(allocated), "wave"));
  if (kernel.vgprSpillCount || kernel.sgprSpillCount)
    os << formatv("; spilled: {0} VGPRs, {1} SGPRs", kernel.vgprSpillCount, kernel.sgprSpillCount);
  os << formatv("\n    memory     {0} bytes of LDS, {1} bytes of scratch per lane{2}, {3} bytes of arguments\n",
                d.groupSegmentFixedSize, d.privateSegmentFixedSize,
                kernel.usesDynamicStack ? " and a stack that grows" : "", kernel.kernargSegmentSize);
  if (const std::string more = newerProperties(kernel, target); !more.empty())
    os << "    also       " << more << '\n';
  const std::string signature = signatureText(kernel);
  os << "    arguments  " << (signature.empty() ? "none" : "in the order of --arg") << signature << '\n';
  std::string hidden;
  for (const KernelArgument &argument : kernel.arguments)
    if (argument.isHidden())
      hidden += (hidden.empty() ? "" : ", ") + argument.valueKind.substr(StringRef("hidden_").size());
  if (!hidden.empty())
    os << "    hidden     " << hidden << '\n';
}

/// What is written instead of text.
struct Lists {
  json::Array *files = nullptr;
  std::map<std::string, json::Object> *launches = nullptr; ///< by kernel
};

/// The kernels of one code object, as text or appended to a list.
static Error describe(StringRef bytes, const std::string &name, const Arguments &arguments, Lists lists) {
  Expected<LoadedCodeObject> loaded = loadCodeObject(bytes, name);
  if (!loaded)
    return loaded.takeError();
  const CodeObject *object = &loaded->object;
  Expected<const TargetInfo *> target = TargetInfo::get(object->chip(), object->waveLanes());
  if (!target)
    return target.takeError();
  std::vector<const Kernel *> kernels;
  if (arguments.has("kernel")) {
    Expected<const Kernel *> kernel = object->findKernel(arguments.get("kernel"));
    if (!kernel)
      return kernel.takeError();
    kernels.push_back(*kernel);
  } else {
    for (const Kernel &kernel : object->kernels())
      kernels.push_back(&kernel);
  }
  if (lists.launches) {
    for (const Kernel *kernel : kernels)
      lists.launches->try_emplace(kernel->name, launchTemplate(*kernel));
    return Error::success();
  }
  if (lists.files) {
    json::Array all;
    for (const Kernel *kernel : kernels)
      all.push_back(kernelObject(*kernel, **target));
    lists.files->push_back(json::Object{{"file", name}, {"chip", object->chip()}, {"kernels", std::move(all)}});
    return Error::success();
  }
  outs() << name << ": " << object->chip() << ", " << counted(kernels.size(), "kernel") << '\n';
  for (const Kernel *kernel : kernels)
    printKernel(*kernel, **target, outs());
  return Error::success();
}

static Error describeFile(StringRef input, const Arguments &arguments, Lists lists) {
  Expected<std::string> bytes = readCodeFile(input, /*chip=*/"");
  if (!bytes)
    return bytes.takeError();
  if (!isFatBinary(*bytes))
    return describe(*bytes, input.str(), arguments, lists);
  Expected<FatEntries> entries = readFatEntries(*bytes, input, /*chip=*/"");
  if (!entries)
    return entries.takeError();
  for (uint32_t index : entries->chosen) {
    const FatEntry &entry = entries->binary.entries()[index];
    Expected<FatBinary::Bytes> own = entries->binary.bytesOf(entry);
    if (!own)
      return own.takeError();
    if (Error error = describe(own->bytes, (input + "(" + entry.chip + ")").str(), arguments, lists))
      return error;
  }
  if (!entries->otherChips.empty())
    errs() << input << ": warning: skipped code for chips that are not supported: " << join(entries->otherChips, ", ")
           << '\n';
  return Error::success();
}

static Expected<int> run(const Arguments &arguments) {
  const std::string format = arguments.get("format", "text");
  if (format != "text" && format != "json")
    return usageError("--format is text or json, not '" + format + "'");
  json::Array files;
  std::map<std::string, json::Object> launches;
  Lists lists{format == "json" ? &files : nullptr, arguments.has("launch") ? &launches : nullptr};
  for (const std::string &input : arguments.positional)
    if (Error error = describeFile(input, arguments, lists))
      return std::move(error);
  if (lists.launches) {
    if (launches.size() != 1)
      return usageError("--launch is for one kernel, of " + Twine(launches.size()) + ": give --kernel NAME");
    outs() << formatv("{0:2}\n", json::Value(std::move(launches.begin()->second)));
    return 0;
  }
  if (format == "json")
    outs() << formatv("{0:2}\n", json::Value(json::Object{{"files", std::move(files)}}));
  return 0;
}

const Verb infoVerb = {
    "info",
    "List the kernels of a file: arguments, launch, registers, memory",
    {"FILE...", 1, anyNumber},
    options,
    "  inflight info vadd.hsaco\n  inflight info --format=json kernels.co | jq '.files[].kernels[].name'\n"
    "  inflight info --launch vadd.hsaco > launch.json\n",
    run};

} // namespace inflight::cli
