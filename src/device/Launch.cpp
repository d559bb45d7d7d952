#include "device/Launch.h"

#include "program/read/KernelText.h"
#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::device {

/// What a host runtime hands to kernels as objects of its own.
static StringRef unsupportedKind(StringRef kind) {
  return StringSwitch<StringRef>(kind)
      .Case("image", "an image")
      .Case("sampler", "a sampler")
      .Case("pipe", "a pipe")
      .Case("queue", "a device queue")
      .Default("");
}

std::vector<const KernelArgument *> matchParameters(const Kernel &kernel, ArrayRef<Argument> arguments) {
  std::vector<const KernelArgument *> parameters;
  for (const KernelArgument *parameter : passedArguments(kernel)) {
    const bool isLocal = parameter->valueKind == "dynamic_shared_pointer";
    if (isLocal && (parameters.size() >= arguments.size() || !arguments[parameters.size()].localBytes))
      continue;
    parameters.push_back(parameter);
  }
  return parameters;
}

/// A size, stride or offset of a buffer with that shape.
static int64_t derivedValue(StringRef part, ArrayRef<int64_t> shape) {
  unsigned dim = 0;
  if (part.consume_front("size") && !part.getAsInteger(10, dim))
    return dim < shape.size() ? shape[dim] : 1;
  int64_t stride = part.starts_with("stride") ? 1 : 0;
  if (part.consume_front("stride") && !part.getAsInteger(10, dim))
    for (size_t d = dim + 1; d < shape.size(); ++d)
      stride *= shape[d];
  return stride;
}

namespace {
/// Puts the inputs of a launch into memory, and fetches buffers back.
class Placement {
public:
  Placement(const Kernel &kernel, LaunchInputs &inputs, machine::Memory &memory)
      : kernel(kernel), inputs(inputs), memory(memory) {}
  Error place();
  void fetch();
  ArrayRef<uint8_t> kernarg() const { return segment; }
  /// Bytes of LDS that local pointers need after the kernel's own.
  uint64_t localBytes() const { return localEnd - kernel.descriptor.groupSegmentFixedSize; }
  std::vector<machine::NamedBuffer> buffers() const;

private:
  const Kernel &kernel;
  LaunchInputs &inputs;
  machine::Memory &memory;
  std::vector<uint8_t> segment;
  std::vector<const KernelArgument *> parameters; ///< of each argument
  std::vector<uint64_t> argumentAddresses, bufferAddresses;
  uint64_t localEnd = 0;

  Error fail(const Twine &message) const { return makeError("kernel '" + kernel.name + "': " + message); }
  Error checkArguments();
  Error countError() const;
  Error checkArgument(size_t i) const;
  Error allocate(Argument &argument, const Twine &name, uint64_t &address);
  Expected<uint64_t> resolve(const PointerField &pointer, StringRef text) const;
  Error fillPointers(Argument &argument);
  Error fillSegment();
  Error fillParameter(const KernelArgument &parameter, Argument &argument, uint64_t address);
};
} // namespace

/// Whether each parameter can take the argument that is for it.
Error Placement::checkArguments() {
  parameters = matchParameters(kernel, inputs.arguments);
  for (auto [number, parameter] : enumerate(parameters))
    if (StringRef what = unsupportedKind(parameter->valueKind); !what.empty())
      return fail(numberedArgument(number, *parameter) + " is " + what + ", which the machine doesn't have");
  if (parameters.size() != inputs.arguments.size())
    return countError();
  for (size_t i = 0; i < parameters.size(); ++i)
    if (Error error = checkArgument(i))
      return error;
  return Error::success();
}

Error Placement::countError() const {
  // Triton's metadata has no names of arguments.
  const bool isFromTriton =
      llvm::all_of(parameters, [](const KernelArgument *parameter) { return parameter->name.empty(); });
  const bool scratchIsMissing = isFromTriton && inputs.arguments.size() + 2 == parameters.size() &&
                                llvm::all_of(ArrayRef(parameters).take_back(2), [](const KernelArgument *last) {
                                  return last->valueKind == "global_buffer";
                                });
  return makeError(
      "kernel '" + kernel.name + "' takes " + counted(parameters.size(), "argument") + ", " +
      Twine(inputs.arguments.size()) + (inputs.arguments.size() == 1 ? " was given:" : " were given:") +
      signatureText(kernel) +
      (scratchIsMissing ? "\n  the last two pointers of a Triton kernel are scratch: add --arg null --arg null" : ""));
}

Error Placement::checkArgument(size_t i) const {
  const KernelArgument &parameter = *parameters[i];
  const Argument &argument = inputs.arguments[i];
  const bool isLocal = parameter.valueKind == "dynamic_shared_pointer",
             wantsBuffer = parameter.valueKind == "global_buffer";
  if (argument.localBytes && !isLocal)
    return fail(numberedArgument(i, parameter) + " is no pointer to local memory, unlike '" + argument.text + "'");
  // Where the metadata describes an address as plain bytes, a pointer is as good as a number.
  const bool isAddress = argument.isPointer() && !wantsBuffer && parameter.size == 8;
  if (!isLocal && wantsBuffer != argument.isPointer() && !isAddress)
    return fail(numberedArgument(i, parameter) + " is a " + (wantsBuffer ? "buffer" : "scalar") + ", not '" +
                argument.text + "'");
  if (!isLocal && !argument.isPointer() && argument.array.bytes.size() != parameter.size)
    return fail(numberedArgument(i, parameter) + " has " + Twine(parameter.size) + " bytes, '" + argument.text +
                "' has " + Twine(argument.array.bytes.size()));
  return Error::success();
}

Error Placement::allocate(Argument &argument, const Twine &name, uint64_t &address) {
  if (!argument.isBuffer)
    return Error::success();
  Expected<uint64_t> place = memory.allocate(std::max<uint64_t>(argument.bytes(), 4), name.str());
  if (!place)
    return place.takeError();
  address = *place;
  return Error::success();
}

Expected<uint64_t> Placement::resolve(const PointerField &pointer, StringRef text) const {
  const BufferRef &to = pointer.target;
  ArrayRef<Argument> list = to.isExtra ? inputs.buffers : inputs.arguments;
  ArrayRef<uint64_t> addresses = to.isExtra ? bufferAddresses : argumentAddresses;
  if (to.index >= list.size() || !list[to.index].isBuffer)
    return makeError("argument '" + text + "': " + (to.isExtra ? "there is no buffer b" : "no buffer is argument ") +
                     Twine(to.index));
  const uint64_t bytes = list[to.index].bytes();
  if (pointer.offset > bytes)
    return makeError("argument '" + text + "': an offset of " + Twine(pointer.offset) + " into a buffer of " +
                     Twine(bytes) + " bytes");
  return addresses[to.index] + pointer.offset;
}

Error Placement::fillPointers(Argument &argument) {
  for (const PointerField &pointer : argument.pointers) {
    Expected<uint64_t> address = resolve(pointer, argument.text);
    if (!address)
      return address.takeError();
    if (!argument.isAlias)
      std::memcpy(argument.array.bytes.data() + pointer.place, &*address, 8);
  }
  return Error::success();
}

Error Placement::fillParameter(const KernelArgument &parameter, Argument &argument, uint64_t address) {
  uint8_t *place = segment.data() + parameter.offset;
  if (argument.isAlias) {
    Expected<uint64_t> target = resolve(argument.pointers[0], argument.text);
    if (!target)
      return target.takeError();
    address = *target;
  }
  if (argument.isPointer())
    std::memcpy(place, &address, 8);
  else
    std::memcpy(place, argument.array.bytes.data(), parameter.size);
  return Error::success();
}

Error Placement::fillSegment() {
  size_t next = 0;
  const Argument *buffer = nullptr;
  for (const KernelArgument &parameter : kernel.arguments) {
    uint8_t *place = segment.data() + parameter.offset;
    if (parameter.valueKind == "dynamic_shared_pointer") {
      // Dynamic LDS starts where the static part ends; local pointers follow each other.
      uint64_t start = alignTo(localEnd, std::max(1u, parameter.pointeeAlign));
      std::memcpy(place, &start, std::min<size_t>(parameter.size, 4));
      if (next < parameters.size() && parameters[next] == &parameter)
        localEnd = start + inputs.arguments[next++].localBytes;
    } else if (StringRef part = derivedPart(kernel, parameter).part; !part.empty()) {
      if (buffer) {
        int64_t value = derivedValue(part, buffer->array.shape);
        std::memcpy(place, &value, std::min<size_t>(parameter.size, 8));
      }
    } else if (next < parameters.size() && parameters[next] == &parameter) {
      Argument &argument = inputs.arguments[next];
      if (Error error = fillParameter(parameter, argument, argumentAddresses[next]))
        return error;
      if (argument.isBuffer)
        buffer = &argument;
      ++next;
    }
  }
  return Error::success();
}

Error Placement::place() {
  Expected<size_t> size = kernargBytes(kernel);
  if (!size)
    return size.takeError();
  // Structures end where their alignment has it.
  segment.resize(alignTo(*size, kernel.kernargSegmentAlign ? std::min(kernel.kernargSegmentAlign, 16u) : 8));
  localEnd = kernel.descriptor.groupSegmentFixedSize;
  if (inputs.kernarg) {
    if (!inputs.arguments.empty())
      return makeError("a kernarg segment and arguments exclude each other");
  } else if (Error error = checkArguments()) {
    return error;
  }
  argumentAddresses.resize(inputs.arguments.size());
  bufferAddresses.resize(inputs.buffers.size());
  for (size_t i = 0; i < inputs.arguments.size(); ++i)
    if (Error error = allocate(inputs.arguments[i], numberedArgument(i, *parameters[i]), argumentAddresses[i]))
      return error;
  for (size_t i = 0; i < inputs.buffers.size(); ++i)
    if (Error error = allocate(inputs.buffers[i], "buffer b" + Twine(i), bufferAddresses[i]))
      return error;
  for (std::vector<Argument> *list : {&inputs.arguments, &inputs.buffers})
    for (Argument &argument : *list)
      if (Error error = fillPointers(argument))
        return error;
  // Memory that was just allocated is zero.
  for (size_t i = 0; i < inputs.arguments.size(); ++i)
    if (inputs.arguments[i].isBuffer)
      llvm::copy(inputs.arguments[i].array.bytes, memory.pointer(argumentAddresses[i]));
  for (size_t i = 0; i < inputs.buffers.size(); ++i)
    llvm::copy(inputs.buffers[i].array.bytes, memory.pointer(bufferAddresses[i]));
  if (!inputs.kernarg)
    return fillSegment();
  if (Error error = fillPointers(*inputs.kernarg))
    return error;
  // Launchers with one structure for several kernels give more than some of these take, as HIP lets them.
  const std::vector<uint8_t> &bytes = inputs.kernarg->array.bytes;
  llvm::copy(ArrayRef(bytes).take_front(segment.size()), segment.begin());
  return Error::success();
}

std::vector<machine::NamedBuffer> Placement::buffers() const {
  std::vector<machine::NamedBuffer> list;
  auto add = [&](const Argument &argument, uint64_t address, std::string number, std::string name, std::string text) {
    if (argument.isBuffer)
      list.push_back({std::move(number), std::move(name), std::move(text), {address, address + argument.bytes()}});
  };
  for (size_t i = 0; i < inputs.arguments.size(); ++i)
    add(inputs.arguments[i], argumentAddresses[i], std::to_string(i), parameters[i]->name,
        numberedArgument(i, *parameters[i]));
  for (size_t i = 0; i < inputs.buffers.size(); ++i)
    add(inputs.buffers[i], bufferAddresses[i], "b" + std::to_string(i), "", "buffer b" + std::to_string(i));
  return list;
}

void Placement::fetch() {
  auto fetchAll = [&](std::vector<Argument> &list, ArrayRef<uint64_t> addresses) {
    for (size_t i = 0; i < list.size(); ++i)
      if (Argument &argument = list[i]; argument.isBuffer) {
        const uint8_t *from = memory.pointer(addresses[i]);
        argument.array.bytes.assign(from, from + argument.bytes());
        argument.zeros = 0;
      }
  };
  fetchAll(inputs.arguments, argumentAddresses);
  fetchAll(inputs.buffers, bufferAddresses);
}

/// Places the inputs in memory, runs and fetches the buffers back where they are wanted.
static Error launchWith(const Kernel &kernel, const machine::LaunchConfig &config, LaunchInputs &inputs,
                        function_ref<Error(const machine::LaunchConfig &, ArrayRef<uint8_t>, machine::Memory &)> run) {
  machine::Memory memory;
  Placement placement(kernel, inputs, memory);
  if (Error error = placement.place())
    return error;
  machine::LaunchConfig all = config;
  all.buffers = placement.buffers();
  all.dynamicLdsBytes =
      std::max<uint64_t>(config.dynamicLdsBytes, std::min<uint64_t>(placement.localBytes(), UINT32_MAX / 2));
  Error error = run(all, placement.kernarg(), memory);
  inputs.isStoredTo = memory.isStoredTo();
  if (error)
    return error;
  if (inputs.wantsResults)
    placement.fetch();
  return Error::success();
}

/// Where `run` leaves its statistics.
template <typename Stats, typename Run>
static Expected<Stats> launchFor(const Kernel &kernel, const machine::LaunchConfig &config, LaunchInputs &inputs,
                                 Run run) {
  Stats stats;
  Error error =
      launchWith(kernel, config, inputs,
                 [&](const machine::LaunchConfig &all, ArrayRef<uint8_t> kernarg, machine::Memory &memory) -> Error {
                   Expected<Stats> done = run(all, kernarg, memory);
                   if (!done)
                     return done.takeError();
                   stats = std::move(*done);
                   return Error::success();
                 });
  if (error)
    return std::move(error);
  return stats;
}

Expected<machine::RunStats> launch(const CodeObject &object, const Kernel &kernel, const machine::LaunchConfig &config,
                                   LaunchInputs &inputs) {
  return launchFor<machine::RunStats>(
      kernel, config, inputs,
      [&](const machine::LaunchConfig &all, ArrayRef<uint8_t> kernarg, machine::Memory &memory) {
        return machine::run(object, kernel, all, kernarg, memory);
      });
}

/// Statistics of the last launch, with the times of all.
static Expected<machine::timed::TimedStats> runLaunches(const CodeObject &object, const Kernel &kernel,
                                                        const machine::LaunchConfig &config,
                                                        machine::timed::TimedOptions options, ArrayRef<uint8_t> kernarg,
                                                        machine::Memory &memory) {
  std::vector<double> seconds;
  for (unsigned launch = 1;; ++launch) {
    Expected<machine::timed::TimedStats> stats =
        machine::timed::runTimed(object, kernel, config, options, kernarg, memory);
    if (!stats)
      return stats;
    seconds.push_back(stats->deviceSeconds);
    if (launch < options.launches) {
      options.caches = machine::timed::CacheState::Warm;
      continue;
    }
    if (options.launches > 1)
      stats->launchSeconds = std::move(seconds);
    return stats;
  }
}

Expected<machine::timed::TimedStats> launchTimed(const CodeObject &object, const Kernel &kernel,
                                                 const machine::LaunchConfig &config,
                                                 const machine::timed::TimedOptions &options, LaunchInputs &inputs) {
  return launchFor<machine::timed::TimedStats>(
      kernel, config, inputs,
      [&](const machine::LaunchConfig &all, ArrayRef<uint8_t> kernarg, machine::Memory &memory) {
        return runLaunches(object, kernel, all, options, kernarg, memory);
      });
}

} // namespace inflight::device
