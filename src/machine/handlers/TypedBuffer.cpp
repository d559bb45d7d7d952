// Typed buffer accesses: TBUFFER_* with the format in the instruction, BUFFER_*_FORMAT_* with that of the
// descriptor, whose DST_SEL fields choose what each result of a load is.
#include "machine/handlers/Buffer.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
/// Widths of the components X, Y, Z, W from the lowest bit on, by data format. The names of the packed ones go
/// from the highest bit down.
struct Layout {
  u8 bits[4];
};
constexpr Layout layouts[16] = {{{}},
                                {{8}},
                                {{16}},
                                {{8, 8}},
                                {{32}},
                                {{16, 16}},
                                {{11, 11, 10}},
                                {{10, 11, 11}},
                                {{2, 10, 10, 10}},
                                {{10, 10, 10, 2}},
                                {{8, 8, 8, 8}},
                                {{32, 32}},
                                {{16, 16, 16, 16}},
                                {{32, 32, 32}},
                                {{32, 32, 32, 32}},
                                {{}}};
enum Number : unsigned { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float = 7 };

struct TypedAccess {
  u8 count;
  bool isStore, isTbuffer, isD16, toHighHalf;
};

/// A component's bits as a float, or as an integer for the integer formats.
u32 expand(u32 x, unsigned bits, unsigned number) {
  const i32 s = i32(x << (32 - bits)) >> (32 - bits);
  const double largest = double((u64(1) << bits) - 1), largestSigned = double((u64(1) << (bits - 1)) - 1);
  switch (number) {
  case Unorm: return asU(float(x / largest));
  case Snorm: return asU(float(std::max(s / largestSigned, -1.0)));
  case Uscaled: return asU(float(x));
  case Sscaled: return asU(float(s));
  case Uint: return x;
  case Sint: return u32(s);
  default: // floats of 11 and 10 bits are halves without sign and lowest bits of the mantissa
    return bits == 32 ? x : asU(float(asH(bits == 16 ? x : x << (15 - bits))));
  }
}
u32 compress(u32 value, unsigned bits, unsigned number) {
  const float x = asF(value);
  const double largest = double((u64(1) << bits) - 1), largestSigned = double((u64(1) << (bits - 1)) - 1);
  auto clamped = [&](double v, double low, double high) { return v != v ? 0.0 : std::clamp(v, low, high); };
  u64 r;
  switch (number) {
  case Unorm: r = u64(std::nearbyint(clamped(x, 0, 1) * largest)); break;
  case Snorm: r = u64(i64(std::nearbyint(clamped(x, -1, 1) * largestSigned))); break;
  case Uscaled: r = u64(clamped(x, 0, largest)); break;
  case Sscaled: r = u64(i64(clamped(x, -largestSigned - 1, largestSigned))); break;
  case Uint: r = std::min<u64>(value, u64(largest)); break;
  case Sint: r = u64(std::clamp<i64>(i32(value), -i64(largestSigned) - 1, i64(largestSigned))); break;
  default: r = bits == 32 ? value : bits == 16 ? asU(f16(x)) : asU(f16(x > 0 ? x : 0)) >> (15 - bits);
  }
  return u32(r & ((u64(1) << bits) - 1));
}

/// A lane's element to `at`, if that is anywhere.
void storeElement(Wave &w, const Op &op, const Layout &layout, unsigned number, unsigned bytes, unsigned lane, u8 *at) {
  const TypedAccess &access = *static_cast<const TypedAccess *>(op.extra);
  const bool isInteger = number == Uint || number == Sint;
  auto half = [&](unsigned i) -> u32 {
    return w.vgpr(op.destination + i / 2)[lane] >> (16 * (i % 2 || access.toHighHalf)) & 0xffff;
  };
  unsigned __int128 element = 0;
  for (unsigned i = 0, shift = 0; i < 4 && layout.bits[i]; shift += layout.bits[i++]) {
    if (i >= access.count)
      continue;
    u32 value = !access.isD16    ? w.vgpr(op.destination + i)[lane]
                : !isInteger     ? asU(float(asH(half(i))))
                : number == Sint ? u32(i32(int16_t(half(i))))
                                 : half(i);
    element |= (unsigned __int128)(compress(value, layout.bits[i], number)) << shift;
  }
  if (at)
    copyKernelBytes(at, &element, bytes);
}

/// A lane's element from `at`, zeros if that is nowhere. `word3`: of the buffer's descriptor.
void loadElement(Wave &w, const Op &op, const Layout &layout, unsigned number, unsigned bytes, unsigned lane,
                 const u8 *at, u32 word3) {
  const TypedAccess &access = *static_cast<const TypedAccess *>(op.extra);
  const bool isInteger = number == Uint || number == Sint;
  // What DST_SEL chooses from: 0, 1, two reserved, X, Y, Z, W.
  u32 choice[8] = {0, isInteger ? 1 : asU(1.0f), 0, 0, 0, 0, 0, isInteger ? 1 : asU(1.0f)};
  if (at) {
    unsigned __int128 element = 0;
    copyKernelBytes(&element, at, bytes);
    for (unsigned i = 0, shift = 0; i < 4 && layout.bits[i]; shift += layout.bits[i++])
      choice[4 + i] = expand(u32(element >> shift & ((u64(1) << layout.bits[i]) - 1)), layout.bits[i], number);
  } else {
    std::memset(choice, 0, sizeof choice);
  }
  for (unsigned i = 0; i < access.count; ++i) {
    u32 value = choice[word3 >> (3 * i) & 7];
    u32 &to = w.vgpr(op.destination + (access.isD16 ? i / 2 : i))[lane];
    if (!access.isD16) {
      to = value;
      continue;
    }
    u32 narrow = isInteger ? value & 0xffff : asU(f16(asF(value)));
    if (access.toHighHalf || i % 2)
      to = (to & 0xffff) | narrow << 16;
    else
      to = (to & 0xffff0000u) | narrow;
  }
}

void typedAccess(Wave &w, const Op &op) {
  const TypedAccess &access = *static_cast<const TypedAccess *>(op.extra);
  const u32 word3 = w.s[op.source[1].index + 3];
  const unsigned format = access.isTbuffer ? op.word[0] >> 19 & 15 : word3 >> 15 & 15;
  const unsigned number = access.isTbuffer ? op.word[0] >> 23 & 7 : word3 >> 12 & 7;
  const Layout &layout = layouts[format];
  if (!layout.bits[0] || number == 6 || (number == Float && layout.bits[0] < 10))
    return w.fault(op,
                   "reserved buffer format " + std::to_string(format) + ", number format " + std::to_string(number));
  unsigned bytes = 0;
  for (u8 bits : layout.bits)
    bytes += bits;
  bytes /= 8;
  const Buffer b = bufferOf(w, op);
  LaneAddresses addresses;
  bufferAddresses(w, op, b, bytes, addresses);
  unsigned bad;
  if (!allContained(w, op, !access.isStore, addresses, bytes, bad))
    return outsideBuffer(w, op, "buffer access", b, addresses.at[bad], bad);
  report(w, addresses, bytes, access.isStore ? AccessObserver::Kind::Write : AccessObserver::Kind::Read);
  if (access.isStore)
    noteStore(w, addresses);
  const u64 exec = w.exec();
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u8 *at = hostMemory(addresses.at[lane]);
    if (access.isStore)
      storeElement(w, op, layout, number, bytes, lane, at);
    else
      loadElement(w, op, layout, number, bytes, lane, at, word3);
  }
}
} // namespace

void registerTypedBuffer(HandlerTable &table) {
  static TypedAccess accesses[2][2][2][4], high[2];
  for (unsigned store : {0, 1})
    for (unsigned tbuffer : {0, 1}) {
      const std::string prefix =
          std::string(tbuffer ? "tbuffer_" : "buffer_") + (store ? "store_" : "load_") + "format_";
      for (unsigned d16 : {0, 1})
        for (unsigned count = 1; count <= 4; ++count) {
          TypedAccess &access = accesses[store][tbuffer][d16][count - 1];
          access = {u8(count), store != 0, tbuffer != 0, d16 != 0, false};
          add(table, prefix + (d16 ? "d16_" : "") + std::string("xyzw").substr(0, count), typedAccess, {32, 32, 32}, 0,
              &access);
        }
      if (!tbuffer) {
        high[store] = {1, store != 0, false, true, true};
        add(table, prefix + "d16_hi_x", typedAccess, {32, 32, 32}, 0, &high[store]);
      }
    }
}

} // namespace inflight::machine::SIMD_LEVEL
