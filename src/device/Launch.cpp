#include "device/Launch.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::device {

Expected<Argument> parseArgument(StringRef text) {
  auto fail = [&](const Twine &message) { return makeError("argument '" + text + "': " + message); };
  Argument argument;
  argument.text = text.str();
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  StringRef kind = parts[0];
  if (kind == "zeros" || kind == "random" || kind == "arange") {
    if (parts.size() != (kind == "random" ? 4u : 3u))
      return fail(kind == "random" ? "expected random:SHAPE:TYPE:SEED" : "expected " + kind + ":SHAPE:TYPE");
    argument.isBuffer = true;
    uint64_t count = 1;
    SmallVector<StringRef> extents;
    parts[1].split(extents, 'x');
    for (StringRef extent : extents) {
      int64_t value;
      if (extent.getAsInteger(10, value) || value <= 0)
        return fail("a shape is like 128x256, not '" + parts[1] + "'");
      argument.array.shape.push_back(value);
      count = SaturatingMultiply<uint64_t>(count, value);
    }
    argument.array.type = parts[2].str();
    unsigned size = elementBytes(parts[2]);
    if (!size)
      return fail("unknown type '" + parts[2] + "'");
    constexpr uint64_t maximum = uint64_t(1) << 36;
    if (count > maximum / size)
      return fail("too large");
    argument.array.bytes.resize(count * size);
    if (kind == "arange")
      fillArange(argument.array);
    if (kind == "random") {
      uint64_t seed;
      if (parts[3].getAsInteger(0, seed))
        return fail("the seed is a number, not '" + parts[3] + "'");
      fillRandom(argument.array, seed);
    }
    return argument;
  }
  if (text == "null") {
    argument.isNull = true;
    return argument;
  }
  if (kind == "lds" && parts.size() == 2) {
    if (parts[1].getAsInteger(0, argument.localBytes) || !argument.localBytes)
      return fail("expected lds:BYTES");
    return argument;
  }
  if (kind == "bytes" && parts.size() == 2) {
    std::string bytes;
    if (parts[1].empty() || !tryGetFromHex(parts[1], bytes))
      return fail("expected bytes:HEX, two digits a byte");
    argument.array.type = "u8";
    argument.array.shape = {int64_t(bytes.size())};
    argument.array.bytes.assign(bytes.begin(), bytes.end());
    return argument;
  }
  if (elementBytes(kind) && parts.size() == 2) {
    argument.array.type = kind.str();
    argument.array.bytes.resize(elementBytes(kind));
    argument.array.shape = {1};
    int64_t integer;
    double number;
    if (kind[0] != 'f' && kind[0] != 'b' && !parts[1].getAsInteger(0, integer)) {
      std::memcpy(argument.array.bytes.data(), &integer, argument.array.bytes.size());
      return argument;
    }
    if (parts[1].getAsDouble(number) || (kind[0] != 'f' && kind[0] != 'b'))
      return fail("'" + parts[1] + "' is no " + kind);
    setElement(argument.array, 0, number);
    return argument;
  }
  StringRef file = text, type;
  if (!file.ends_with(".npy")) {
    std::tie(file, type) = text.rsplit(':');
    if (!file.ends_with(".npy") || !elementBytes(type))
      return fail("neither FILE.npy, zeros:, random:, arange:, bytes:, lds:, null nor TYPE:VALUE");
  }
  Expected<std::string> contents = readFile(file);
  if (!contents)
    return contents.takeError();
  Expected<Array> array = parseNpy(*contents, file);
  if (!array)
    return array.takeError();
  argument.isBuffer = true;
  argument.array = std::move(*array);
  if (!type.empty()) {
    if (elementBytes(type) != elementBytes(argument.array.type))
      return fail("the file's elements have another size than " + type);
    argument.array.type = type.str();
  }
  return argument;
}

/// What a host runtime hands to kernels as objects of its own.
static StringRef unsupportedKind(StringRef kind) {
  return StringSwitch<StringRef>(kind).Case("image", "an image").Case("sampler", "a sampler").Case("pipe", "a pipe")
      .Case("queue", "a device queue").Default("");
}

/// "argument 2 ('size')"; not all producers keep names.
static std::string numbered(size_t number, const KernelArgument &parameter) {
  return "argument " + std::to_string(number) + (parameter.name.empty() ? "" : " ('" + parameter.name + "')");
}

/// Places the arguments in memory, runs and fetches the buffers back.
static Error launchWith(const Kernel &kernel, const machine::LaunchConfig &config, MutableArrayRef<Argument> arguments,
                        function_ref<Error(const machine::LaunchConfig &, ArrayRef<uint8_t>, machine::Memory &)> run) {
  machine::Memory memory;
  size_t size = kernel.kernargSegmentSize;
  for (const KernelArgument &argument : kernel.arguments)
    size = std::max<size_t>(size, size_t(argument.offset) + argument.size);
  constexpr size_t maximumKernarg = 1 << 16;
  if (size > maximumKernarg)
    return makeError("kernel '" + kernel.name + "': an implausible kernarg size of " + Twine(size) + " bytes");
  std::vector<uint8_t> kernarg(size);
  std::vector<uint64_t> addresses(arguments.size(), 0);
  size_t next = 0, explicitCount = 0;
  auto derivedFrom = [&](const KernelArgument &parameter) -> std::pair<StringRef, StringRef> {
    StringRef name = parameter.name;
    auto [base, part] = name.rsplit('.');
    if (none_of(kernel.arguments, [base = base](const KernelArgument &other) { return other.name == base && other.valueKind == "global_buffer"; }))
      return {};
    if (part == "offset" || part.starts_with("size") || part.starts_with("stride"))
      return {base, part};
    return {};
  };
  uint64_t localEnd = kernel.descriptor.groupSegmentFixedSize;
  StringRef bufferName;
  const Argument *buffer = nullptr;
  for (const KernelArgument &parameter : kernel.arguments) {
    uint8_t *place = kernarg.data() + parameter.offset;
    if (parameter.isHidden())
      continue; // filled by the machine
    if (StringRef what = unsupportedKind(parameter.valueKind); !what.empty())
      return makeError("kernel '" + kernel.name + "': " + numbered(next, parameter) + " is " + what + ", which the machine doesn't have");
    if (auto [base, part] = derivedFrom(parameter); !part.empty()) {
      if (!buffer || base != bufferName)
        continue; // too few arguments, reported below
      int64_t value = 0;
      unsigned dim = 0;
      const std::vector<int64_t> &shape = buffer->array.shape;
      if (part.consume_front("size") && !part.getAsInteger(10, dim)) {
        value = dim < shape.size() ? shape[dim] : 1;
      } else if (part.consume_front("stride") && !part.getAsInteger(10, dim)) {
        value = 1;
        for (size_t d = dim + 1; d < shape.size(); ++d)
          value *= shape[d];
      }
      std::memcpy(place, &value, std::min<size_t>(parameter.size, 8));
      continue;
    }
    if (parameter.valueKind == "dynamic_shared_pointer") {
      // Dynamic LDS starts where the static part ends; local pointers follow each other.
      uint64_t start = alignTo(localEnd, std::max(1u, parameter.pointeeAlign));
      std::memcpy(place, &start, std::min<size_t>(parameter.size, 4));
      if (next < arguments.size() && arguments[next].localBytes) {
        localEnd = start + arguments[next++].localBytes;
        ++explicitCount;
      }
      continue;
    }
    ++explicitCount;
    if (next == arguments.size()) {
      ++next;
      continue; // counted below
    }
    if (next > arguments.size())
      continue;
    Argument &argument = arguments[next];
    if (argument.localBytes)
      return makeError("kernel '" + kernel.name + "': " + numbered(next, parameter) + " is no pointer to local memory, unlike '" +
                       argument.text + "'");
    bool wantsBuffer = parameter.valueKind == "global_buffer";
    if (wantsBuffer != (argument.isBuffer || argument.isNull))
      return makeError("kernel '" + kernel.name + "': " + numbered(next, parameter) + " is a " +
                       (wantsBuffer ? "buffer" : "scalar") + ", not '" + argument.text + "'");
    if (argument.isBuffer) {
      Expected<uint64_t> address = memory.allocate(std::max<size_t>(argument.array.bytes.size(), 4), numbered(next, parameter));
      if (!address)
        return address.takeError();
      addresses[next] = *address;
      std::copy(argument.array.bytes.begin(), argument.array.bytes.end(), memory.pointer(*address));
      std::memcpy(place, &*address, 8);
      bufferName = parameter.name;
      buffer = &argument;
    } else if (!argument.isNull) {
      if (argument.array.bytes.size() != parameter.size)
        return makeError("kernel '" + kernel.name + "': " + numbered(next, parameter) + " has " +
                         Twine(parameter.size) + " bytes, '" + argument.text + "' has " + Twine(argument.array.bytes.size()));
      std::memcpy(place, argument.array.bytes.data(), parameter.size);
    }
    ++next;
  }
  if (explicitCount != arguments.size())
    return makeError("kernel '" + kernel.name + "' takes " + Twine(explicitCount) + " arguments, " + Twine(arguments.size()) + " were given");
  machine::LaunchConfig all = config;
  all.dynamicLdsBytes = std::max<uint64_t>(config.dynamicLdsBytes, std::min<uint64_t>(localEnd - kernel.descriptor.groupSegmentFixedSize, UINT32_MAX / 2));
  if (Error error = run(all, kernarg, memory))
    return error;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isBuffer)
      std::copy_n(memory.pointer(addresses[i]), arguments[i].array.bytes.size(), arguments[i].array.bytes.begin());
  return Error::success();
}

/// Where `run` leaves its statistics.
template <typename Stats, typename Run>
static Expected<Stats> launchFor(const Kernel &kernel, const machine::LaunchConfig &config, MutableArrayRef<Argument> arguments, Run run) {
  Stats stats;
  Error error = launchWith(kernel, config, arguments, [&](const machine::LaunchConfig &all, ArrayRef<uint8_t> kernarg, machine::Memory &memory) -> Error {
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

Expected<machine::RunStats> launch(const CodeObject &object, const Kernel &kernel, const machine::LaunchConfig &config, MutableArrayRef<Argument> arguments) {
  return launchFor<machine::RunStats>(kernel, config, arguments, [&](const machine::LaunchConfig &all, ArrayRef<uint8_t> kernarg, machine::Memory &memory) {
    return machine::run(object, kernel, all, kernarg, memory);
  });
}

Expected<machine::timed::TimedStats> launchTimed(const CodeObject &object, const Kernel &kernel, const machine::LaunchConfig &config,
                                                 const machine::timed::TimedOptions &options, MutableArrayRef<Argument> arguments) {
  return launchFor<machine::timed::TimedStats>(kernel, config, arguments, [&](const machine::LaunchConfig &all, ArrayRef<uint8_t> kernarg, machine::Memory &memory) {
    return machine::timed::runTimed(object, kernel, all, options, kernarg, memory);
  });
}

} // namespace inflight::device
