#include "support/files/Npy.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight {

uint64_t Array::elementCount() const {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

unsigned elementBytes(StringRef type) {
  return StringSwitch<unsigned>(type)
      .Cases({"i1", "i8", "u8", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"}, 1)
      .Cases({"i16", "u16", "f16", "bf16"}, 2)
      .Cases({"i32", "u32", "f32"}, 4)
      .Cases({"i64", "u64", "f64", "index"}, 8)
      .Default(0);
}

static const fltSemantics *floatSemantics(StringRef type) {
  return StringSwitch<const fltSemantics *>(type)
      .Case("f16", &APFloat::IEEEhalf())
      .Case("bf16", &APFloat::BFloat())
      .Case("f32", &APFloat::IEEEsingle())
      .Case("f64", &APFloat::IEEEdouble())
      .Case("f8E4M3FN", &APFloat::Float8E4M3FN())
      .Case("f8E5M2", &APFloat::Float8E5M2())
      .Case("f8E4M3FNUZ", &APFloat::Float8E4M3FNUZ())
      .Case("f8E5M2FNUZ", &APFloat::Float8E5M2FNUZ())
      .Default(nullptr);
}

double elementAsDouble(const Array &array, uint64_t index) {
  unsigned size = elementBytes(array.type);
  uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + index * size, size);
  if (array.type == "f32")
    return bit_cast<float>(uint32_t(bits));
  if (const fltSemantics *semantics = floatSemantics(array.type)) {
    APFloat value(*semantics, APInt(8 * size, bits));
    bool loses;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return value.convertToDouble();
  }
  if (array.type[0] == 'u')
    return double(bits);
  return double(SignExtend64(bits, 8 * size));
}

void setElement(Array &array, uint64_t index, double value) {
  unsigned size = elementBytes(array.type);
  uint64_t bits;
  if (array.type == "f32") {
    bits = bit_cast<uint32_t>(float(value));
  } else if (const fltSemantics *semantics = floatSemantics(array.type)) {
    APFloat number(value);
    bool loses;
    number.convert(*semantics, APFloat::rmNearestTiesToEven, &loses);
    bits = number.bitcastToAPInt().getZExtValue();
  } else {
    bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  std::memcpy(array.bytes.data() + index * size, &bits, size);
}

/// The element type for NumPy's description; empty if it isn't supported.
static std::string typeOf(StringRef descr) {
  return StringSwitch<std::string>(descr)
      .Cases({"|b1", "|i1"}, "i8")
      .Case("|u1", "u8")
      .Case("<i2", "i16")
      .Case("<u2", "u16")
      .Case("<i4", "i32")
      .Case("<u4", "u32")
      .Case("<i8", "i64")
      .Case("<u8", "u64")
      .Case("<f2", "f16")
      .Case("<f4", "f32")
      .Case("<f8", "f64")
      .Case("|V2", "bf16")
      .Case("<V2", "bf16")
      .Case("|V1", "f8E4M3FNUZ")
      .Default("");
}

Expected<Array> parseNpy(StringRef contents, StringRef name) {
  auto fail = [&](const Twine &message) { return errorAt({name.str()}, message); };
  if (!contents.starts_with(StringRef("\x93NUMPY", 6)) || contents.size() < 10)
    return fail("not a .npy file");
  unsigned major = uint8_t(contents[6]);
  size_t headerSize, start;
  if (major == 1) {
    headerSize = support::endian::read16le(contents.data() + 8);
    start = 10;
  } else if ((major == 2 || major == 3) && contents.size() >= 12) {
    headerSize = support::endian::read32le(contents.data() + 8);
    start = 12;
  } else {
    return fail("version " + Twine(major) + " of the .npy format is not supported");
  }
  if (headerSize > contents.size() - start)
    return fail("truncated header");
  StringRef header = contents.substr(start, headerSize);
  auto valueOf = [&](StringRef key) -> StringRef {
    size_t at = header.find(("'" + key + "'").str());
    if (at == StringRef::npos)
      return {};
    return header.drop_front(header.find(':', at) + 1).ltrim();
  };
  StringRef descr = valueOf("descr"), order = valueOf("fortran_order"), shape = valueOf("shape");
  if (!descr.consume_front("'") || !shape.consume_front("("))
    return fail("a header without 'descr' and 'shape'");
  descr = descr.take_until([](char c) { return c == '\''; });
  if (order.starts_with("True"))
    return fail("Fortran order is not supported; save it in C order");
  Array array;
  array.type = typeOf(descr);
  if (array.type.empty())
    return fail("element type '" + descr + "' is not supported");
  for (StringRef part : split(shape.take_until([](char c) { return c == ')'; }), ',')) {
    part = part.trim();
    int64_t extent;
    if (part.empty())
      continue;
    if (part.getAsInteger(10, extent) || extent < 0)
      return fail("a bad shape");
    array.shape.push_back(extent);
  }
  uint64_t bytes = elementBytes(array.type);
  for (int64_t extent : array.shape) {
    bool overflow;
    bytes = SaturatingMultiply<uint64_t>(bytes, extent, &overflow);
    if (overflow)
      return fail("a shape that is too large");
  }
  StringRef data = contents.drop_front(start + headerSize);
  if (data.size() < bytes)
    return fail("truncated: " + Twine(data.size()) + " of " + Twine(bytes) + " bytes of data");
  array.bytes.assign(data.bytes_begin(), data.bytes_begin() + bytes);
  return array;
}

std::string formatNpy(const Array &array) {
  std::string descr = StringSwitch<std::string>(array.type)
                          .Cases({"i1", "i8"}, "|i1")
                          .Case("i16", "<i2")
                          .Case("u16", "<u2")
                          .Case("i32", "<i4")
                          .Case("u32", "<u4")
                          .Cases({"i64", "index"}, "<i8")
                          .Case("u64", "<u8")
                          .Case("f16", "<f2")
                          .Case("f32", "<f4")
                          .Case("f64", "<f8")
                          .Case("bf16", "|V2")
                          .Default("|u1");
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  constexpr size_t alignment = 64, prefix = 10;
  while ((prefix + header.size() + 1) % alignment)
    header += ' ';
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += char(header.size() & 0xff);
  out += char(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
  return out;
}

} // namespace inflight
