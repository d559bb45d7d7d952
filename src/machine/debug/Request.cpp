#include "machine/debug/Request.h"

#include "support/Diagnostics.h"
#include "support/files/Npy.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight::machine::debug {

namespace {

/// "hit=3-5", "hit=3", "hit=all".
Error readHits(StringRef value, BreakSpec &spec) {
  spec.choosesHits = true;
  if (value == "all") {
    spec.lastHit = ~uint64_t(0);
    return Error::success();
  }
  const auto [first, last] = value.split('-');
  if (first.getAsInteger(10, spec.firstHit) || (value.contains('-') && last.getAsInteger(10, spec.lastHit)))
    return makeError("hit= takes a number, two like 3-5, or all, not '" + value + "'");
  if (!value.contains('-'))
    spec.lastHit = spec.firstHit;
  if (!spec.firstHit)
    return makeError("hit= counts from 1");
  if (spec.lastHit < spec.firstHit)
    return makeError("hit=" + value + ": the last one is before the first");
  return Error::success();
}

/// "workgroup=1,0,2": how many of `parts` that takes, numbers without a key being the next dimensions.
Expected<size_t> readWorkgroup(ArrayRef<StringRef> parts, Selection &waves) {
  StringRef number = parts.front().split('=').second;
  waves.workgroup = {0, 0, 0};
  size_t taken = 0;
  do {
    if (taken == 3 || number.getAsInteger(0, (*waves.workgroup)[taken]))
      return makeError("workgroup= takes up to three numbers like 1,0,2");
    ++taken;
    number = taken < parts.size() ? parts[taken] : "=";
  } while (!number.contains('='));
  return taken;
}

/// The keys after a place.
Error readChoice(ArrayRef<StringRef> parts, BreakSpec &spec) {
  while (!parts.empty()) {
    const auto [key, value] = parts.front().split('=');
    unsigned number = 0;
    size_t taken = 1;
    if (key == "workgroup") {
      if (Error error = readWorkgroup(parts, spec.waves).moveInto(taken))
        return error;
    } else if (key == "hit") {
      if (Error error = readHits(value, spec))
        return error;
    } else if (key != "wave" && key != "stops") {
      return makeError("'" + parts.front() + "' is none of workgroup=X,Y,Z, wave=N, hit=N and stops=N");
    } else if (value.getAsInteger(0, number)) {
      return makeError(key + "= takes a number, not '" + value + "'");
    } else if (key == "wave") {
      spec.waves.wave = number;
    } else {
      spec.stops = number;
    }
    parts = parts.drop_front(taken);
  }
  return Error::success();
}

/// Of a watch.
Error readWatchChoice(ArrayRef<StringRef> parts, Selection &waves) {
  while (!parts.empty()) {
    if (parts.front().split('=').first != "workgroup")
      return makeError("'" + parts.front() + "' is not workgroup=X,Y,Z");
    size_t taken;
    if (Error error = readWorkgroup(parts, waves).moveInto(taken))
      return error;
    parts = parts.drop_front(taken);
  }
  return Error::success();
}

Error badRegister(StringRef name) {
  return makeError("unknown register '" + name +
                   "': there are v0, v0-v5, v[0:5], s4, a0-a3, exec, vcc, m0, scc, mode, flat_scratch and ttmp0; "
                   "lds:0x100-0x140 and global:ARG+0x10-0x20 are memory");
}

/// The letter of registers that are in a row; 0 for those that have names.
char fileOf(RegUnit unit) {
  return isVgpr(unit)                                   ? 'v'
         : isAgpr(unit)                                 ? 'a'
         : unit < regunit::FlatScratchLo                ? 's'
         : unit >= regunit::Ttmp0 && unit < regunit::M0 ? 't'
                                                        : 0;
}

/// "v0", "v0-v5", "v[0:5]", "vcc".
Expected<RegRange> parseRegisters(StringRef text) {
  std::string from = text.split('-').first.str(), to = text.contains('-') ? text.split('-').second.str() : from;
  if (const size_t bracket = text.find('['); bracket != StringRef::npos && text.ends_with("]")) {
    const auto [low, high] = text.drop_front(bracket + 1).drop_back().split(':');
    from = (text.take_front(bracket) + low).str();
    to = (text.take_front(bracket) + (high.empty() ? low : high)).str();
  }
  const std::optional<RegRange> first = registerNamed(from), last = registerNamed(to);
  if (!first || !last)
    return badRegister(text);
  if (*first == *last)
    return *first;
  if (!fileOf(first->first) || fileOf(first->first) != fileOf(last->first))
    return badRegister(text);
  if (last->first < first->first)
    return makeError("'" + text + "' is reversed: " + to + " is before " + from);
  return RegRange{first->first, uint16_t(last->first - first->first + 1)};
}

/// "0x100-0x140".
Error readBytes(StringRef bytes, MemoryRange &range) {
  const auto [first, last] = bytes.split('-');
  if (first.getAsInteger(0, range.begin) || last.getAsInteger(0, range.end))
    return makeError("'" + range.text + "': a range is like 0x100-0x140, its end not in it");
  if (range.end < range.begin)
    return makeError("'" + range.text + "' is reversed: its end is before its beginning");
  if (range.end == range.begin)
    return makeError("'" + range.text + "' is empty: the end of a range isn't in it");
  return Error::success();
}

/// "lds:0x100-0x140", "global:0x7f0010-0x7f0020", "global:out+0x10-0x20", "global:2".
Expected<MemoryRange> parseMemory(StringRef text) {
  MemoryRange range;
  range.text = text.str();
  if (text.consume_front("lds:")) {
    if (Error error = readBytes(text, range))
      return std::move(error);
    return range;
  }
  text.consume_front("global:");
  range.space = MemoryRange::Space::Buffer;
  const auto [buffer, bytes] = text.split('+');
  if (buffer.empty())
    return makeError("'" + range.text + "': an argument's number or name is missing");
  if (!text.contains('+') && buffer.contains('-') && isDigit(buffer.front())) {
    range.space = MemoryRange::Space::Address;
    if (Error error = readBytes(text, range))
      return std::move(error);
    return range;
  }
  range.buffer = buffer.str();
  if (text.contains('+'))
    if (Error error = readBytes(bytes, range))
      return std::move(error);
  return range;
}

/// Takes ":f32" off the end.
Expected<std::string> takeType(StringRef &text) {
  const size_t colon = text.rfind(':');
  if (colon == StringRef::npos || text.drop_front(colon).contains(']'))
    return "";
  const StringRef type = text.drop_front(colon + 1);
  // "lds:0x100-0x140" and "global:2" have none.
  if (text.take_front(colon) == "lds" || text.take_front(colon) == "global")
    return "";
  if (!elementBytes(type))
    return makeError("'" + text + "': unknown type '" + type +
                     "'; there are f32, f16, bf16, f64, i32, i16, i8, i64 "
                     "and 8-bit floats like f8E4M3FN");
  text = text.take_front(colon);
  return type.str();
}

Expected<DumpItem> parseItem(StringRef text) {
  DumpItem item;
  item.text = text.str();
  Expected<std::string> type = takeType(text);
  if (!type)
    return type.takeError();
  item.type = *type;
  if (text.starts_with("lds:") || text.starts_with("global:")) {
    Expected<MemoryRange> memory = parseMemory(text);
    if (!memory)
      return memory.takeError();
    item.memory = std::move(*memory);
    return item;
  }
  Expected<RegRange> registers = parseRegisters(text);
  if (!registers)
    return registers.takeError();
  item.registers = *registers;
  if (elementBytes(item.type) == 8 && registers->count % 2)
    return makeError("'" + item.text + "': a value takes two registers, and there are " + Twine(registers->count));
  return item;
}

} // namespace

Expected<BreakSpec> parseBreak(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  BreakSpec spec;
  spec.place = parts.front().trim().str();
  if (spec.place.empty() || parts.front().contains('='))
    return makeError("a break begins with its place: an address like 0x1760, FILE:LINE, a label, or 'end'");
  if (Error error = readChoice(ArrayRef(parts).drop_front(), spec))
    return makeError("'" + text + "': " + toString(std::move(error)));
  return spec;
}

Expected<WatchSpec> parseWatch(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  Expected<MemoryRange> range = parseMemory(parts.front().trim());
  if (!range)
    return range.takeError();
  WatchSpec spec{std::move(*range), {}};
  if (Error error = readWatchChoice(ArrayRef(parts).drop_front(), spec.waves))
    return makeError("'" + text + "': " + toString(std::move(error)));
  if (spec.waves.workgroup && spec.range.space != MemoryRange::Space::Lds)
    return makeError("'" + text + "': global memory is that of all workgroups; workgroup= goes with lds:");
  return spec;
}

Expected<std::vector<DumpItem>> parseDump(StringRef text) {
  std::vector<DumpItem> items;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    Expected<DumpItem> item = parseItem(part.trim());
    if (!item)
      return item.takeError();
    items.push_back(std::move(*item));
  }
  return items;
}

} // namespace inflight::machine::debug
