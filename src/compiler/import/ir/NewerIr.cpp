// Text of LLVM 23 and 24 as LLVM 22 reads it.
//
// Newer releases write floats as the bits of their own type (f0x3F800000), decimals rounded to the type, and infinities
// and NaNs by name. They have more kinds of memory, and intrinsics that LLVM 22 doesn't know.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace inflight::import {

namespace {
const fltSemantics *semanticsOf(StringRef type) {
  return StringSwitch<const fltSemantics *>(type)
      .Case("half", &APFloat::IEEEhalf())
      .Case("bfloat", &APFloat::BFloat())
      .Case("float", &APFloat::IEEEsingle())
      .Case("double", &APFloat::IEEEdouble())
      .Default(nullptr);
}

/// As LLVM 22 writes the constant's bits: those of a double for singles, too.
std::string writeBits(const APInt &bits, const fltSemantics &semantics) {
  auto hex = [](const APInt &value) { return toString(value, 16, /*Signed=*/false, /*formatAsCLiteral=*/false); };
  if (&semantics == &APFloat::IEEEhalf())
    return "0xH" + hex(bits);
  if (&semantics == &APFloat::BFloat())
    return "0xR" + hex(bits);
  if (&semantics == &APFloat::IEEEdouble())
    return "0x" + hex(bits);
  APFloat value(semantics, bits);
  if (!value.isNaN()) {
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    return "0x" + hex(value.bitcastToAPInt());
  }
  // Converting would quiet a signaling NaN.
  constexpr unsigned mantissa = 23, doubleMantissa = 52;
  APInt wide = bits.extractBits(mantissa, 0).zext(64).shl(doubleMantissa - mantissa);
  wide |= APInt(64, 0x7ff).shl(doubleMantissa);
  wide.setBitVal(63, bits.isSignBitSet());
  return "0x" + hex(wide);
}

/// `inf`, `qnan`, `nan(0x..)`, `snan(0x..)`, without the sign.
std::optional<APFloat> namedFloat(StringRef word, bool isNegative, const fltSemantics &semantics) {
  if (word == "inf")
    return APFloat::getInf(semantics, isNegative);
  if (word == "qnan")
    return APFloat::getQNaN(semantics, isNegative);
  const bool signals = word.consume_front("s");
  uint64_t payload;
  if (!word.consume_front("nan(") || !word.consume_back(")") || word.getAsInteger(0, payload))
    return std::nullopt;
  APInt bits(APFloat::semanticsSizeInBits(semantics), payload);
  return signals ? APFloat::getSNaN(semantics, isNegative, &bits) : APFloat::getQNaN(semantics, isNegative, &bits);
}

/// One line, word by word. A float has the type that stands last before it, as in `fadd float %a, 1.0` and `<2 x half>
/// <half 1.0, ...>`.
class Line {
public:
  explicit Line(StringRef line) : line(line) {}

  std::string translate() {
    while (at < line.size()) {
      const size_t end = wordEnd();
      StringRef word = line.slice(at, end);
      if (const fltSemantics *found = semanticsOf(word))
        semantics = found;
      if (line[at] == ';' || line[at] == '!')
        return result += line.drop_front(at); // comments and metadata
      if (std::string name = word.str(); word.starts_with("@llvm.") && hideNewerIntrinsic(name)) {
        hasHidden = true;
        result += name;
      } else if (word != "immarg" || !hasHidden) {
        result += replacement(word).value_or(word.str());
      }
      at = end;
    }
    return result;
  }

private:
  static bool isWordCharacter(char c) { return isAlnum(c) || c == '.' || c == '_' || c == '-' || c == '+' || c == '$'; }

  /// Past the word at `at`: a string, a name, a number, or one character of anything else.
  size_t wordEnd() const {
    size_t end = at;
    if (line[end] == '"') {
      end = line.find('"', end + 1);
      return end == StringRef::npos ? line.size() : end + 1;
    }
    if (line[end] == '%' || line[end] == '@' || line[end] == '#') {
      ++end;
      if (end < line.size() && line[end] == '"') {
        end = line.find('"', end + 1);
        return end == StringRef::npos ? line.size() : end + 1;
      }
    } else if (!isWordCharacter(line[end])) {
      return end + 1;
    }
    while (end < line.size() && isWordCharacter(line[end]))
      ++end;
    StringRef word = line.slice(at, end).ltrim("+-");
    if ((word == "nan" || word == "snan") && end < line.size() && line[end] == '(')
      end = std::min(line.find(')', end), line.size() - 1) + 1;
    return end;
  }

  std::optional<std::string> replacement(StringRef word) const {
    if (word.consume_front("f0x")) {
      APInt bits;
      const unsigned width = 4 * word.size();
      if (word.getAsInteger(16, bits) || (width != 16 && width != 32 && width != 64))
        return std::nullopt;
      const fltSemantics *own = width == 32 ? &APFloat::IEEEsingle() : width == 64 ? &APFloat::IEEEdouble() : semantics;
      if (!own || APFloat::semanticsSizeInBits(*own) != width)
        return std::nullopt;
      return writeBits(bits.zextOrTrunc(width), *own);
    }
    if (!semantics || word.empty())
      return std::nullopt;
    StringRef number = word;
    const bool isNegative = number.consume_front("-");
    const bool hasSign = isNegative || number.consume_front("+");
    if (hasSign)
      if (std::optional<APFloat> named = namedFloat(number, isNegative, *semantics))
        return writeBits(named->bitcastToAPInt(), *semantics);
    if (number.empty() || !isDigit(number[0]) || !number.contains('.'))
      return std::nullopt;
    APFloat value(*semantics);
    Expected<APFloat::opStatus> status = value.convertFromString(word, APFloat::rmNearestTiesToEven);
    if (!status) {
      consumeError(status.takeError());
      return std::nullopt;
    }
    // LLVM 22 reads exact decimals, and they are easier to read.
    if (*status == APFloat::opOK)
      return std::nullopt;
    return writeBits(value.bitcastToAPInt(), *semantics);
  }

  StringRef line;
  size_t at = 0;
  const fltSemantics *semantics = nullptr;
  bool hasHidden = false; ///< a name that is no intrinsic's any more
  std::string result;
};
} // namespace

/// The attributes of functions without the kinds of memory that LLVM 22 has no name for. What isn't said is the
/// default.
static std::string knownMemory(StringRef line) {
  const size_t begin = line.find("memory("), end = line.find(')', begin);
  if (end == StringRef::npos)
    return line.str();
  SmallVector<StringRef> kinds, kept;
  line.slice(begin + StringRef("memory(").size(), end).split(kinds, ", ");
  copy_if(kinds, std::back_inserter(kept), [](StringRef kind) { return !kind.starts_with("target_mem"); });
  return (line.take_front(begin) + (kept.empty() ? "" : "memory(" + join(kept, ", ") + ")") + line.drop_front(end + 1))
      .str();
}

/// `denormal_fpenv(OUT|IN, float: OUT|IN)` as LLVM 22's two attributes; a mode alone is for both, and what isn't said
/// is the default.
static std::string knownDenormals(StringRef line) {
  constexpr StringLiteral name = "denormal_fpenv(";
  const size_t begin = line.find(name), end = line.find(')', begin);
  if (end == StringRef::npos)
    return line.str();
  auto known = [](StringRef mode) {
    return StringSwitch<StringRef>(mode)
        .Case("preservesign", "preserve-sign")
        .Case("positivezero", "positive-zero")
        .Default(mode);
  };
  std::string result = line.take_front(begin).str();
  SmallVector<StringRef> parts;
  line.slice(begin + name.size(), end).split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    const bool ofSingles = part.consume_front("float:");
    auto [out, in] = part.trim().split('|');
    result += (Twine(ofSingles ? "\"denormal-fp-math-f32\"=\"" : "\"denormal-fp-math\"=\"") + known(out) + "," +
               known(in.empty() ? out : in) + "\" ")
                  .str();
  }
  return result + line.drop_front(end + 1).str();
}

std::string translateNewerIr(StringRef text) {
  if (isBitcode(text))
    return text.str();
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    const bool isLast = line.size() == text.size();
    result += line.starts_with("attributes ") ? knownDenormals(knownMemory(line)) : Line(line).translate();
    if (!isLast)
      result += '\n';
    text = rest;
  }
  return result;
}

} // namespace inflight::import
