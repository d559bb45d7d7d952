#include "machine/debug/ValueText.h"

#include "support/files/Npy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>

using namespace llvm;

namespace inflight::machine::debug {

static std::string hex(uint64_t bits, unsigned digits) {
  std::string text;
  raw_string_ostream(text) << format_hex_no_prefix(bits, digits);
  return text;
}

/// The digits that tell a type's values apart.
static int digitsOf(StringRef type) { return type == "f16" ? 5 : 4; }

std::string elementText(StringRef type, uint64_t bits, unsigned bytes) {
  if (type.empty())
    return hex(bits, 2 * bytes);
  if (type.starts_with("u") || type == "index" || type == "i1")
    return std::to_string(bits);
  if (type.starts_with("i"))
    return std::to_string(SignExtend64(bits, 8 * bytes));
  Array element{type.str(), {1}, std::vector<uint8_t>(bytes)};
  std::memcpy(element.bytes.data(), &bits, bytes);
  const double value = elementAsDouble(element, 0);
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char text[32];
  const std::to_chars_result end =
      bytes == 8   ? std::to_chars(text, std::end(text), value)
      : bytes == 4 ? std::to_chars(text, std::end(text), float(value))
                   : std::to_chars(text, std::end(text), value, std::chars_format::general, digitsOf(type));
  return std::string(text, end.ptr);
}

std::string registerText(const Value &value, unsigned lane) {
  const unsigned stride = value.kind == Value::Kind::Vector ? Lanes : 1, count = value.registers.count;
  auto dword = [&](unsigned i) { return value.dword(size_t(i) * stride + (stride > 1 ? lane : 0)); };
  std::string text = value.name + " = ";
  if (count <= 2)
    return text + "0x" + hex(count == 1 ? dword(0) : dword(0) | uint64_t(dword(1)) << 32, 8 * count);
  text += "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", 0x" : "0x") + hex(dword(i), 8);
  return text + "}";
}

namespace {

/// A line of cells of the same width, as many as fit: a power of two.
class Table {
public:
  Table(raw_ostream &os, const TableStyle &style) : os(os), style(style) {}

  void add(std::string cell, bool isDim = false) { cells.push_back({std::move(cell), isDim}); }
  /// `label` makes what stands before the cell with that number.
  void write(function_ref<std::string(size_t)> label) {
    size_t width = 0, labelWidth = 0;
    for (const auto &[text, isDim] : cells)
      width = std::max(width, text.size());
    for (size_t i : {size_t(0), cells.size() - 1})
      labelWidth = std::max(labelWidth, label(i).size());
    const size_t room = style.columns > labelWidth ? style.columns - labelWidth : 1;
    const size_t inRow = std::min<size_t>(Lanes, bit_floor(std::max<size_t>(1, room / (width + 1))));
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i % inRow == 0)
        os << (i ? "\n" : "") << label(i);
      os << std::string(1 + width - cells[i].first.size(), ' ');
      if (cells[i].second && style.hasColour)
        os.changeColor(raw_ostream::BRIGHT_BLACK) << cells[i].first, os.resetColor();
      else
        os << cells[i].first;
    }
    os << '\n';
  }

private:
  raw_ostream &os;
  TableStyle style;
  std::vector<std::pair<std::string, bool>> cells;
};

/// What a vector register, or two of them, hold as elements of one type: element `part` of each lane.
struct LaneElements {
  std::string name;
  uint64_t bits[Lanes];
  unsigned bytes;
};

LaneElements elementsOf(const Value &value, unsigned first, unsigned bytes, unsigned part) {
  LaneElements elements;
  elements.bytes = bytes;
  elements.name = regName({RegUnit(value.registers.first + first), uint16_t(std::max(1u, bytes / 4))});
  if (bytes < 4) // as LLVM names halves; bytes by number
    elements.name += bytes == 2 ? (part ? ".h" : ".l") : "." + std::to_string(part);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    uint64_t all = value.dword(size_t(first) * Lanes + lane);
    if (bytes == 8)
      all |= uint64_t(value.dword(size_t(first + 1) * Lanes + lane)) << 32;
    elements.bits[lane] = all >> (8 * bytes * part) & maskTrailingOnes<uint64_t>(8 * bytes);
  }
  return elements;
}

/// "v2   all: 00000040", "v0   all: 00000000 + 4 * lane".
bool writeBrief(raw_ostream &os, const LaneElements &elements, StringRef type) {
  const uint64_t mask = maskTrailingOnes<uint64_t>(8 * elements.bytes), first = elements.bits[0],
                 step = (elements.bits[1] - first) & mask;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (elements.bits[lane] != ((first + lane * step) & mask))
      return false;
  // Floats don't rise so, and small steps are those of indices and addresses.
  constexpr uint64_t largest = 1 << 20;
  if (step && (step > largest || (!type.empty() && !type.starts_with("i") && !type.starts_with("u"))))
    return false;
  os << formatv(elements.bytes == 4 ? "{0,-4}all: {1}" : "{0,-7}all: {1}", elements.name,
                elementText(type, first, elements.bytes));
  if (step)
    os << " + " << (type.empty() && step > 9 ? "0x" + utohexstr(step, true) : std::to_string(step)) << " * lane";
  os << '\n';
  return true;
}

void writeVector(raw_ostream &os, const Value &value, uint64_t exec, const TableStyle &style) {
  const unsigned bytes = value.elementSize(), registers = std::max(1u, bytes / 4);
  for (unsigned first = 0; first + registers <= value.registers.count; first += registers)
    for (unsigned part = 0; part < std::max(1u, 4 / bytes); ++part) {
      const LaneElements elements = elementsOf(value, first, bytes, part);
      if (writeBrief(os, elements, value.type))
        continue;
      Table table(os, style);
      for (unsigned lane = 0; lane < Lanes; ++lane)
        table.add(elementText(value.type, elements.bits[lane], bytes), !(exec >> lane & 1));
      std::string name = elements.name;
      name.resize(std::max<size_t>(bytes == 4 ? 4 : 7, name.size()), ' ');
      table.write(
          [&](size_t lane) { return formatv("{0}{1,3}:", lane ? std::string(name.size(), ' ') : name, lane).str(); });
    }
}

/// What follows each other in memory, or in scalar registers.
void addElements(Table &table, const Value &value, unsigned bytes) {
  for (size_t at = 0; at + bytes <= value.bytes.size(); at += bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, value.bytes.data() + at, bytes);
    table.add(elementText(value.type, bits, bytes));
  }
}

void writeScalars(raw_ostream &os, const Value &value, const TableStyle &style) {
  if (value.registers.first >= regunit::FlatScratchLo && value.registers.count <= 2 && value.type.empty()) {
    os << registerText(value) << '\n';
    return;
  }
  const unsigned bytes = value.elementSize();
  Table table(os, style);
  addElements(table, value, bytes);
  const unsigned each = std::max(1u, bytes / 4), parts = std::max(1u, 4 / bytes);
  table.write([&](size_t i) {
    return formatv("{0,-4}:", regName({RegUnit(value.registers.first + i / parts * each), uint16_t(each)})).str();
  });
}

void writeMemory(raw_ostream &os, const Value &value, const TableStyle &style) {
  const unsigned bytes = value.elementSize();
  Table table(os, style);
  addElements(table, value, bytes);
  const unsigned digits = std::max<unsigned>(4, utohexstr(value.begin + value.bytes.size()).size());
  os << value.name << '\n';
  table.write([&](size_t i) { return "  0x" + hex(value.begin + i * bytes, digits) + ":"; });
}

} // namespace

void writeTable(raw_ostream &os, const Value &value, uint64_t exec, const TableStyle &style) {
  switch (value.kind) {
  case Value::Kind::Vector: return writeVector(os, value, exec, style);
  case Value::Kind::Scalar: return writeScalars(os, value, style);
  case Value::Kind::Memory: return writeMemory(os, value, style);
  }
}

} // namespace inflight::machine::debug
