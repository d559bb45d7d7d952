#include "device/Argument.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <functional>

using namespace llvm;

namespace inflight::device {

/// An error with the argument's text before the message.
using Fail = std::function<Error(const Twine &)>;

/// The bytes as they are, without an element type.
static Argument asBytes(Argument argument) {
  argument.array.type = "u8";
  argument.array.shape = {int64_t(argument.array.bytes.size())};
  return argument;
}

/// "ptr:I", "ptr:bN", each perhaps with "+OFFSET".
static std::optional<PointerField> parsePointer(StringRef text) {
  PointerField pointer;
  if (!text.consume_front("ptr:"))
    return std::nullopt;
  auto [target, offset] = text.split('+');
  pointer.target.isExtra = target.consume_front("b");
  if (target.getAsInteger(10, pointer.target.index) || (text.contains('+') && offset.getAsInteger(0, pointer.offset)))
    return std::nullopt;
  return pointer;
}

/// The items of a structure or array, as C lays them out.
static Error parseItems(StringRef text, Argument &argument) {
  constexpr uint64_t largest = 1 << 16, addressBytes = 8;
  std::vector<uint8_t> &bytes = argument.array.bytes;
  auto fail = [&](const Twine &message) { return makeError("argument '" + argument.text + "': " + message); };
  SmallVector<StringRef> items;
  text.split(items, ',');
  uint64_t strictest = 1;
  for (StringRef item : items) {
    auto [kind, value] = item.split(':');
    uint64_t padding = 0;
    if (kind == "pad") {
      if (value.getAsInteger(0, padding) || padding > largest)
        return fail("expected pad:BYTES, at most " + Twine(largest) + ", not '" + item + "'");
      bytes.resize(bytes.size() + padding);
      continue;
    }
    if (kind == "ptr" || item == "null") {
      bytes.resize(alignTo(bytes.size(), addressBytes));
      strictest = addressBytes;
      if (kind == "ptr") {
        std::optional<PointerField> pointer = parsePointer(item);
        if (!pointer)
          return fail("expected ptr:I or ptr:I+OFFSET, not '" + item + "'");
        pointer->place = bytes.size();
        argument.pointers.push_back(*pointer);
      }
      bytes.resize(bytes.size() + addressBytes);
      continue;
    }
    const uint64_t size = kind == "bytes" ? 1 : elementBytes(kind);
    if (!size)
      return fail("an item is TYPE:VALUE, ptr:I[+OFFSET], null, bytes:HEX or pad:BYTES, not '" + item + "'");
    Expected<Argument> scalar = parseArgument(item);
    if (!scalar)
      return scalar.takeError();
    bytes.resize(alignTo(bytes.size(), size));
    strictest = std::max(strictest, size);
    llvm::append_range(bytes, scalar->array.bytes);
    if (bytes.size() > largest)
      return fail("more than " + Twine(largest) + " bytes");
  }
  bytes.resize(alignTo(bytes.size(), strictest));
  return Error::success();
}

/// "zeros:SHAPE:TYPE", "arange:SHAPE:TYPE", "random:SHAPE:TYPE:SEED": `parts`.
static Expected<Argument> parseFilled(ArrayRef<StringRef> parts, Argument argument, const Fail &fail) {
  const StringRef kind = parts[0];
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
  if (kind == "zeros") {
    argument.zeros = count * size;
    return argument;
  }
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

/// "TYPE:VALUE".
static Expected<Argument> parseScalar(StringRef type, StringRef value, Argument argument, const Fail &fail) {
  argument.array.type = type.str();
  argument.array.bytes.resize(elementBytes(type));
  argument.array.shape = {1};
  int64_t integer;
  double number;
  const bool isFloat = type[0] == 'f' || type[0] == 'b';
  if (!isFloat && !value.getAsInteger(0, integer)) {
    std::memcpy(argument.array.bytes.data(), &integer, argument.array.bytes.size());
    return argument;
  }
  if (value.getAsDouble(number) || !isFloat)
    return fail("'" + value + "' is no " + type);
  setElement(argument.array, 0, number);
  return argument;
}

/// "FILE.npy", perhaps with ":TYPE".
static Expected<Argument> parseFileArgument(StringRef text, Argument argument, const Fail &fail) {
  StringRef file = text, type;
  if (!file.ends_with(".npy")) {
    std::tie(file, type) = text.rsplit(':');
    if (!file.ends_with(".npy") || !elementBytes(type))
      return fail(
          "neither FILE.npy, zeros:, random:, arange:, bytes:, struct:, array:, ptr:, lds:, null nor TYPE:VALUE");
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

Expected<Argument> parseArgument(StringRef text) {
  const Fail fail = [&](const Twine &message) { return makeError("argument '" + text + "': " + message); };
  Argument argument;
  argument.text = text.str();
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  StringRef kind = parts[0];
  if (kind == "zeros" || kind == "random" || kind == "arange")
    return parseFilled(parts, std::move(argument), fail);
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
      return fail("expected bytes:HEX, two digits per byte");
    argument.array.bytes.assign(bytes.begin(), bytes.end());
    return asBytes(std::move(argument));
  }
  if (kind == "ptr") {
    std::optional<PointerField> pointer = parsePointer(text);
    if (!pointer)
      return fail("expected ptr:I or ptr:I+OFFSET, I being an argument's number or bN");
    argument.isAlias = true;
    argument.pointers.push_back(*pointer);
    return argument;
  }
  if (kind == "struct" || kind == "array") {
    argument.isBuffer = kind == "array";
    if (Error error = parseItems(text.drop_front(kind.size() + 1), argument))
      return std::move(error);
    return asBytes(std::move(argument));
  }
  if (elementBytes(kind) && parts.size() == 2)
    return parseScalar(kind, parts[1], std::move(argument), fail);
  return parseFileArgument(text, std::move(argument), fail);
}

} // namespace inflight::device
