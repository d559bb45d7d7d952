// Random programs of address arithmetic, run by a small interpreter: whatever the map says never overlaps, doesn't; and
// control never goes a path that the phases don't have or that is said to be impossible.
#include "Listing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace inflight::values {
namespace {

constexpr unsigned Lanes = 64;

/// s0 to s31, v0 to v15, constants. Kinds as the assembler writes them.
struct Operand {
  enum Kind : uint8_t { S, V, Number } kind;
  uint32_t value;
  std::string text() const {
    return kind == S   ? "s" + std::to_string(value)
           : kind == V ? "v" + std::to_string(value)
                       : "0x" + utohexstr(value, true);
  }
};
Operand s(uint32_t n) { return {Operand::S, n}; }
Operand v(uint32_t n) { return {Operand::V, n}; }
Operand number(uint32_t n) { return {Operand::Number, n}; }

struct Line {
  std::string name; ///< mnemonic; "label" is none
  Operand to{Operand::Number, 0};
  std::vector<Operand> from;
  unsigned label = 0, offset = 0, offset2 = 0;
};

struct Wave {
  uint32_t scalar[128] = {};
  std::array<uint32_t, Lanes> vector[16] = {};
  uint64_t exec = ~0ull, vcc = 0, saved[4] = {}, flags[8] = {};
  uint32_t m0 = 0;
  bool scc = false;
};

struct Access {
  uint32_t index;                                   ///< instruction
  std::vector<std::pair<uint32_t, uint32_t>> bytes; ///< begin, size
};

/// What the instructions do by the ISA manuals.
class Interpreter {
public:
  /// `ldsMask`: the bits of M0 that are an address.
  Interpreter(ArrayRef<Line> lines, Wave start, uint32_t ldsMask) : lines(lines), w(start), ldsMask(ldsMask) {
    for (unsigned i = 0; i < lines.size(); ++i)
      if (lines[i].name == "label")
        labels[lines[i].label] = i;
  }
  /// Runs one line; false at the end. `touched` is what it did to LDS.
  bool step(Access &touched) {
    touched.bytes.clear();
    while (at < lines.size() && lines[at].name == "label")
      ++at;
    if (at >= lines.size())
      return false;
    const Line &line = lines[at++];
    instruction = line;
    run(line, touched);
    return true;
  }
  size_t position() const { return at; }
  Line instruction;

private:
  uint32_t get(Operand o, unsigned lane = 0) const {
    return o.kind == Operand::S ? w.scalar[o.value] : o.kind == Operand::V ? w.vector[o.value][lane] : o.value;
  }
  static uint32_t alu(StringRef name, uint32_t a, uint32_t b, uint32_t c) {
    if (name == "add")
      return a + b;
    if (name == "sub")
      return a - b;
    if (name == "mul")
      return a * b;
    if (name == "mul_hi")
      return uint64_t(a) * b >> 32;
    if (name == "mul_hi_i")
      return uint32_t(int64_t(int32_t(a)) * int32_t(b) >> 32);
    if (name == "lshl")
      return a << (b & 31);
    if (name == "lshr")
      return a >> (b & 31);
    if (name == "ashr")
      return uint32_t(int32_t(a) >> (b & 31));
    if (name == "lshlrev")
      return b << (a & 31);
    if (name == "lshrrev")
      return b >> (a & 31);
    if (name == "ashrrev")
      return uint32_t(int32_t(b) >> (a & 31));
    if (name == "and")
      return a & b;
    if (name == "or")
      return a | b;
    if (name == "xor")
      return a ^ b;
    if (name == "andn2")
      return a & ~b;
    if (name == "mov")
      return a;
    if (name == "min")
      return std::min(a, b);
    if (name == "max")
      return std::max(a, b);
    if (name == "min_i")
      return uint32_t(std::min(int32_t(a), int32_t(b)));
    if (name == "bfe_s")
      return (b >> 16 & 0x7f) ? a >> (b & 31) & ((1u << (b >> 16 & 0x1f)) - 1) : 0;
    if (name == "bfe")
      return a >> (b & 31) & ((1u << (c & 31)) - 1);
    if (name == "bfi")
      return (a & b) | (~a & c);
    if (name == "lshl_add")
      return (a << (b & 31)) + c;
    if (name == "add_lshl")
      return (a + b) << (c & 31);
    if (name == "lshl_or")
      return (a << (b & 31)) | c;
    if (name == "and_or")
      return (a & b) | c;
    if (name == "or3")
      return a | b | c;
    if (name == "add3")
      return a + b + c;
    if (name == "xad")
      return (a ^ b) + c;
    if (name == "mad24")
      return (a & 0xffffff) * (b & 0xffffff) + c;
    if (name == "lshl2_add")
      return (a << 2) + b;
    if (name == "add16")
      return (a + b) & 0xffff;
    if (name == "lshlrev16")
      return ((b & 0xffff) << (a & 15)) & 0xffff;
    ADD_FAILURE() << name.str();
    return 0;
  }
  void run(const Line &line, Access &touched);

  ArrayRef<Line> lines;
  Wave w;
  uint32_t ldsMask;
  size_t at = 0;
  DenseMap<unsigned, size_t> labels;
};

struct Mnemonic {
  const char *text, *operation;
  unsigned sources;
};
constexpr Mnemonic scalars[] = {{"s_add_i32", "add", 2},
                                {"s_add_u32", "add", 2},
                                {"s_sub_i32", "sub", 2},
                                {"s_mul_i32", "mul", 2},
                                {"s_mul_hi_u32", "mul_hi", 2},
                                {"s_mul_hi_i32", "mul_hi_i", 2},
                                {"s_lshl_b32", "lshl", 2},
                                {"s_lshr_b32", "lshr", 2},
                                {"s_ashr_i32", "ashr", 2},
                                {"s_and_b32", "and", 2},
                                {"s_or_b32", "or", 2},
                                {"s_xor_b32", "xor", 2},
                                {"s_andn2_b32", "andn2", 2},
                                {"s_mov_b32", "mov", 1},
                                {"s_min_u32", "min", 2},
                                {"s_max_u32", "max", 2},
                                {"s_min_i32", "min_i", 2},
                                {"s_bfe_u32", "bfe_s", 2},
                                {"s_lshl2_add_u32", "lshl2_add", 2}};
constexpr Mnemonic vectors[] = {
    {"v_add_u32", "add", 2},           {"v_sub_u32", "sub", 2},           {"v_mul_lo_u32", "mul", 2},
    {"v_mul_hi_u32", "mul_hi", 2},     {"v_lshlrev_b32", "lshlrev", 2},   {"v_lshrrev_b32", "lshrrev", 2},
    {"v_ashrrev_i32", "ashrrev", 2},   {"v_and_b32", "and", 2},           {"v_or_b32", "or", 2},
    {"v_xor_b32", "xor", 2},           {"v_mov_b32", "mov", 1},           {"v_min_u32", "min", 2},
    {"v_max_u32", "max", 2},           {"v_bfe_u32", "bfe", 3},           {"v_bfi_b32", "bfi", 3},
    {"v_lshl_add_u32", "lshl_add", 3}, {"v_add_lshl_u32", "add_lshl", 3}, {"v_lshl_or_b32", "lshl_or", 3},
    {"v_and_or_b32", "and_or", 3},     {"v_or3_b32", "or3", 3},           {"v_add3_u32", "add3", 3},
    {"v_xad_u32", "xad", 3},           {"v_mad_u32_u24", "mad24", 3},     {"v_add_u16", "add16", 2},
    {"v_lshlrev_b16", "lshlrev16", 2}};

bool compare(StringRef name, uint32_t a, uint32_t b) {
  const bool isSigned = name.ends_with("i32");
  const int64_t x = isSigned ? int64_t(int32_t(a)) : int64_t(a), y = isSigned ? int64_t(int32_t(b)) : int64_t(b);
  if (name.contains("_eq_"))
    return x == y;
  if (name.contains("_lg_") || name.contains("_ne_"))
    return x != y;
  if (name.contains("_lt_"))
    return x < y;
  if (name.contains("_le_"))
    return x <= y;
  if (name.contains("_gt_"))
    return x > y;
  return x >= y;
}

void Interpreter::run(const Line &line, Access &touched) {
  StringRef name = line.name;
  auto first = [&] { return w.exec ? unsigned(countr_zero(w.exec)) : 0u; };
  if (name.starts_with("s_cbranch") || name == "s_branch") {
    if (name == "s_branch" || (name == "s_cbranch_scc1" && w.scc) || (name == "s_cbranch_scc0" && !w.scc) ||
        (name == "s_cbranch_execz" && w.exec == 0) || (name == "s_cbranch_vccz" && w.vcc == 0) ||
        (name == "s_cbranch_vccnz" && w.vcc != 0))
      at = labels[line.label];
  } else if (name.starts_with("s_cmp_")) {
    w.scc = compare(name, get(line.from[0]), get(line.from[1]));
  } else if (name == "s_load_dword" && !line.from.empty()) {
    // Any memory that doesn't change.
    w.scalar[line.to.value] = (get(line.from[0]) * 0x9e3779b1) >> 16 & 0x3f00;
  } else if (name == "s_cselect_b32") {
    w.scalar[line.to.value] = w.scc ? get(line.from[0]) : get(line.from[1]);
  } else if (name == "s_mov_b32 m0") {
    w.m0 = get(line.from[0]);
  } else if (name == "s_add_i32 m0") {
    const int64_t sum = int64_t(int32_t(get(line.from[0]))) + int32_t(get(line.from[1]));
    w.m0 = uint32_t(sum);
    w.scc = sum != int32_t(sum);
  } else if (name == "s_mov_b64") {
    w.flags[line.offset] = get(line.from[0]) ? ~0ull : 0;
  } else if (name == "s_andn2_b64 vcc") {
    w.vcc = w.exec & ~w.flags[line.offset];
    w.scc = w.vcc != 0;
  } else if (name == "s_and_b64 vcc") {
    w.vcc = w.exec & w.flags[line.offset];
    w.scc = w.vcc != 0;
  } else if (name == "v_readfirstlane_b32") {
    w.scalar[line.to.value] = get(line.from[0], first());
  } else if (name.starts_with("v_cmp_")) {
    w.vcc = 0;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (w.exec >> lane & 1 && compare(name, get(line.from[0], lane), get(line.from[1], lane)))
        w.vcc |= 1ull << lane;
  } else if (name == "v_cndmask_b32") {
    const uint64_t mask = line.offset ? uint64_t(w.scalar[31]) << 32 | w.scalar[30] : w.vcc;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (w.exec >> lane & 1)
        w.vector[line.to.value][lane] = mask >> lane & 1 ? get(line.from[1], lane) : get(line.from[0], lane);
  } else if (name.starts_with("v_permlane")) {
    const unsigned width = name.contains("16") ? 16 : 32;
    for (unsigned even = 0; even < Lanes; ++even)
      if (const unsigned odd = even + width; even / width % 2 == 0 && w.exec >> even & 1 && w.exec >> odd & 1)
        std::swap(w.vector[line.to.value][odd], w.vector[line.from[0].value][even]);
  } else if (name == "s_and_saveexec_b64") {
    w.saved[line.offset] = w.exec;
    w.exec &= w.vcc;
    w.scc = w.exec != 0;
  } else if (name == "s_or_b64 exec") {
    w.exec |= w.saved[line.offset];
    w.scc = w.exec != 0;
  } else if (name == "s_xor_b64 exec") {
    w.exec ^= w.saved[line.offset];
    w.scc = w.exec != 0;
  } else if (name.starts_with("buffer_load")) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (w.exec >> lane & 1)
        touched.bytes.push_back({(w.m0 & ldsMask) + line.offset + 4 * lane, 4});
  } else if (name.starts_with("ds_")) {
    const bool pair = name.contains("2st64");
    const uint32_t size = name.ends_with("b128") ? 16 : name.ends_with("u8") ? 1 : 4;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (w.exec >> lane & 1) {
        touched.bytes.push_back({get(line.from[0], lane) + (pair ? 256 * line.offset : line.offset), size});
        if (pair)
          touched.bytes.push_back({get(line.from[0], lane) + 256 * line.offset2, size});
      }
  } else if (name.starts_with("s_")) {
    const Mnemonic *m = find_if(scalars, [&](const Mnemonic &candidate) { return name == candidate.text; });
    if (m == std::end(scalars))
      return;
    const uint32_t a = get(line.from[0]), b = m->sources > 1 ? get(line.from[1]) : 0;
    const uint32_t result = alu(m->operation, a, b, 0);
    StringRef op = m->operation;
    w.scalar[line.to.value] = result;
    if (op == "add")
      w.scc = name == "s_add_u32" ? result < a : (int64_t(int32_t(a)) + int32_t(b)) != int32_t(result);
    else if (op == "sub")
      w.scc = (int64_t(int32_t(a)) - int32_t(b)) != int32_t(result);
    else if (op == "min")
      w.scc = a < b;
    else if (op == "max")
      w.scc = a > b;
    else if (op == "min_i")
      w.scc = int32_t(a) < int32_t(b);
    else if (op == "lshl2_add")
      w.scc = (uint64_t(a) << 2) + b > ~0u;
    else if (op != "mov" && op != "mul" && !op.starts_with("mul_hi"))
      w.scc = result != 0;
  } else if (name.starts_with("v_")) {
    const Mnemonic *m = find_if(vectors, [&](const Mnemonic &candidate) { return name == candidate.text; });
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (w.exec >> lane & 1)
        w.vector[line.to.value][lane] =
            alu(m->operation, get(line.from[0], lane), m->sources > 1 ? get(line.from[1], lane) : 0,
                m->sources > 2 ? get(line.from[2], lane) : 0);
  }
}

/// Arguments are in s16 to s19, loop counters in s24 to s26, masks in s[30:31]; s4 to s15 and v1 to v15 are anything's.
class Generator {
public:
  Generator(unsigned seed, bool swaps) : random(seed), swaps(swaps) {}
  std::vector<Line> lines;

  void program() {
    for (unsigned i = 0; i < 4; ++i) {
      lines.push_back({"s_load_dword", s(16 + i), {}, 0, 8 * i});
    }
    lines.push_back({"s_waitcnt lgkmcnt(0)", {}, {}});
    for (unsigned i = 4; i < 16; ++i)
      emit("s_mov_b32", s(i), {number(one({0, 0, 1, 2, 0x400, 0x1000, 0x2000, 0x800}))});
    emit("v_lshlrev_b32", v(1), {number(2), v(0)});
    for (unsigned i = 2; i < 16; ++i)
      emit("v_and_b32", v(i), {number(one({63, 255, 0xf8, 7})), v(0)});
    for (unsigned left = below(6) + 6; left; --left) {
      if (below(8) == 0)
        countedLoop();
      if (below(8) == 0)
        states();
      statements(1, 0);
      if (below(3) == 0)
        lines.push_back({"s_barrier", {}, {}});
    }
  }

private:
  static constexpr unsigned deepest = 7;
  std::mt19937 random;
  const bool swaps; ///< the chip has v_permlane*_swap
  unsigned labelCount = 0, masks = 0;

  unsigned below(unsigned n) { return random() % n; }
  uint32_t one(std::initializer_list<uint32_t> values) { return *(values.begin() + below(values.size())); }
  void emit(std::string name, Operand to, std::vector<Operand> from) {
    lines.push_back({std::move(name), to, std::move(from)});
  }
  Operand anyS() { return s(4 + below(12)); }
  Operand anyV() { return v(below(16)); }
  Operand small() { return number(one({1, 2, 3, 4, 6, 8, 12})); }
  Operand step() { return number(one({1, 2, 3, 64, 0x100, 0x400, 0x800, 0x1000, 0xfffff800, 0xffffffff, 0x2000})); }
  Operand mask() {
    return number(one({1, 3, 7, 0x3f, 0xf8, 0x800, 0x1800, 0xc00, 0x1fff, 0x3fff, 0xffffff00, 0xffff, 0x3c0}));
  }

  void scalarOp() {
    const Operand to = anyS(), a = below(6) ? anyS() : s(16 + below(4));
    const Operand counter = s(24 + below(3));
    switch (below(14)) {
    case 13: return emit("s_load_dword", to, {below(2) ? a : counter});
    case 0: return emit("s_and_b32", to, {below(3) ? a : counter, mask()});
    case 1: return emit("s_add_i32", to, {a, step()});
    case 2: return emit("s_xor_b32", to, {a, mask()});
    case 3: return emit("s_lshl_b32", to, {below(2) ? a : counter, small()});
    case 4: return emit("s_lshr_b32", to, {a, small()});
    case 5: return emit("s_add_i32", to, {a, below(2) ? anyS() : counter});
    case 6: return emit("s_mov_b32", to, {below(3) ? anyS() : counter});
    case 7: {
      if (below(2)) {
        emit("s_mul_hi_u32", to, {below(2) ? a : counter, number(one({0xaaaaaaab, 0xcccccccd}))});
        emit("s_lshr_b32", to, {to, number(below(3))});
      } else {
        emit("s_mul_hi_i32", to, {below(2) ? a : counter, number(one({0x55555556, 0x66666667, 0x92492493}))});
        emit("s_ashr_i32", to, {to, number(below(3))});
      }
      return;
    }
    case 8: return emit("s_bfe_u32", to, {a, number(one({0x10000, 0x2000a, 0x1000b, 0x30006}))});
    case 9:
      emit("s_cmp_" + std::string(below(2) ? "lg" : "lt") + "_u32", {}, {a, number(one({1, 2, 3, 0x1000}))});
      return emit("s_cselect_b32", to, {anyS(), below(2) ? anyS() : number(0)});
    case 10: return emit("v_readfirstlane_b32", to, {anyV()});
    default: {
      const Mnemonic &m = scalars[below(std::size(scalars))];
      std::vector<Operand> from{a};
      if (m.sources > 1)
        from.push_back(below(2) ? anyS() : StringRef(m.operation) == "bfe_s" ? number(0x2000a) : small());
      return emit(m.text, to, from);
    }
    }
  }
  void vectorOp() {
    const Operand to = v(1 + below(15)), a = anyV();
    if (swaps && below(4) == 0)
      return swapOrSelect(to, 1 + below(15));
    switch (below(9)) {
    case 0: return emit("v_and_b32", to, {mask(), a});
    case 1: return emit("v_add_u32", to, {anyS(), a});
    case 2: return emit("v_lshlrev_b32", to, {small(), a});
    case 3: return emit("v_xor_b32", to, {below(2) ? mask() : anyS(), a});
    case 4: return emit("v_lshl_or_b32", to, {a, small(), anyS()});
    case 5: return emit("v_add_u32", to, {step(), a});
    case 6: return emit("v_xor_b32", to, {anyV(), a});
    default: {
      const Mnemonic &m = vectors[below(std::size(vectors))];
      std::vector<Operand> from{m.sources > 2 || below(2) ? anyV() : small()};
      if (m.sources > 1)
        from.push_back(m.sources > 2 && below(2) ? small() : anyV());
      if (m.sources > 2)
        from.push_back(below(3) ? anyV() : small());
      return emit(m.text, to, from);
    }
    }
  }
  /// What lanes of a pattern have, or rows of lanes.
  void swapOrSelect(Operand to, unsigned other) {
    if (below(2)) {
      for (unsigned half = 0; half < 2; ++half)
        emit("s_mov_b32", s(30 + half),
             {number(one({0, ~0u, 0xff00ff00, 0xffff0000, 0xf0f0f0f0, 0x0ff0f00f, 0x1234}))});
      lines.push_back({"v_cndmask_b32", to, {anyV(), v(other)}, 0, 1});
    } else if (other != to.value) {
      emit(below(2) ? "v_permlane16_swap_b32" : "v_permlane32_swap_b32", to, {v(other)});
    }
  }
  void access() {
    Line line;
    switch (below(4)) {
    case 0:
    case 1:
      if (below(3) == 0) {
        // Slots of 256 bytes, by a counter.
        const Operand slot = s(15);
        emit("s_lshl_b32", slot, {below(2) ? s(24 + below(3)) : anyS(), number(8)});
        emit("s_mov_b32 m0", {}, {slot});
      } else if (below(3))
        emit("s_mov_b32 m0", {}, {anyS()});
      else
        emit("s_add_i32 m0", {}, {anyS(), step()});
      line.name = "buffer_load_dword";
      line.offset = one({0, 0, 16, 256, 1024});
      break;
    default:
      if (below(2)) {
        // An address that people would write.
        emit("v_and_b32", v(15), {number(one({0x3ff, 0xfff, 0x7f8, 0x1fff})), anyV()});
        emit("v_add_u32", v(15), {anyS(), v(15)});
      }
      line.name = std::vector<std::string>{"ds_read_b32", "ds_read_b128", "ds_read_u8", "ds_read2st64_b32"}[below(4)];
      line.from = {below(2) ? v(15) : anyV()};
      line.offset = line.name == "ds_read2st64_b32" ? below(8) : one({0, 0, 1024, 4096, 8192});
      line.offset2 = below(16);
      break;
    }
    lines.push_back(line);
  }
  void advance() {
    // How buffers go round.
    const unsigned r = 4 + below(12), q = 4 + below(12), t = 4 + below(12);
    switch (below(4)) {
    case 0: return emit("s_xor_b32", s(r), {s(r), number(one({1, 0x400, 0x1000}))});
    case 1:
      emit("s_add_i32", s(t), {s(r), number(1)});
      emit("s_cmp_lg_u32", {}, {s(r), number(one({1, 2, 3}))});
      return emit("s_cselect_b32", s(r), {s(t), number(0)});
    case 2:
      emit("s_mov_b32", s(t), {s(r)});
      emit("s_mov_b32", s(r), {s(q)});
      return emit("s_mov_b32", s(q), {s(t)});
    default: return emit("s_add_i32", s(r), {s(r), step()});
    }
  }
  /// Bytes of the wave's own, from a scalar.
  void ownAccess(Operand from) {
    emit("v_lshlrev_b32", v(15), {number(2), v(0)});
    emit("v_add_u32", v(15), {from, v(15)});
    lines.push_back({"ds_read_b32", {}, {v(15)}, 0, one({0, 0, 256})});
  }
  /// A loop with a counter that addresses in it and after it are made of, left by the number of the wave or by an
  /// argument; it may have another exit, by the other.
  void countedLoop() {
    const unsigned label = ++labelCount, out = ++labelCount;
    const Operand counter = anyS(), byWave = s(20), byArgument = s(21);
    const bool hasTwoExits = below(3) == 0, isByWave = below(2);
    emit("v_readfirstlane_b32", byWave, {v(0)});
    emit("s_lshr_b32", byWave, {byWave, number(6)});
    emit("s_and_b32", byArgument, {s(16 + below(4)), number(3)});
    emit("s_mov_b32", counter, {number(0x1000)});
    lines.push_back({"label", {}, {}, label});
    emit("s_add_i32", counter, {counter, number(one({0x100, 0xffffff00, 0x200, 0xffffff80}))});
    ownAccess(counter);
    statements(below(2), deepest);
    for (Operand end : {isByWave ? byArgument : byWave, isByWave ? byWave : byArgument}) {
      const bool isLast = (end.value == byWave.value) == isByWave;
      if (!isLast && !hasTwoExits)
        continue;
      emit("s_sub_i32", end, {end, number(1)});
      emit("s_cmp_gt_i32", {}, {end, number(0)});
      lines.push_back({isLast ? "s_cbranch_scc1" : "s_cbranch_scc0", {}, {}, isLast ? label : out});
    }
    lines.push_back({"label", {}, {}, out});
    if (below(3) == 0)
      emit("s_load_dword", counter, {counter});
    if (below(2))
      ownAccess(counter);
    lines.push_back({"s_barrier", {}, {}});
    ownAccess(counter);
  }
  /// Goes round among states. A register keeps as a number which comes next, from the end of one to where the next is
  /// chosen. Some lead straight into another, and the first may be entered without the number: then it is no natural
  /// loop.
  void states() {
    const unsigned count = 2 + below(3), choose = ++labelCount, join = ++labelCount;
    const Operand next = s(28), left = s(29);
    SmallVector<unsigned, 4> labels;
    for (unsigned i = 0; i < count; ++i)
      labels.push_back(++labelCount);
    emit("s_and_b32", left, {s(16 + below(4)), number(7)});
    emit("s_mov_b32", next, {below(4) ? number(below(count)) : s(16 + below(4))});
    if (below(2)) {
      emit("s_cmp_lt_u32", {}, {anyS(), number(one({1, 2, 0x800}))});
      lines.push_back({"s_cbranch_scc1", {}, {}, labels[below(count)]});
    }
    lines.push_back({"label", {}, {}, choose});
    for (unsigned i = 0; i + 1 < count; ++i) {
      emit("s_cmp_eq_u32", {}, {next, number(i)});
      lines.push_back({"s_cbranch_scc1", {}, {}, labels[i]});
    }
    for (unsigned i = count; i-- > 0;) {
      lines.push_back({"label", {}, {}, labels[i]});
      statements(1 + below(2), deepest);
      if (below(4))
        emit("s_mov_b32", next, {number(below(count))});
      else if (below(2))
        emit("s_and_b32", next, {anyS(), number(1)});
      if (below(3))
        lines.push_back({"s_branch", {}, {}, join});
    }
    lines.push_back({"label", {}, {}, join});
    statements(1, deepest);
    emit("s_sub_i32", left, {left, number(1)});
    emit("s_cmp_gt_i32", {}, {left, number(0)});
    lines.push_back({"s_cbranch_scc1", {}, {}, below(3) ? choose : labels[below(count)]});
  }
  void statements(unsigned count, unsigned depth) {
    constexpr unsigned simple = 9; // statements without others inside come first
    while (count--)
      switch (below(depth < deepest ? 14 : simple)) {
      case 0:
      case 1:
      case 2: scalarOp(); break;
      case 3:
      case 4: vectorOp(); break;
      case 5:
      case 6:
      case 7: access(); break;
      case 8: advance(); break;
      case 9: {
        if (depth >= 3) {
          access();
          break;
        }
        const unsigned label = ++labelCount, end = s(0).value + 20 + depth;
        if (below(3))
          emit("s_mov_b32", s(24 + depth), {number(below(3))});
        if (below(4) == 0) {
          // As often as the wave's number says.
          emit("v_readfirstlane_b32", s(end), {v(0)});
          emit("s_lshr_b32", s(end), {s(end), number(6)});
        } else {
          emit("s_and_b32", s(end), {s(16 + below(4)), number(one({1, 3, 7}))});
        }
        const bool isEnteredInside = below(4) == 0;
        const unsigned middle = ++labelCount;
        if (isEnteredInside) {
          emit("s_cmp_lt_u32", {}, {anyS(), number(one({1, 2, 0x800}))});
          lines.push_back({"s_cbranch_scc1", {}, {}, middle});
          if (below(2))
            statements(1, deepest);
        }
        lines.push_back({"label", {}, {}, label});
        statements(3 + below(7), depth + 1);
        if (isEnteredInside) {
          lines.push_back({"label", {}, {}, middle});
          statements(1 + below(4), depth + 1);
        }
        emit("s_add_i32", s(24 + depth), {s(24 + depth), number(one({1, 1, 1, 2, 0x800}))});
        emit("s_sub_i32", s(end), {s(end), number(1)});
        emit("s_cmp_gt_i32", {}, {s(end), number(0)});
        lines.push_back({"s_cbranch_scc1", {}, {}, label});
        break;
      }
      case 11: {
        // A uniform if with an else, as compilers leave it: the condition again, as a mask of lanes.
        const unsigned label = ++labelCount, end = ++labelCount, flag = depth;
        lines.push_back({"s_mov_b64", {}, {number(~0u)}, 0, flag});
        emit(std::string("s_cmp_") + (below(2) ? "eq" : "lt") + "_u32", {},
             {below(2) ? anyS() : s(24 + below(3)), number(one({0, 1, 2, 0x800}))});
        lines.push_back({below(2) ? "s_cbranch_scc1" : "s_cbranch_scc0", {}, {}, label});
        statements(1 + below(2), depth + 1);
        lines.push_back({"s_mov_b64", {}, {number(0)}, 0, flag});
        lines.push_back({"label", {}, {}, label});
        if (below(3) == 0)
          statements(1, depth + 1);
        lines.push_back({below(2) ? "s_andn2_b64 vcc" : "s_and_b64 vcc", {}, {}, 0, flag});
        lines.push_back({below(2) ? "s_cbranch_vccnz" : "s_cbranch_vccz", {}, {}, end});
        statements(1 + below(2), depth + 1);
        lines.push_back({"label", {}, {}, end});
        if (below(2))
          access();
        break;
      }
      case 10: {
        const unsigned label = ++labelCount;
        emit(std::string("s_cmp_") + (below(2) ? "eq" : "lt") + "_u32", {},
             {below(2) ? anyS() : s(24 + below(3)), number(one({0, 1, 2, 0x800}))});
        lines.push_back({below(2) ? "s_cbranch_scc1" : "s_cbranch_scc0", {}, {}, label});
        statements(1 + below(3), depth + 1);
        if (below(2)) {
          const unsigned other = ++labelCount;
          lines.push_back({"s_branch", {}, {}, other});
          lines.push_back({"label", {}, {}, label});
          statements(1 + below(3), depth + 1);
          lines.push_back({"label", {}, {}, other});
        } else {
          lines.push_back({"label", {}, {}, label});
        }
        break;
      }
      default: {
        if (masks == 4) {
          vectorOp();
          break;
        }
        const unsigned mask = masks++, label = ++labelCount;
        emit("v_cmp_gt_u32", {}, {number(one({1, 16, 40, 64, 100})), anyV()});
        if (below(3) == 0) {
          emit("v_cndmask_b32", v(1 + below(15)), {anyV(), anyV()});
          --masks;
          break;
        }
        lines.push_back({"s_and_saveexec_b64", {}, {}, 0, mask});
        const bool skips = below(2);
        if (skips)
          lines.push_back({"s_cbranch_execz", {}, {}, label});
        if (below(2))
          emit("v_and_b32", v(15), {number(one({0x3ff, 0xfff, 0x7f8})), anyV()});
        if (below(2))
          emit("v_readfirstlane_b32", anyS(), {below(2) ? v(15) : anyV()});
        statements(1 + below(4), depth + 1);
        if (below(3) == 0) {
          lines.push_back({"s_xor_b64 exec", {}, {}, 0, mask});
          statements(1 + below(2), depth + 1);
        }
        lines.push_back({"label", {}, {}, label});
        lines.push_back({"s_or_b64 exec", {}, {}, 0, mask});
        --masks;
        if (below(2))
          lines.push_back({"ds_read_b32", {}, {v(15)}, 0, 0});
        break;
      }
      }
  }
};

std::string textOf(const Line &line) {
  StringRef name = line.name;
  auto label = [&] { return "l" + std::to_string(line.label); };
  const std::string saved =
      "s[" + std::to_string(40 + 2 * line.offset) + ":" + std::to_string(41 + 2 * line.offset) + "]";
  if (name == "label")
    return label() + ":";
  if (name.starts_with("s_cbranch") || name == "s_branch")
    return line.name + " " + label();
  if (name == "s_load_dword" && !line.from.empty())
    return line.name + " " + line.to.text() + ", s[0:1], " + line.from[0].text();
  if (name == "s_load_dword")
    return line.name + " " + line.to.text() + ", s[0:1], " + std::to_string(line.offset);
  if (name == "s_and_saveexec_b64")
    return line.name + " " + saved + ", vcc";
  if (name == "s_or_b64 exec" || name == "s_xor_b64 exec")
    return line.name + ", exec, " + saved;
  const std::string flag =
      "s[" + std::to_string(60 + 2 * line.offset) + ":" + std::to_string(61 + 2 * line.offset) + "]";
  if (name == "s_mov_b64")
    return line.name + " " + flag + ", " + (line.from[0].value ? "-1" : "0");
  if (name.ends_with("_b64 vcc"))
    return line.name + ", exec, " + flag;
  if (name.starts_with("buffer_load"))
    return line.name + " v1, s[96:99], 0 offen offset:" + std::to_string(line.offset) + " lds";
  if (name.contains("2st64"))
    return line.name + " v[20:21], " + line.from[0].text() + " offset0:" + std::to_string(line.offset) +
           " offset1:" + std::to_string(line.offset2);
  if (name.starts_with("ds_"))
    return line.name + (name.ends_with("b128") ? " v[20:23], " : " v20, ") + line.from[0].text() +
           " offset:" + std::to_string(line.offset);
  std::string text = line.name, separator = " ";
  if (name.ends_with(" m0"))
    separator = ", ";
  else if (name.starts_with("v_cmp"))
    text += " vcc", separator = ", ";
  else if (!name.starts_with("s_cmp") && name != "s_waitcnt lgkmcnt(0)" && name != "s_barrier")
    text += " " + line.to.text(), separator = ", ";
  for (const Operand &operand : line.from) {
    text += separator + operand.text();
    separator = ", ";
  }
  if (name == "v_cndmask_b32")
    text += line.offset ? ", s[30:31]" : ", vcc";
  return text;
}

struct Noted {
  Region region;
  Access access;
};

bool meet(const Access &a, const Access &b) {
  for (auto [x, xs] : a.bytes)
    for (auto [y, ys] : b.bytes)
      if (uint64_t(x) < uint64_t(y) + ys && uint64_t(y) < uint64_t(x) + xs)
        return true;
  return false;
}

/// What a wave did before a barrier that stands outside of loops and conditions, and from there to the next.
struct Meeting {
  uint32_t phase; ///< phase block of the barrier
  std::vector<Noted> before;
  std::vector<std::pair<uint32_t, uint32_t>> edges; ///< between phase blocks, in order
  std::vector<std::pair<size_t, Noted>> after;      ///< how many edges come before, access
};

/// One wave's path through the phases.
struct Path {
  std::vector<Meeting> meetings;
  std::vector<std::pair<uint32_t, uint32_t>> path; ///< phase block, instruction
  std::vector<Access> accesses;                    ///< of each
};

/// Counts the pairs that are disjoint of what one wave did before a barrier and another does after it; the first that
/// meet all the same.
std::optional<std::pair<Noted, Noted>> findMeeting(const LdsMap &map, const Meeting &mine, const Meeting &theirs,
                                                   unsigned &disjoint) {
  std::vector<Noted> late = mine.before;
  size_t edge = 0;
  for (const auto &[edges, access] : theirs.after) {
    for (; edge < edges; ++edge)
      for (Noted &one : late)
        one.region = map.across(one.region, theirs.edges[edge].first, theirs.edges[edge].second);
    for (const Noted &one : late)
      if (map.overlap(one.region, access.region, Between::OtherWave) == Overlap::No) {
        ++disjoint;
        if (meet(one.access, access.access))
          return std::pair(one, access);
      }
  }
  return std::nullopt;
}

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, WhatIsDisjointIsDisjoint) {
  unsigned disjoint = 0, pairs = 0, otherDisjoint = 0, afterBarriers = 0;
  for (unsigned seed = 100 * GetParam(); seed < 100 * GetParam() + 100; ++seed) {
    const bool isLater = seed / 2 % 2;
    Generator generator(seed, isLater);
    generator.program();
    std::string text;
    std::vector<uint32_t> instructionOf;
    for (const Line &line : generator.lines)
      text += textOf(line) + "\n";
    const bool areWavesWhole = seed % 2;
    Listing k = Listing::ofKernel(text, 256, isLater ? "gfx950" : "gfx942", areWavesWhole);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "seed " << seed << "\n" << text;
      return;
    }
    std::vector<uint32_t> blockOf(k.program->instructions().size());
    for (uint32_t b = 0; b < k.program->blocks().size(); ++b)
      for (uint32_t i = k.program->blocks()[b].begin; i < k.program->blocks()[b].end; ++i)
        blockOf[i] = b;
    std::vector<uint32_t> indexOf;
    uint32_t index = 0;
    for (const Line &line : generator.lines)
      indexOf.push_back(line.name == "label" ? index : index++);

    for (unsigned input = 0; input < 3; ++input) {
      std::vector<Path> runs;
      for (unsigned wave : {0u, 1u, 3u}) {
        std::mt19937 random(seed * 7 + input);
        Wave start;
        for (uint32_t i = 0; i < 4; ++i)
          start.scalar[16 + i] = input == 0 ? i + 3 : input == 1 ? random() % 64 : random();
        for (unsigned i = 24; i < 27; ++i)
          start.scalar[i] = random();
        for (unsigned lane = 0; lane < Lanes; ++lane)
          start.vector[0][lane] = 64 * wave + lane;
        Interpreter interpreter(generator.lines, start, isLater ? 0x3ffff : 0xffff);
        Path run;
        std::deque<Noted> noted;
        uint32_t phase = ~0u, last = ~0u;
        SmallVector<uint32_t, 16> path; ///< the last phase blocks
        for (unsigned steps = 0; steps < 1500; ++steps) {
          Access access;
          size_t at = interpreter.position();
          while (at < generator.lines.size() && generator.lines[at].name == "label")
            ++at;
          if (!interpreter.step(access))
            break;
          const uint32_t instruction = access.index = indexOf[at], block = blockOf[instruction];
          if (last == ~0u) {
            for (phase = 0; k.map->blocks()[phase].block != block; ++phase)
              ;
          } else if (instruction != last + 1 || blockOf[last] != block) {
            uint32_t next = ~0u;
            for (const PhaseEdge &edge : k.map->blocks()[phase].successors)
              if (k.map->blocks()[edge.block].block == block) {
                ASSERT_TRUE(next == ~0u || next == edge.block) << "seed " << seed << ": two paths\n" << text;
                next = edge.block;
              }
            ASSERT_NE(next, ~0u) << "seed " << seed << ": no path from " << k.program->text(last) << " to "
                                 << k.program->text(instruction) << "\n"
                                 << text;
            for (Noted &one : noted)
              one.region = k.map->across(one.region, phase, next);
            if (!run.meetings.empty())
              run.meetings.back().edges.push_back({phase, next});
            phase = next;
            path.push_back(phase);
            if (path.size() > 30)
              path.erase(path.begin());
            ASSERT_TRUE(k.map->isPossible(path))
                << "seed " << seed << " input " << input << ": comes to " << k.program->text(instruction) << "\n"
                << text;
          }
          last = instruction;
          StringRef name = interpreter.instruction.name;
          if (name == "s_barrier")
            run.meetings.push_back({phase, {noted.begin(), noted.end()}, {}, {}});
          if (!name.starts_with("buffer_load") && !name.starts_with("ds_"))
            continue;
          const Region region = k.map->region(phase, instruction);
          run.path.push_back({phase, instruction});
          run.accesses.push_back(access);
          for (const Noted &one : noted) {
            ++pairs;
            if (k.map->overlap(one.region, region) == Overlap::No) {
              ++disjoint;
              ASSERT_FALSE(meet(one.access, access))
                  << "seed " << seed << " input " << input << " wave " << wave << ": "
                  << k.program->text(one.access.index) << " [" << k.map->describe(one.region) << "] and "
                  << k.program->text(instruction) << " [" << k.map->describe(region) << "]\n"
                  << text;
            }
          }
          noted.push_back({region, access});
          if (!run.meetings.empty())
            run.meetings.back().after.push_back({run.meetings.back().edges.size(), noted.back()});
          if (noted.size() > 12)
            noted.pop_front();
        }
        runs.push_back(std::move(run));
      }
      // Waves that meet at barriers, however they came there.
      for (const Path &mine : runs)
        for (const Path &theirs : runs)
          for (size_t i = 0; &mine != &theirs && i < std::min(mine.meetings.size(), theirs.meetings.size()); ++i) {
            ASSERT_EQ(mine.meetings[i].phase, theirs.meetings[i].phase) << "seed " << seed << " input " << input << "\n"
                                                                        << text;
            const auto met = findMeeting(*k.map, mine.meetings[i], theirs.meetings[i], afterBarriers);
            ASSERT_FALSE(met) << "seed " << seed << " input " << input << " waves " << &mine - runs.data() << " and "
                              << &theirs - runs.data() << ", barrier " << i << ": "
                              << k.program->text(met->first.access.index) << " [" << k.map->describe(met->first.region)
                              << "] and " << k.program->text(met->second.access.index) << " ["
                              << k.map->describe(met->second.region) << "]\n"
                              << text;
          }
      // Waves that took the same path, at the same point of it.
      for (unsigned a = 0; a < runs.size(); ++a)
        for (unsigned b = 0; b < runs.size(); ++b)
          if (a != b && runs[a].path == runs[b].path)
            for (size_t i = 0; i < runs[a].path.size(); ++i) {
              auto [block, instruction] = runs[a].path[i];
              const Region region = k.map->region(block, instruction);
              if (k.map->overlap(region, region, Between::OtherWave) == Overlap::No) {
                ++otherDisjoint;
                ASSERT_FALSE(meet(runs[a].accesses[i], runs[b].accesses[i]))
                    << "seed " << seed << ": " << k.program->text(instruction) << "\n"
                    << text;
              }
            }
    }
  }
  // Most random accesses can't be shown not to alias; enough can for this test to say something.
  RecordProperty("disjoint", disjoint);
  std::printf("%u pairs, %u disjoint, %u disjoint between waves, %u after barriers\n", pairs, disjoint, otherDisjoint,
              afterBarriers);
  EXPECT_GT(disjoint, pairs / 50);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0u, 4u));

} // namespace
} // namespace inflight::values
