#include "device/LaunchWarnings.h"

#include "program/Decoder.h"
#include "program/KernelText.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace inflight::device {

/// Element types that a kernel can't tell apart: of one size, and both or neither floats. Bytes stand for anything.
static bool isCompatible(StringRef array, StringRef parameter) {
  auto isFloat = [](StringRef type) { return type.starts_with("f") || type == "bf16"; };
  const unsigned size = elementBytes(array);
  return parameter.empty() || array == parameter || array == "u8" ||
         (size == elementBytes(parameter) && isFloat(array) == isFloat(parameter) && (!isFloat(array) || size == 1));
}

/// Whether an instruction of the kernel's own code reads or writes LDS; permutations between lanes use none.
static bool accessesLds(const CodeObject &object, const Kernel &kernel) {
  Expected<const Isa *> isa = Isa::get(object.chip());
  if (!isa) {
    consumeError(isa.takeError());
    return false;
  }
  Decoder decoder(**isa);
  const uint64_t end = std::min<uint64_t>(kernel.entryAddress + kernel.codeSize, object.image().size());
  for (uint64_t address = kernel.entryAddress; address < end;) {
    MCInst inst;
    unsigned size = decoder.decode(object.image().slice(address, end - address), address, inst);
    if (!size) {
      address += 4;
      continue;
    }
    const InstrDesc &desc = (*isa)->desc(inst.getOpcode());
    if (desc.isLdsDma || (desc.isDs() && (desc.mayLoad || desc.mayStore)))
      return true;
    address += size;
  }
  return false;
}

std::vector<std::string> launchWarnings(const CodeObject &object, const Kernel &kernel, const machine::LaunchConfig &config,
                                        const LaunchInputs &inputs, bool blockIsGiven) {
  std::vector<std::string> warnings;
  auto warn = [&](const Twine &text) { warnings.push_back(("kernel '" + kernel.name + "': " + text).str()); };
  const uint64_t lanes = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  if (!blockIsGiven && kernel.maxFlatWorkgroupSize > lanes)
    warn("it states no block size, and --block isn't given: " + Twine(lanes) + " lanes are assumed, up to " +
         Twine(kernel.maxFlatWorkgroupSize) + " are possible (a Triton kernel wants 64 times its num_warps)");
  bool hasLocalPointers = false;
  for (const Argument &argument : inputs.arguments)
    hasLocalPointers |= argument.localBytes != 0;
  if (!kernel.descriptor.groupSegmentFixedSize && !config.dynamicLdsBytes && !hasLocalPointers && accessesLds(object, kernel))
    warn("it accesses LDS but states none, and --lds isn't given: reads give zero and writes are lost (a Triton kernel wants --lds with its "
         "metadata's 'shared')");
  size_t next = 0;
  for (const KernelArgument &parameter : kernel.arguments) {
    if (parameter.isHidden() || !derivedPart(kernel, parameter).part.empty())
      continue;
    if (next == inputs.arguments.size())
      break;
    if (parameter.valueKind == "dynamic_shared_pointer" && !inputs.arguments[next].localBytes)
      continue;
    const Argument &argument = inputs.arguments[next++];
    const StringRef wanted = elementTypeOf(parameter);
    if (argument.isBuffer && !isCompatible(argument.array.type, wanted))
      warn("argument " + Twine(next - 1) + (parameter.name.empty() ? "" : " ('" + parameter.name + "')") + " points to " + wanted + ", '" +
           argument.text + "' holds " + argument.array.type + ": pass " + wanted + ", or FILE.npy:" + wanted + " where the sizes agree");
  }
  return warnings;
}

} // namespace inflight::device
