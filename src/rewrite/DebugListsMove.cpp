// Lists of ranges and of locations.
#include "rewrite/DebugInfoMove.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace llvm::support::endian;

namespace inflight {

namespace {
constexpr uint64_t addressSize = 8; ///< bytes

/// Entries of both kinds of lists, by what they hold. (DWARF 5, "Range List Table" and "Location List Table".)
enum class Entry {
  End,
  BaseIndex,
  IndexIndex,
  IndexLength,
  OffsetPair,
  Default,
  Base,
  AddressAddress,
  AddressLength,
  Views,
  Invalid
};

Entry entryOf(unsigned kind, bool haveLocations) {
  using namespace dwarf;
  if (haveLocations)
    switch (kind) {
    case DW_LLE_end_of_list: return Entry::End;
    case DW_LLE_base_addressx: return Entry::BaseIndex;
    case DW_LLE_startx_endx: return Entry::IndexIndex;
    case DW_LLE_startx_length: return Entry::IndexLength;
    case DW_LLE_offset_pair: return Entry::OffsetPair;
    case DW_LLE_default_location: return Entry::Default;
    case DW_LLE_base_address: return Entry::Base;
    case DW_LLE_start_end: return Entry::AddressAddress;
    case DW_LLE_start_length: return Entry::AddressLength;
    case DW_LLE_start_length + 1: return Entry::Views; // GNU's DW_LLE_view_pair
    default: return Entry::Invalid;
    }
  switch (kind) {
  case DW_RLE_end_of_list: return Entry::End;
  case DW_RLE_base_addressx: return Entry::BaseIndex;
  case DW_RLE_startx_endx: return Entry::IndexIndex;
  case DW_RLE_startx_length: return Entry::IndexLength;
  case DW_RLE_offset_pair: return Entry::OffsetPair;
  case DW_RLE_base_address: return Entry::Base;
  case DW_RLE_start_end: return Entry::AddressAddress;
  case DW_RLE_start_length: return Entry::AddressLength;
  default: return Entry::Invalid;
  }
}

class ListMover {
public:
  ListMover(StringRef name, bool haveLocations, const DebugLists &lists, StringRef old, const CodeLayout &layout,
            MovedSection &moved)
      : name(name),
        haveLocations(haveLocations),
        lists(lists),
        old(old),
        data(old, /*IsLittleEndian=*/true, addressSize),
        layout(layout),
        moved(moved) {}
  Error move();

private:
  Error fail(uint64_t at, const Twine &message) const {
    return makeError(name + " at offset 0x" + Twine::utohexstr(at) + ": " + message);
  }
  Error moveTable();
  bool moveEntry(Entry entry, DataExtractor::Cursor &cursor, const DebugList *list, uint64_t &base);
  void moveLocation(DataExtractor::Cursor &cursor);
  Error moveList(uint64_t end);
  void emitUleb(uint64_t value) {
    uint8_t buffer[16];
    moved.bytes.append(reinterpret_cast<char *>(buffer), encodeULEB128(value, buffer));
  }
  void emitAddress(uint64_t value) {
    char buffer[addressSize];
    write64le(buffer, value);
    moved.bytes.append(buffer, addressSize);
  }

  StringRef name;
  bool haveLocations;
  const DebugLists &lists;
  StringRef old;
  DataExtractor data;
  const CodeLayout &layout;
  MovedSection &moved;
  uint64_t at = 0;
};

/// What an entry holds after its kind, but for its location. False where it has none.
bool ListMover::moveEntry(Entry entry, DataExtractor::Cursor &cursor, const DebugList *list, uint64_t &base) {
  auto addressAt = [&](uint64_t index) { return list ? list->addressAt(index) : std::nullopt; };
  const uint64_t fields = cursor.tell();
  switch (entry) {
  case Entry::Invalid:
  case Entry::End: return false;
  case Entry::BaseIndex: {
    const uint64_t index = data.getULEB128(cursor);
    base = addressAt(index).value_or(0);
    emitUleb(index);
    return false;
  }
  case Entry::Base:
    base = data.getAddress(cursor);
    moved.mark(fields);
    emitAddress(layout.target(base));
    return false;
  case Entry::IndexIndex:
    emitUleb(data.getULEB128(cursor));
    emitUleb(data.getULEB128(cursor));
    return true;
  case Entry::IndexLength: {
    const uint64_t index = data.getULEB128(cursor), length = data.getULEB128(cursor);
    emitUleb(index);
    const std::optional<uint64_t> from = addressAt(index);
    emitUleb(from && layout.isCode(*from) ? layout.end(*from + length) - layout.target(*from) : length);
    return true;
  }
  case Entry::OffsetPair: {
    const uint64_t from = data.getULEB128(cursor), to = data.getULEB128(cursor);
    const bool follows = list && layout.isCode(base + from);
    emitUleb(follows ? layout.target(base + from) - layout.target(base) : from);
    emitUleb(follows ? layout.end(base + to) - layout.target(base) : to);
    return true;
  }
  case Entry::AddressAddress: {
    const uint64_t from = data.getAddress(cursor), to = data.getAddress(cursor);
    moved.mark(fields);
    emitAddress(layout.target(from));
    emitAddress(layout.end(to));
    return true;
  }
  case Entry::AddressLength: {
    const uint64_t from = data.getAddress(cursor), length = data.getULEB128(cursor);
    moved.mark(fields);
    emitAddress(layout.target(from));
    emitUleb(layout.isCode(from) ? layout.end(from + length) - layout.target(from) : length);
    return true;
  }
  case Entry::Views:
    emitUleb(data.getULEB128(cursor));
    emitUleb(data.getULEB128(cursor));
    return false;
  case Entry::Default: return true;
  }
  llvm_unreachable("not an entry");
}

void ListMover::moveLocation(DataExtractor::Cursor &cursor) {
  const uint64_t size = data.getULEB128(cursor);
  const uint64_t expression = cursor.tell();
  data.skip(cursor, size);
  if (!cursor)
    return;
  emitUleb(size);
  moved.mark(expression);
  moved.bytes += old.substr(expression, size);
  moveExpression({moved.bytes.data() + moved.bytes.size() - size, size}, layout);
}

/// The list at `at`, which must end before `end`.
Error ListMover::moveList(uint64_t end) {
  auto known = lists.find(at);
  const DebugList *list = known != lists.end() ? &known->second : nullptr; // others are of debug information elsewhere
  uint64_t base = list ? list->base : 0;
  DataExtractor::Cursor cursor(at);
  for (bool isLast = false; cursor && !isLast;) {
    const uint64_t begin = cursor.tell();
    if (begin >= end)
      return fail(at, "has no end");
    const uint8_t kind = data.getU8(cursor);
    const Entry entry = entryOf(kind, haveLocations);
    if (entry == Entry::Invalid)
      return fail(begin, "an entry of kind " + Twine(unsigned(kind)) + " is not supported");
    moved.mark(begin);
    moved.bytes += char(kind);
    const bool mayHaveLocation = moveEntry(entry, cursor, list, base);
    if (cursor && mayHaveLocation && haveLocations)
      moveLocation(cursor);
    isLast = entry == Entry::End;
  }
  if (!cursor)
    return cursor.takeError();
  at = cursor.tell();
  return Error::success();
}

Error ListMover::moveTable() {
  const uint64_t begin = at, newBegin = moved.bytes.size();
  DataExtractor::Cursor cursor(at);
  uint64_t length = data.getU32(cursor);
  const bool isWide = length == dwarf::DW_LENGTH_DWARF64;
  if (isWide)
    length = data.getU64(cursor);
  const uint64_t lengthEnd = cursor.tell();
  const unsigned version = data.getU16(cursor), size = data.getU8(cursor);
  data.getU8(cursor); // size of segment selectors
  const uint64_t count = data.getU32(cursor);
  if (!cursor)
    return cursor.takeError();
  if (length > old.size() - lengthEnd)
    return fail(begin, "longer than its section");
  if (version != 5 || size != addressSize)
    return fail(begin, "version " + Twine(version) + " with addresses of " + Twine(size) + " bytes is not supported");
  const uint64_t end = lengthEnd + length, table = cursor.tell(), entrySize = isWide ? 8 : 4;
  if (table > end || count > (end - table) / entrySize)
    return fail(begin, "corrupt");
  at = table + count * entrySize;
  moved.mark(begin);
  moved.bytes += old.substr(begin, at - begin);
  while (at < end)
    if (Error error = moveList(end))
      return error;
  const uint64_t newLength = moved.bytes.size() - newBegin - (lengthEnd - begin);
  char *header = moved.bytes.data() + newBegin;
  if (isWide)
    write64le(header + 4, newLength);
  else
    write32le(header, uint32_t(newLength));
  for (uint64_t i = 0; i < count; ++i) {
    char *entry = header + (table - begin) + i * entrySize;
    const uint64_t list = table + (isWide ? read64le(entry) : read32le(entry));
    const uint64_t there = moved.offset(list) - (newBegin + (table - begin));
    if (isWide)
      write64le(entry, there);
    else
      write32le(entry, uint32_t(there));
  }
  at = end;
  return Error::success();
}

Error ListMover::move() {
  while (at < old.size())
    if (Error error = moveTable())
      return error;
  moved.mark(old.size());
  return Error::success();
}
} // namespace

Error moveLists(StringRef name, bool haveLocations, const DebugLists &lists, const DebugSections &sections,
                const CodeLayout &layout, MovedSections &moved) {
  auto section = sections.find(name);
  if (section == sections.end())
    return Error::success();
  return ListMover(name, haveLocations, lists, section->second, layout, moved[name]).move();
}

Error movePlainLists(StringRef name, bool haveLocations, const DebugLists &lists, const DebugSections &sections,
                     const CodeLayout &layout, MovedSections &moved) {
  auto section = sections.find(name);
  if (section == sections.end())
    return Error::success();
  StringRef old = section->second;
  DataExtractor data(old, /*IsLittleEndian=*/true, addressSize);
  std::string bytes = section->second;
  for (const auto &[offset, list] : lists) {
    uint64_t base = list.base, newBase = layout.target(base);
    DataExtractor::Cursor cursor(offset);
    while (cursor) {
      const uint64_t at = cursor.tell();
      const uint64_t from = data.getAddress(cursor), to = data.getAddress(cursor);
      if (!cursor || (!from && !to))
        break;
      if (from == ~uint64_t(0)) { // a new base
        base = to;
        newBase = layout.target(base);
        write64le(bytes.data() + at + addressSize, newBase);
        continue;
      }
      if (layout.isCode(base + from)) {
        write64le(bytes.data() + at, layout.target(base + from) - newBase);
        write64le(bytes.data() + at + addressSize, layout.end(base + to) - newBase);
      }
      if (haveLocations) {
        const uint64_t size = data.getU16(cursor), expression = cursor.tell();
        data.skip(cursor, size);
        if (cursor)
          moveExpression({bytes.data() + expression, size}, layout);
      }
    }
    if (!cursor)
      return cursor.takeError();
  }
  moved[name].bytes = std::move(bytes);
  return Error::success();
}

} // namespace inflight
