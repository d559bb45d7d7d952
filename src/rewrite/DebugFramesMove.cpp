// .debug_frame: descriptions of frames are copied, with other advances of the address where those change.
#include "rewrite/DebugInfoMove.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::support::endian;

namespace inflight {

namespace {
constexpr uint64_t addressSize = 8; ///< bytes

class FrameMover {
public:
  FrameMover(StringRef old, const CodeLayout &layout, MovedSection &moved)
      : old(old), data(old, /*IsLittleEndian=*/true, /*AddressSize=*/8), layout(layout), moved(moved) {}
  Error move();

private:
  struct Common {
    uint64_t codeAlignment = 1;
    bool isAugmented = false;
  };
  Error fail(const Twine &message) const {
    return makeError("description of a frame at offset 0x" + Twine::utohexstr(entry) + ": " + message);
  }
  /// Offsets of an entry that describes code.
  struct Description {
    bool isWide;
    uint64_t lengthEnd;
    uint64_t pointer; ///< to what it has in common with others
    uint64_t fields;  ///< its code's address and range
    uint64_t end;
  };
  Error moveDescription(const Description &at);
  Expected<Common> readCommon(uint64_t offset) const;
  Error moveInstructions(uint64_t begin, uint64_t end, uint64_t address, uint64_t alignment);
  Error skipOperands(DataExtractor::Cursor &cursor, uint8_t opcode) const;
  Error emitAdvance(uint64_t bytes, uint64_t alignment);

  StringRef old;
  DataExtractor data;
  const CodeLayout &layout;
  MovedSection &moved;
  uint64_t entry = 0;
};

Expected<FrameMover::Common> FrameMover::readCommon(uint64_t offset) const {
  DataExtractor::Cursor cursor(offset);
  const uint32_t length = data.getU32(cursor);
  const unsigned wide = length == dwarf::DW_LENGTH_DWARF64;
  if (wide)
    data.getU64(cursor);
  data.getUnsigned(cursor, wide ? 8 : 4);
  const unsigned version = data.getU8(cursor);
  StringRef augmentation = data.getCStrRef(cursor);
  if (version >= 4)
    data.getU16(cursor); // sizes of addresses and of segment selectors
  Common common;
  common.codeAlignment = data.getULEB128(cursor);
  if (!cursor)
    return cursor.takeError();
  common.isAugmented = augmentation.starts_with("z");
  if (!common.codeAlignment)
    return fail("corrupt");
  return common;
}

/// The operands of the instructions that don't hold them in themselves (DWARF 5, "Call Frame Instructions").
Error FrameMover::skipOperands(DataExtractor::Cursor &cursor, uint8_t opcode) const {
  using namespace dwarf;
  auto block = [&] {
    const uint64_t size = data.getULEB128(cursor);
    data.skip(cursor, size);
  };
  switch (opcode) {
  case DW_CFA_nop:
  case DW_CFA_remember_state:
  case DW_CFA_restore_state: break;
  case DW_CFA_restore_extended:
  case DW_CFA_undefined:
  case DW_CFA_same_value:
  case DW_CFA_def_cfa_register:
  case DW_CFA_def_cfa_offset:
  case DW_CFA_def_cfa_offset_sf:
    data.getULEB128(cursor); // signed and unsigned ones end alike
    break;
  case DW_CFA_offset_extended:
  case DW_CFA_offset_extended_sf:
  case DW_CFA_register:
  case DW_CFA_def_cfa:
  case DW_CFA_def_cfa_sf:
  case DW_CFA_val_offset:
  case DW_CFA_val_offset_sf:
    data.getULEB128(cursor);
    data.getULEB128(cursor);
    break;
  case DW_CFA_def_cfa_expression: block(); break;
  case DW_CFA_expression:
  case DW_CFA_val_expression:
    data.getULEB128(cursor);
    block();
    break;
  case DW_CFA_LLVM_def_aspace_cfa:
  case DW_CFA_LLVM_def_aspace_cfa_sf:
    for (int i = 0; i < 3; ++i)
      data.getULEB128(cursor);
    break;
  default: return fail("instruction 0x" + Twine::utohexstr(opcode) + " is not supported");
  }
  return Error::success();
}

Error FrameMover::emitAdvance(uint64_t bytes, uint64_t alignment) {
  if (bytes % alignment)
    return fail("a place in the middle of an instruction");
  const uint64_t units = bytes / alignment;
  char operand[4];
  write32le(operand, uint32_t(units));
  if (units < 64) {
    moved.bytes += char(dwarf::DW_CFA_advance_loc | units);
  } else if (isUInt<8>(units)) {
    moved.bytes += char(dwarf::DW_CFA_advance_loc1);
    moved.bytes.append(operand, 1);
  } else if (isUInt<16>(units)) {
    moved.bytes += char(dwarf::DW_CFA_advance_loc2);
    moved.bytes.append(operand, 2);
  } else {
    moved.bytes += char(dwarf::DW_CFA_advance_loc4);
    moved.bytes.append(operand, 4);
  }
  return Error::success();
}

Error FrameMover::moveInstructions(uint64_t begin, uint64_t end, uint64_t address, uint64_t alignment) {
  uint64_t newAddress = layout.target(address);
  DataExtractor::Cursor cursor(begin);
  constexpr uint8_t inItself = 0xc0; // these bits name instructions with an operand in the others
  while (cursor && cursor.tell() < end) {
    const uint64_t operation = cursor.tell();
    const uint8_t opcode = data.getU8(cursor);
    uint64_t units = 0;
    bool isAdvance = true;
    if ((opcode & inItself) == dwarf::DW_CFA_advance_loc)
      units = opcode & ~inItself;
    else if (opcode == dwarf::DW_CFA_advance_loc1)
      units = data.getU8(cursor);
    else if (opcode == dwarf::DW_CFA_advance_loc2)
      units = data.getU16(cursor);
    else if (opcode == dwarf::DW_CFA_advance_loc4)
      units = data.getU32(cursor);
    else
      isAdvance = false;
    if (isAdvance) {
      address += units * alignment;
      const uint64_t wanted = std::max(newAddress, layout.target(address));
      if (wanted - newAddress != units * alignment) {
        if (Error error = emitAdvance(wanted - newAddress, alignment))
          return error;
        newAddress = wanted;
        continue;
      }
      newAddress = wanted;
    } else if ((opcode & inItself) == dwarf::DW_CFA_offset) {
      data.getULEB128(cursor);
    } else if ((opcode & inItself) == 0) {
      if (Error error = skipOperands(cursor, opcode)) {
        consumeError(cursor.takeError());
        return error;
      }
    }
    moved.mark(operation);
    moved.bytes += old.substr(operation, cursor.tell() - operation);
  }
  if (!cursor)
    return cursor.takeError();
  return cursor.tell() == end ? Error::success() : fail("corrupt");
}

Error FrameMover::moveDescription(const Description &at) {
  Expected<Common> common = readCommon(at.pointer);
  if (!common)
    return common.takeError();
  const uint64_t newEntry = moved.bytes.size();
  uint64_t instructions = at.fields + 2 * addressSize;
  if (common->isAugmented) {
    DataExtractor::Cursor cursor(instructions);
    const uint64_t size = data.getULEB128(cursor);
    instructions = cursor.tell() + size;
    if (!cursor)
      return cursor.takeError();
    if (size > at.end || instructions > at.end)
      return fail("corrupt");
  }
  const uint64_t address = read64le(old.data() + at.fields), range = read64le(old.data() + at.fields + addressSize);
  moved.bytes += old.substr(entry, instructions - entry);
  char *newFields = moved.bytes.data() + newEntry + (at.fields - entry);
  write64le(newFields, layout.target(address));
  write64le(newFields + addressSize, layout.end(address + range) - layout.target(address));
  if (Error error = moveInstructions(instructions, at.end, address, common->codeAlignment))
    return error;
  // Entries are as long as their section's alignment has it.
  while ((moved.bytes.size() - newEntry) % addressSize != (at.end - entry) % addressSize)
    moved.bytes += char(dwarf::DW_CFA_nop);
  const uint64_t newLength = moved.bytes.size() - newEntry - (at.lengthEnd - entry);
  char *lengthField = moved.bytes.data() + newEntry;
  if (at.isWide)
    write64le(lengthField + 4, newLength);
  else
    write32le(lengthField, uint32_t(newLength));
  // Descriptions name what they have in common by its place.
  char *pointerField = moved.bytes.data() + newEntry + (at.lengthEnd - entry);
  if (at.isWide)
    write64le(pointerField, moved.offset(at.pointer));
  else
    write32le(pointerField, uint32_t(moved.offset(at.pointer)));
  return Error::success();
}

Error FrameMover::move() {
  while (entry < old.size()) {
    DataExtractor::Cursor cursor(entry);
    uint64_t length = data.getU32(cursor);
    const bool isWide = length == dwarf::DW_LENGTH_DWARF64;
    if (isWide)
      length = data.getU64(cursor);
    const uint64_t lengthEnd = cursor.tell();
    const uint64_t pointer = data.getUnsigned(cursor, isWide ? 8 : 4);
    if (!cursor)
      return cursor.takeError();
    if (length > old.size() - lengthEnd || lengthEnd + length < cursor.tell())
      return fail("longer than its section");
    const uint64_t end = lengthEnd + length;
    const bool isCommon = pointer == (isWide ? dwarf::DW64_CIE_ID : uint64_t(dwarf::DW_CIE_ID));
    const uint64_t fields = cursor.tell();
    moved.mark(entry);
    if (isCommon || end - fields < 2 * addressSize || !layout.isCode(read64le(old.data() + fields))) {
      moved.bytes += old.substr(entry, end - entry);
    } else if (Error error = moveDescription({isWide, lengthEnd, pointer, fields, end})) {
      return error;
    }
    entry = end;
  }
  moved.mark(old.size());
  return Error::success();
}
} // namespace

Error moveFrames(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved) {
  auto frames = sections.find(".debug_frame");
  if (frames == sections.end())
    return Error::success();
  return FrameMover(frames->second, layout, moved[".debug_frame"]).move();
}

} // namespace inflight
