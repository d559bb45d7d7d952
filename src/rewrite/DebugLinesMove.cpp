// .debug_line: the programs of the tables of lines are copied, with other advances of the address where those change.
#include "rewrite/DebugInfoMove.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight {

namespace {
class LineMover {
public:
  LineMover(StringRef old, const CodeLayout &layout, MovedSection &moved)
      : old(old), data(old, /*IsLittleEndian=*/true, /*AddressSize=*/8), layout(layout), moved(moved) {}
  Error move();

private:
  struct Operation {
    uint64_t begin, end;
    bool isAdvance;
  };
  Error fail(uint64_t at, const Twine &message) const {
    return makeError("table of lines at offset 0x" + Twine::utohexstr(at) + ": " + message);
  }
  struct Table {
    bool isWide = false;
    uint64_t begin = 0, lengthEnd = 0, program = 0, end = 0; ///< offsets in the section
    SmallVector<uint8_t, 16> operandCounts{0};               ///< by opcode
  };
  Error readHeader(Table &table);
  Error moveExtended(const Table &table, uint64_t operation, DataExtractor::Cursor &cursor);
  Error moveOperation(const Table &table, DataExtractor::Cursor &cursor);
  Error moveTable();
  void copy(uint64_t begin, uint64_t end) {
    moved.mark(begin);
    moved.bytes += old.substr(begin, end - begin);
  }
  void flush(bool keepAdvances);
  void emitAdvance(uint64_t bytes);
  void emitUleb(uint64_t value) {
    uint8_t buffer[16];
    moved.bytes.append(reinterpret_cast<char *>(buffer), encodeULEB128(value, buffer));
  }
  /// A row so many bytes and lines on.
  void emitRow(uint64_t bytes, int64_t lines);
  void endRow(uint64_t begin, uint64_t end, std::optional<int64_t> lines, bool isEnd);

  StringRef old;
  DataExtractor data;
  const CodeLayout &layout;
  MovedSection &moved;
  uint64_t at = 0;
  unsigned minimumLength = 1, lineRange = 1, opcodeBase = 1;
  int lineBase = 0;
  std::vector<Operation> held; ///< since the last row
  bool follows = false;        ///< this sequence is of code that is here
  uint64_t rowAddress = 0, address = 0, newRowAddress = 0;
};

void LineMover::flush(bool keepAdvances) {
  for (const Operation &operation : held)
    if (keepAdvances || !operation.isAdvance)
      copy(operation.begin, operation.end);
  held.clear();
}

void LineMover::emitAdvance(uint64_t bytes) {
  if (bytes % minimumLength == 0) {
    moved.bytes += char(dwarf::DW_LNS_advance_pc);
    emitUleb(bytes / minimumLength);
    return;
  }
  for (constexpr uint64_t most = 0xffff; bytes;) {
    const uint64_t part = std::min(bytes, most);
    char operand[2];
    support::endian::write16le(operand, uint16_t(part));
    moved.bytes += char(dwarf::DW_LNS_fixed_advance_pc);
    moved.bytes.append(operand, 2);
    bytes -= part;
  }
}

void LineMover::emitRow(uint64_t bytes, int64_t lines) {
  constexpr uint64_t lastOpcode = 255;
  auto special = [&](uint64_t advance) -> uint64_t {
    return uint64_t(lines - lineBase) + lineRange * advance + opcodeBase;
  };
  const uint64_t advance = bytes / minimumLength, constant = (lastOpcode - opcodeBase) / lineRange;
  if (bytes % minimumLength == 0 && advance <= lastOpcode && special(advance) <= lastOpcode) {
    moved.bytes += char(special(advance));
  } else if (bytes % minimumLength == 0 && advance >= constant && advance <= 2 * lastOpcode &&
             special(advance - constant) <= lastOpcode) {
    moved.bytes += char(dwarf::DW_LNS_const_add_pc);
    moved.bytes += char(special(advance - constant));
  } else {
    emitAdvance(bytes);
    moved.bytes += char(special(0));
  }
}

/// An operation that makes a row: with a number of lines the special one, else a copy of it.
void LineMover::endRow(uint64_t begin, uint64_t end, std::optional<int64_t> lines, bool isEnd) {
  uint64_t wanted = address;
  if (follows)
    wanted = std::max(newRowAddress, isEnd ? layout.end(address) : layout.target(address));
  const uint64_t advance = wanted - newRowAddress;
  if (advance == address - rowAddress) {
    flush(/*keepAdvances=*/true);
    copy(begin, end);
  } else {
    flush(/*keepAdvances=*/false);
    if (lines) {
      emitRow(advance, *lines);
    } else {
      if (advance)
        emitAdvance(advance);
      copy(begin, end);
    }
  }
  rowAddress = address;
  newRowAddress = wanted;
}

/// The header from `at` on.
Error LineMover::readHeader(Table &table) {
  table.begin = at;
  DataExtractor::Cursor cursor(at);
  uint64_t length = data.getU32(cursor);
  table.isWide = length == dwarf::DW_LENGTH_DWARF64;
  if (table.isWide)
    length = data.getU64(cursor);
  table.lengthEnd = cursor.tell();
  const unsigned version = data.getU16(cursor);
  if (!cursor)
    return cursor.takeError();
  if (length > old.size() - table.lengthEnd)
    return fail(table.begin, "longer than its section");
  table.end = table.lengthEnd + length;
  if (version < 2 || version > 5)
    return fail(table.begin, "version " + Twine(version) + " is not supported");
  if (version >= 5)
    data.getU16(cursor); // sizes of addresses and of segment selectors
  const uint64_t headerLength = data.getUnsigned(cursor, table.isWide ? 8 : 4);
  table.program = cursor.tell() + headerLength;
  minimumLength = data.getU8(cursor);
  const unsigned operationsPerInstruction = version >= 4 ? data.getU8(cursor) : 1;
  data.getU8(cursor); // whether rows begin as statements
  lineBase = int8_t(data.getU8(cursor));
  lineRange = data.getU8(cursor);
  opcodeBase = data.getU8(cursor);
  for (unsigned i = 1; i < opcodeBase; ++i)
    table.operandCounts.push_back(data.getU8(cursor));
  if (!cursor)
    return cursor.takeError();
  if (!minimumLength || operationsPerInstruction != 1 || !lineRange || !opcodeBase || headerLength > old.size() ||
      table.program > table.end || table.program < cursor.tell())
    return fail(table.begin, "corrupt");
  return Error::success();
}

/// An operation of opcode 0, from `operation` on; the cursor is after the opcode.
Error LineMover::moveExtended(const Table &table, uint64_t operation, DataExtractor::Cursor &cursor) {
  const uint64_t size = data.getULEB128(cursor);
  const uint64_t body = cursor.tell();
  if (!cursor || !size || size > table.end - body)
    return cursor ? fail(table.begin, "corrupt") : cursor.takeError();
  const uint8_t sub = data.getU8(cursor);
  cursor.seek(body + size);
  if (sub == dwarf::DW_LNE_end_sequence) {
    endRow(operation, cursor.tell(), std::nullopt, true);
    rowAddress = address = newRowAddress = 0;
    follows = false;
  } else if (sub == dwarf::DW_LNE_set_address) {
    constexpr uint64_t addressSize = 8;
    if (size != 1 + addressSize)
      return fail(table.begin, "addresses of " + Twine(size - 1) + " bytes are not supported");
    flush(/*keepAdvances=*/false);
    copy(operation, cursor.tell());
    rowAddress = address = support::endian::read64le(old.data() + body + 1);
    follows = layout.isCode(address);
    newRowAddress = follows ? layout.target(address) : address;
    support::endian::write64le(moved.bytes.data() + moved.bytes.size() - addressSize, newRowAddress);
  } else {
    held.push_back({operation, cursor.tell(), /*isAdvance=*/false});
  }
  return Error::success();
}

Error LineMover::moveOperation(const Table &table, DataExtractor::Cursor &cursor) {
  const uint64_t operation = cursor.tell();
  const uint8_t opcode = data.getU8(cursor);
  auto hold = [&](bool isAdvance) { held.push_back({operation, cursor.tell(), isAdvance}); };
  if (opcode >= opcodeBase) {
    const unsigned adjusted = opcode - opcodeBase;
    address += uint64_t(adjusted / lineRange) * minimumLength;
    endRow(operation, cursor.tell(), lineBase + int(adjusted % lineRange), false);
    return Error::success();
  }
  switch (opcode) {
  case 0: return moveExtended(table, operation, cursor);
  case dwarf::DW_LNS_copy: endRow(operation, cursor.tell(), std::nullopt, false); break;
  case dwarf::DW_LNS_advance_pc:
    address += data.getULEB128(cursor) * minimumLength;
    hold(true);
    break;
  case dwarf::DW_LNS_const_add_pc:
    address += uint64_t((255 - opcodeBase) / lineRange) * minimumLength;
    hold(true);
    break;
  case dwarf::DW_LNS_fixed_advance_pc:
    address += data.getU16(cursor);
    hold(true);
    break;
  default:
    for (unsigned i = 0; i < table.operandCounts[opcode]; ++i)
      data.getULEB128(cursor);
    hold(false);
    break;
  }
  return Error::success();
}

Error LineMover::moveTable() {
  Table table;
  if (Error error = readHeader(table))
    return error;
  const uint64_t newBegin = moved.bytes.size();
  copy(table.begin, table.program);
  rowAddress = address = newRowAddress = 0;
  follows = false;
  held.clear();
  DataExtractor::Cursor cursor(table.program);
  while (cursor && cursor.tell() < table.end)
    if (Error error = moveOperation(table, cursor))
      return error;
  if (!cursor)
    return cursor.takeError();
  if (cursor.tell() != table.end)
    return fail(table.begin, "corrupt");
  flush(/*keepAdvances=*/true);
  // A shorter program is filled up so that nothing else has to move.
  const uint64_t size = table.end - table.begin;
  if (uint64_t newSize = moved.bytes.size() - newBegin; newSize < size && opcodeBase > dwarf::DW_LNS_set_basic_block)
    moved.bytes.append(size - newSize, char(dwarf::DW_LNS_set_basic_block));
  const uint64_t newLength = moved.bytes.size() - newBegin - (table.lengthEnd - table.begin);
  char *lengthField = moved.bytes.data() + newBegin;
  if (table.isWide)
    support::endian::write64le(lengthField + 4, newLength);
  else
    support::endian::write32le(lengthField, uint32_t(newLength));
  at = table.end;
  return Error::success();
}

Error LineMover::move() {
  while (at < old.size())
    if (Error error = moveTable())
      return error;
  moved.mark(old.size());
  return Error::success();
}
} // namespace

Error moveLines(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved) {
  auto lines = sections.find(".debug_line");
  if (lines == sections.end())
    return Error::success();
  return LineMover(lines->second, layout, moved[".debug_line"]).move();
}

} // namespace inflight
