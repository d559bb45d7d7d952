#include "device/LaunchWarnings.h"

#include "program/read/KernelText.h"
#include "llvm/ADT/STLExtras.h"
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

std::vector<std::string> launchWarnings(const Kernel &kernel, const machine::LaunchConfig &config,
                                        const LaunchInputs &inputs, bool blockIsGiven) {
  std::vector<std::string> warnings;
  auto warn = [&](const Twine &text) { warnings.push_back(("kernel '" + kernel.name + "': " + text).str()); };
  const uint64_t lanes = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  if (!blockIsGiven && kernel.maxFlatWorkgroupSize > lanes)
    warn("it states no block size, and --block isn't given: " + Twine(lanes) + " lanes are assumed, up to " +
         Twine(kernel.maxFlatWorkgroupSize) + " are possible (a Triton kernel wants 64 times its num_warps)");
  const std::vector<const KernelArgument *> parameters = matchParameters(kernel, inputs.arguments);
  for (auto [number, argument] : enumerate(ArrayRef(inputs.arguments).take_front(parameters.size()))) {
    const KernelArgument &parameter = *parameters[number];
    const StringRef wanted = elementTypeOf(parameter);
    if (argument.isBuffer && !isCompatible(argument.array.type, wanted))
      warn("argument " + Twine(number) + (parameter.name.empty() ? "" : " ('" + parameter.name + "')") + " points to " +
           wanted + ", '" + argument.text + "' holds " + argument.array.type + ": pass " + wanted +
           ", or FILE.npy:" + wanted + " where the sizes agree");
  }
  return warnings;
}

} // namespace inflight::device
