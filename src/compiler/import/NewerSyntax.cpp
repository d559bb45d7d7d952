// The syntax of LLVM 23 and 24 for operations whose meaning hasn't changed, as LLVM 22 reads it.
#include "compiler/import/Import.h"

#include "compiler/import/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include <optional>

using namespace llvm;

namespace inflight::import {

namespace {
/// One operation on one line: `[%result = ]name rest`. Operations that have to
/// come before it are put on the same line.
struct Line {
  StringRef results, name, rest; ///< results with their `=`; the name may become another
  std::string before;
  unsigned &names;

  /// A new value for `definition`, an operation without its result.
  std::string define(const Twine &definition) {
    std::string value = ("%inflight." + Twine(names++)).str();
    before += (value + " = " + definition + " ").str();
    return value;
  }
};

/// What translates an operation: the new text after its name, or nothing where the syntax is LLVM 22's.
using Translate = std::optional<std::string> (*)(Line &);

/// `a, b(c, d), e` at its commas outside of brackets.
SmallVector<StringRef> splitList(StringRef list) {
  const Text text(list);
  SmallVector<StringRef> parts;
  size_t begin = 0;
  for (size_t at = 0; at < list.size();) {
    if (list[at] == ',') {
      parts.push_back(list.slice(begin, at).trim());
      begin = at + 1;
    }
    at = text.isOpening(at) ? text.skipBrackets(at) : text.skipToken(at);
  }
  parts.push_back(list.drop_front(std::min(begin, list.size())).trim());
  return parts;
}

/// The position of `c` outside of brackets and strings; npos if there is none.
size_t findOutside(StringRef list, char c) {
  const Text text(list);
  for (size_t at = 0; at < list.size(); at = text.isOpening(at) ? text.skipBrackets(at) : text.skipToken(at))
    if (list[at] == c)
      return at;
  return StringRef::npos;
}

/// The number of an immediate: itself, or the name of a broadcast of matrix B.
std::optional<StringRef> immediate(StringRef word) {
  int64_t number;
  if (!word.getAsInteger(10, number))
    return word;
  StringRef value = StringSwitch<StringRef>(word)
                        .Case("none", "0")
                        .Case("bcast_first_32", "1")
                        .Case("bcast_second_32", "2")
                        .Case("rotate_16_right", "3")
                        .Case("bcast_first_16", "4")
                        .Case("bcast_second_16", "5")
                        .Case("bcast_third_16", "6")
                        .Case("bcast_fourth_16", "7")
                        .Default("");
  return value.empty() ? std::nullopt : std::optional(value);
}

/// Immediates among the operands become constants, with their types in the list of types if there is one.
std::optional<std::string> translateImmediates(Line &line) {
  size_t end = findOutside(line.rest, ':');
  size_t dictionary = findOutside(line.rest, '{');
  StringRef list = line.rest.take_front(std::min({end, dictionary, line.rest.size()}));
  SmallVector<StringRef> operands = splitList(list);
  if (llvm::all_of(operands, [](StringRef operand) { return operand.starts_with("%"); }))
    return std::nullopt;
  StringRef tail = line.rest.drop_front(list.size());
  SmallVector<StringRef> known;
  size_t typesBegin = tail.find('('), typesEnd = StringRef::npos;
  bool hasTypes = end != StringRef::npos && line.rest.drop_front(end + 1).ltrim().starts_with("(");
  if (hasTypes) {
    typesEnd = Text(tail).skipBrackets(typesBegin);
    known = splitList(tail.slice(typesBegin + 1, typesEnd - 1));
  }
  SmallVector<std::string> newOperands, newTypes;
  auto type = known.begin();
  for (StringRef operand : operands) {
    if (operand.starts_with("%")) {
      newOperands.push_back(operand.str());
      if (hasTypes && type == known.end())
        return std::nullopt;
      newTypes.push_back(hasTypes ? (type++)->str() : std::string());
      continue;
    }
    std::optional<StringRef> value = immediate(operand);
    if (!value)
      return std::nullopt;
    newOperands.push_back(line.define("llvm.mlir.constant(" + *value + " : i32) : i32"));
    newTypes.push_back("i32");
  }
  std::string result = join(newOperands, ", ") + " ";
  if (!hasTypes)
    return result + tail.str();
  return result + tail.take_front(typesBegin + 1).str() + join(newTypes, ", ") + ")" + tail.drop_front(typesEnd).str();
}

/// The broadcast of matrix B is stated always.
std::optional<std::string> translateMfma(Line &line) {
  size_t colon = findOutside(line.rest, ':');
  if (colon == StringRef::npos || line.rest.take_front(colon).contains("blgp"))
    return std::nullopt;
  return (line.rest.take_front(colon) + "blgp = none " + line.rest.drop_front(colon)).str();
}

/// `row_mask(10) bank_mask(3) bound_ctrl(true)` are attributes.
std::optional<std::string> translateDpp(Line &line) {
  size_t colon = findOutside(line.rest, ':');
  if (colon == StringRef::npos)
    return std::nullopt;
  StringRef head = line.rest.take_front(colon);
  std::string kept;
  SmallVector<std::string> attributes;
  const Text text(head);
  for (size_t at = text.skipSpace(0), past; at < head.size(); at = text.skipSpace(past)) {
    past = text.isOpening(at) ? text.skipBrackets(at) : text.skipToken(at);
    StringRef word = head.slice(at, past);
    if ((word == "row_mask" || word == "bank_mask" || word == "bound_ctrl") && text.at(past) == '(') {
      size_t end = text.skipBrackets(past);
      StringRef value = head.slice(past + 1, end - 1);
      attributes.push_back((word + " = " + value + (word == "bound_ctrl" ? "" : " : i32")).str());
      past = end;
      continue;
    }
    kept += head.slice(at, text.skipSpace(past));
  }
  if (attributes.empty())
    return std::nullopt;
  return kept + " {" + join(attributes, ", ") + "} " + line.rest.drop_front(colon).str();
}

/// A barrier that fences some memory or none: LLVM 22's fences all.
std::optional<std::string> translateBarrier(Line &line) {
  StringRef rest = line.rest;
  if (!rest.consume_front("memfence"))
    return std::nullopt;
  rest = rest.ltrim();
  if (!rest.starts_with("["))
    return std::nullopt;
  return rest.drop_front(Text(rest).skipBrackets(0)).str();
}

/// `allow = none`, without `<>`.
std::optional<std::string> translateSchedBarrierMask(Line &line) {
  auto [key, value] = line.rest.split('=');
  value = value.ltrim();
  if (key.trim() != "allow" || value.starts_with("<"))
    return std::nullopt;
  StringRef words = value.take_while([](char c) { return isAlnum(c) || c == '_' || c == '|' || c == ' '; });
  words = words.split(" loc").first.rtrim();
  return ("allow = <" + words + ">" + value.drop_front(words.size())).str();
}

/// The mask of LLVM's intrinsic in words: `none`, `mfma_wmma|vmem_read`, with more operands after it.
std::optional<std::string> translateSchedBarrier(Line &line) {
  StringRef words = line.rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == '|'; });
  if (words.empty() || isDigit(words.front()))
    return std::nullopt;
  SmallVector<StringRef> parts;
  words.split(parts, '|');
  unsigned mask = 0;
  for (StringRef part : parts) {
    int bit = StringSwitch<int>(part)
                  .Case("none", 0)
                  .Case("non_mem_non_sideeffect", 0x1)
                  .Case("valu", 0x2)
                  .Case("salu", 0x4)
                  .Case("mfma_wmma", 0x8)
                  .Case("all_vmem", 0x10)
                  .Case("vmem_read", 0x20)
                  .Case("vmem_write", 0x40)
                  .Case("all_ds", 0x80)
                  .Case("ds_read", 0x100)
                  .Case("ds_write", 0x200)
                  .Case("transcendental", 0x400)
                  .Default(-1);
    if (bit < 0)
      return std::nullopt;
    mask |= unsigned(bit);
  }
  return std::to_string(mask) + line.rest.drop_front(words.size()).str();
}

/// `… : <1>, i32 to <7>` says the type of the number of bytes, which is i64 in LLVM 22.
std::optional<std::string> translateMakeRsrc(Line &line) {
  size_t colon = findOutside(line.rest, ':');
  if (colon == StringRef::npos)
    return std::nullopt;
  auto [pointer, size] = line.rest.drop_front(colon + 1).split(',');
  auto [type, result] = size.split(" to ");
  type = type.trim();
  SmallVector<StringRef> operands = splitList(line.rest.take_front(colon));
  if ((type != "i32" && type != "i64") || operands.size() != 4)
    return std::nullopt;
  std::string bytes = operands[2].str();
  if (type == "i32")
    bytes = line.define("llvm.zext " + bytes + " : i32 to i64");
  return (operands[0] + ", " + operands[1] + ", " + bytes + ", " + operands[3] + " :" + pointer + " to " + result)
      .str();
}

/// `<alignment = 4, …>` of a load or store is its dictionary of attributes.
std::optional<std::string> translateProperties(Line &line) {
  size_t colon = findOutside(line.rest, ':'), begin = findOutside(line.rest, '<');
  if (colon == StringRef::npos || begin == StringRef::npos || begin > colon)
    return std::nullopt;
  size_t end = line.rest.take_front(colon).rfind('>');
  if (end == StringRef::npos || end < begin)
    return std::nullopt;
  SmallVector<std::string> attributes;
  for (StringRef property : splitList(line.rest.slice(begin + 1, end))) {
    int64_t number;
    bool isNumber = !property.split('=').second.trim().getAsInteger(10, number);
    attributes.push_back((property + (isNumber ? " : i64" : "")).str());
  }
  StringRef more = line.rest.slice(end + 1, colon).trim();
  if (more.consume_front("{") && more.consume_back("}") && !more.trim().empty())
    attributes.push_back(more.str());
  return (line.rest.take_front(begin) + "{" + join(attributes, ", ") + "} " + line.rest.drop_front(colon)).str();
}

/// The operation's rest with the attribute in the dictionary, which stands before the types and the place in the
/// source.
std::string withAttribute(StringRef rest, StringRef attribute) {
  const size_t end = std::min({findOutside(rest, ':'), rest.find(" loc("), rest.size()});
  if (const size_t dictionary = findOutside(rest, '{'); dictionary < end)
    return (rest.take_front(dictionary + 1) + attribute + ", " + rest.drop_front(dictionary + 1)).str();
  return (rest.take_front(end) + " {" + attribute + "} " + rest.drop_front(end)).str();
}

/// LDS DMA that only marks and their waits are for.
std::optional<std::string> translateGather(Line &line) {
  StringRef rest = line.rest;
  if (!rest.consume_front("async") || !rest.starts_with(" "))
    return std::nullopt;
  return withAttribute(rest.ltrim(), "inflight.async");
}
std::optional<std::string> translateAsyncLoad(Line &line) {
  const bool isBuffer = line.name.starts_with("rocdl.raw.");
  line.name = isBuffer                              ? "rocdl.raw.ptr.buffer.load.lds"
              : line.name.starts_with("rocdl.glob") ? "rocdl.global.load.lds"
                                                    : "rocdl.load.to.lds";
  if (isBuffer)
    if (std::optional<std::string> translated = translateImmediates(line))
      return withAttribute(*translated, "inflight.async");
  return withAttribute(line.rest, "inflight.async");
}
std::optional<std::string> translateAsyncMark(Line &line) {
  line.name = "llvm.fence";
  return ("syncscope(\"wavefront\") acq_rel {inflight.commit_group} " + line.rest).str();
}
std::optional<std::string> translateWaitAsyncMark(Line &line) {
  const StringRef count = line.rest.take_while(isDigit);
  if (count.empty())
    return std::nullopt;
  line.name = "llvm.fence";
  return ("syncscope(\"wavefront\") acq_rel {inflight.wait_group = " + count + " : i64} " +
          line.rest.drop_front(count.size()))
      .str();
}

Translate translationOf(StringRef name) {
  if (name == "rocdl.raw.ptr.buffer.load.async.lds")
    return translateAsyncLoad;
  if (name.starts_with("rocdl.mfma.") || name.starts_with("rocdl.smfmac.") || name.starts_with("rocdl.raw.ptr.buffer."))
    return translateImmediates;
  return StringSwitch<Translate>(name)
      .Cases({"llvm.load", "llvm.store"}, translateProperties)
      .Case("amdgpu.mfma", translateMfma)
      .Case("amdgpu.dpp", translateDpp)
      .Case("gpu.barrier", translateBarrier)
      .Case("amdgpu.sched_barrier", translateSchedBarrierMask)
      .Cases({"rocdl.sched.barrier", "rocdl.sched.group.barrier"}, translateSchedBarrier)
      .Case("rocdl.make.buffer.rsrc", translateMakeRsrc)
      .Case("amdgpu.gather_to_lds", translateGather)
      .Cases({"rocdl.load.async.to.lds", "rocdl.global.load.async.lds"}, translateAsyncLoad)
      .Case("rocdl.asyncmark", translateAsyncMark)
      .Case("rocdl.wait.asyncmark", translateWaitAsyncMark)
      .Default(nullptr);
}

/// Whether a line may be more of the operation before it: it begins with none of what begins one.
bool continuesOperation(StringRef line) {
  line = line.ltrim();
  if (line.empty() || line.starts_with("}") || line.starts_with("^") || line.starts_with("#") ||
      line.starts_with("\"") || line.starts_with("//") || line.starts_with("{-#"))
    return false;
  if (line.consume_front("%") || line.consume_front("!")) {
    // `%x = `, `%x:2 = `, `%x, %y = ` or `!x = `; operands and types have no `=`.
    const StringRef names = line.take_until([](char c) { return c == '=' || c == '(' || c == '{' || c == '['; });
    return names.size() == line.size() || line[names.size()] != '=';
  }
  const StringRef name = line.take_while(isNameCharacter);
  return !name.contains('.') && name != "return" && name != "module";
}

/// The operation that begins at the start of `text`, with the lines it goes on over.
size_t endOfOperation(StringRef text) {
  size_t end = std::min(text.find('\n'), text.size());
  while (end < text.size()) {
    const StringRef next = text.drop_front(end + 1);
    const StringRef line = next.take_until([](char c) { return c == '\n'; });
    if (!continuesOperation(line))
      break;
    end += 1 + line.size();
  }
  return end;
}

/// The line in LLVM 22's syntax; nothing if it is already.
struct Translated {
  std::string text;
  size_t length; ///< of what it replaces
};
/// `text` is the first line of `whole`.
std::optional<Translated> translateLine(StringRef text, StringRef whole, unsigned &names) {
  StringRef rest = text.ltrim();
  StringRef space = text.drop_back(rest.size()), results;
  if (rest.starts_with("%")) {
    size_t equal = rest.find(" = ");
    if (equal == StringRef::npos)
      return std::nullopt;
    results = rest.take_front(equal + 3);
    rest = rest.drop_front(equal + 3).ltrim();
  }
  StringRef name = rest.take_while(isNameCharacter);
  // It had only its generic form.
  if (name == "llvm.intr.vector.reduce.fadd" || name == "llvm.intr.vector.reduce.fmul")
    return Translated{(space + results + "\"" + name + "\"" + rest.drop_front(name.size())).str(), text.size()};
  Translate translate = name.contains('.') ? translationOf(name) : nullptr;
  if (!translate)
    return std::nullopt;
  if (const size_t end = endOfOperation(whole); end > text.size()) {
    // On one line, and the others stay empty, so that what follows keeps its place.
    std::string joined = whole.take_front(end).str();
    if (StringRef(joined).contains("//"))
      return std::nullopt;
    std::replace(joined.begin(), joined.end(), '\n', ' ');
    const size_t lines = whole.take_front(end).count('\n');
    std::optional<Translated> result = translateLine(joined, joined, names);
    if (!result)
      return std::nullopt;
    return Translated{result->text + std::string(lines, '\n'), end};
  }
  Line line{results, name, rest.drop_front(name.size()).ltrim(), "", names};
  std::optional<std::string> translated = translate(line);
  if (!translated)
    return std::nullopt;
  return Translated{(space + line.before + results + line.name + " " + *translated).str(), text.size()};
}
} // namespace

bool hasNewerSyntax(StringRef operation) { return translationOf(operation) != nullptr; }

void translateNewerSyntax(std::string &text) {
  std::string result;
  unsigned names = 0;
  bool changed = false;
  StringRef left = text;
  while (!left.empty()) {
    size_t end = std::min(left.find('\n'), left.size());
    StringRef line = left.take_front(end);
    if (std::optional<Translated> translated = translateLine(line, left, names)) {
      result += translated->text;
      end = translated->length;
      changed = true;
    } else {
      result += line;
    }
    result += left.slice(end, end + 1);
    left = left.drop_front(std::min(end + 1, left.size()));
  }
  if (changed)
    text = std::move(result);
}

} // namespace inflight::import
