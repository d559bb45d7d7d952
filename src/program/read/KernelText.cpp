#include "program/read/KernelText.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight {

DerivedPart derivedPart(const Kernel &kernel, const KernelArgument &parameter) {
  auto [base, part] = StringRef(parameter.name).rsplit('.');
  if (none_of(kernel.arguments, [base = base](const KernelArgument &other) {
        return other.name == base && other.valueKind == "global_buffer";
      }))
    return {};
  if (part == "offset" || part.starts_with("size") || part.starts_with("stride"))
    return {base, part};
  return {};
}

StringRef elementTypeOf(const KernelArgument &argument) {
  StringRef text = StringRef(argument.typeName).trim();
  // MLIR: memref<4x?xf32, ...>; OpenCL: const float*; others: f32.
  if (text.consume_front("memref<")) {
    text = text.split(',').first.split('>').first;
    text = text.contains('x') ? text.rsplit('x').second : text;
  }
  while (text.consume_back("*") || text.consume_back(" "))
    text = text.rtrim();
  for (StringRef qualifier : {"const ", "volatile ", "restrict ", "global ", "__global "})
    while (text.consume_front(qualifier))
      text = text.ltrim();
  return StringSwitch<StringRef>(text)
      .Cases({"f32", "float"}, "f32")
      .Cases({"f64", "double"}, "f64")
      .Cases({"f16", "half", "__half"}, "f16")
      .Case("bf16", "bf16")
      .Cases({"i8", "si8", "char"}, "i8")
      .Cases({"ui8", "u8", "uchar"}, "u8")
      .Cases({"i16", "si16", "short"}, "i16")
      .Cases({"i32", "si32", "int"}, "i32")
      .Cases({"ui32", "u32", "uint"}, "u32")
      .Cases({"i64", "si64", "long", "index"}, "i64")
      .Cases({"ui64", "u64", "ulong"}, "u64")
      .Cases({"ui16", "u16", "ushort"}, "u16")
      .Default("");
}

std::string argumentKind(const KernelArgument &argument) {
  StringRef type = elementTypeOf(argument), kind = argument.valueKind;
  if (kind == "global_buffer")
    return ("buffer" + (type.empty() ? "" : " of " + type)).str();
  if (kind == "dynamic_shared_pointer")
    return "pointer to local memory";
  if (kind != "by_value")
    return kind.str();
  if (!type.empty())
    return ("scalar " + type).str();
  constexpr unsigned largestScalar = 8;
  return argument.size > largestScalar ? "structure" : "scalar";
}

std::vector<const KernelArgument *> passedArguments(const Kernel &kernel) {
  std::vector<const KernelArgument *> passed;
  for (const KernelArgument &argument : kernel.arguments)
    if (!argument.isHidden() && derivedPart(kernel, argument).part.empty())
      passed.push_back(&argument);
  return passed;
}

Expected<size_t> kernargBytes(const Kernel &kernel) {
  size_t size = kernel.kernargSegmentSize;
  for (const KernelArgument &argument : kernel.arguments)
    size = std::max<size_t>(size, size_t(argument.offset) + argument.size);
  constexpr size_t most = 1 << 16;
  if (size > most)
    return makeError("kernel '" + kernel.name + "': an implausible kernarg size of " + Twine(size) + " bytes");
  return size;
}

std::string numberedArgument(size_t number, const KernelArgument &argument) {
  return "argument " + std::to_string(number) + (argument.name.empty() ? "" : " ('" + argument.name + "')");
}

std::string signatureText(const Kernel &kernel) {
  std::string text;
  for (auto [number, argument] : enumerate(passedArguments(kernel)))
    text += formatv("\n  {0,3}  {1,-20} {2}, {3} bytes", number, argument->name.empty() ? "-" : argument->name,
                    argumentKind(*argument), argument->size)
                .str();
  return text;
}

json::Object kernelObject(const Kernel &kernel, const TargetInfo &target) {
  const KernelDescriptor &d = kernel.descriptor;
  const unsigned allocated = d.vgprCount(target.vgprEncodingGranule);
  json::Array arguments;
  for (const KernelArgument &argument : kernel.arguments)
    arguments.push_back(json::Object{{"name", argument.name},
                                     {"offset", argument.offset},
                                     {"size", argument.size},
                                     {"value_kind", argument.valueKind},
                                     {"type", elementTypeOf(argument)},
                                     {"hidden", argument.isHidden()},
                                     {"derived", !derivedPart(kernel, argument).part.empty()}});
  json::Object object{{"name", kernel.name},
                      {"vgprs", kernel.vgprCount},
                      {"agprs", kernel.agprCount},
                      {"sgprs", kernel.sgprCount},
                      {"allocated_vgprs", allocated},
                      {"waves_per_simd", target.wavesForVgprs(allocated)},
                      {"vgpr_spills", kernel.vgprSpillCount},
                      {"sgpr_spills", kernel.sgprSpillCount},
                      {"lds_bytes", d.groupSegmentFixedSize},
                      {"scratch_bytes_per_lane", d.privateSegmentFixedSize},
                      {"kernarg_bytes", kernel.kernargSegmentSize},
                      {"max_block_lanes", kernel.maxFlatWorkgroupSize},
                      {"arguments", std::move(arguments)}};
  if (kernel.requiredWorkgroupSize[0])
    object["required_block"] =
        json::Array{kernel.requiredWorkgroupSize[0], kernel.requiredWorkgroupSize[1], kernel.requiredWorkgroupSize[2]};
  if (target.hasBothWaveSizes)
    object["lanes_per_wave"] = target.lanesPerWave;
  if (kernel.clusterSize[0])
    object["cluster"] = json::Array{kernel.clusterSize[0], kernel.clusterSize[1], kernel.clusterSize[2]};
  if (kernel.usesDynamicVgprs)
    object["dynamic_vgprs"] = true;
  if (const unsigned barriers = target.hasVgprWindows ? d.namedBarriers() : 0)
    object["named_barriers"] = barriers;
  return object;
}

} // namespace inflight
