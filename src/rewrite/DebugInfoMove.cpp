#include "rewrite/DebugInfoMove.h"

#include "object/DebugInfoCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/LowLevel/DWARFExpression.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::support::endian;

namespace inflight {

static constexpr uint64_t addressSize = 8; ///< bytes

uint64_t MovedSection::offset(uint64_t old) const {
  auto part = partition_point(parts, [&](const auto &p) { return p.first <= old; });
  if (part == parts.begin())
    return old;
  --part;
  return part->second + (old - part->first);
}

void moveExpression(MutableArrayRef<char> expression, const CodeLayout &layout) {
  const std::string old(expression.data(), expression.size());
  DWARFExpression operations(DataExtractor(old, /*IsLittleEndian=*/true, addressSize), addressSize);
  for (const DWARFExpression::Operation &operation : operations) {
    if (operation.isError())
      return;
    if (operation.getCode() == dwarf::DW_OP_addr && operation.getEndOffset() >= addressSize) {
      char *address = expression.data() + operation.getEndOffset() - addressSize;
      write64le(address, layout.target(read64le(address)));
    }
  }
}

/// .debug_addr and .debug_aranges.
Error moveAddresses(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved) {
  for (StringRef name : {".debug_addr", ".debug_aranges"}) {
    auto section = sections.find(name);
    if (section == sections.end())
      continue;
    const bool areRanges = name == ".debug_aranges";
    std::string bytes = section->second;
    DataExtractor data(section->second, /*IsLittleEndian=*/true, addressSize);
    auto fail = [&](uint64_t at, const Twine &message) {
      return makeError(name + " at offset 0x" + Twine::utohexstr(at) + ": " + message);
    };
    for (uint64_t begin = 0; begin < bytes.size();) {
      DataExtractor::Cursor cursor(begin);
      uint64_t length = data.getU32(cursor);
      const bool isWide = length == dwarf::DW_LENGTH_DWARF64;
      if (isWide)
        length = data.getU64(cursor);
      const uint64_t lengthEnd = cursor.tell();
      const unsigned version = data.getU16(cursor);
      if (areRanges)
        data.getUnsigned(cursor, isWide ? 8 : 4); // the unit
      const unsigned size = data.getU8(cursor);
      data.getU8(cursor); // size of segment selectors
      if (!cursor)
        return cursor.takeError();
      if (length > bytes.size() - lengthEnd || lengthEnd + length < cursor.tell())
        return fail(begin, "longer than its section");
      if (version != (areRanges ? 2 : 5) || size != addressSize)
        return fail(begin,
                    "version " + Twine(version) + " with addresses of " + Twine(size) + " bytes is not supported");
      const uint64_t end = lengthEnd + length;
      uint64_t at = cursor.tell();
      if (areRanges)
        at = begin + alignTo(at - begin, 2 * addressSize);
      for (; at + (areRanges ? 2 : 1) * addressSize <= end; at += (areRanges ? 2 : 1) * addressSize) {
        const uint64_t address = read64le(bytes.data() + at);
        if (areRanges && layout.isCode(address) && address)
          write64le(bytes.data() + at + addressSize,
                    layout.end(address + read64le(bytes.data() + at + addressSize)) - layout.target(address));
        write64le(bytes.data() + at, layout.target(address));
      }
      begin = end;
    }
    moved[name].bytes = std::move(bytes);
  }
  return Error::success();
}

namespace {
class EntryMover {
public:
  EntryMover(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved)
      : sections(sections), layout(layout), moved(moved), bytes(sections.find(".debug_info")->second) {}
  Error move();

private:
  void moveUnit(DWARFUnit &unit);
  void moveAttribute(DWARFUnit &unit, const DWARFDie &die, const DWARFAttribute &attribute);
  struct ListForm {
    StringRef section;
    dwarf::Form indexed; ///< by its number in the table at `base`
    dwarf::Attribute base;
    bool isOffset; ///< else, in the section
  };
  void moveList(DWARFUnit &unit, const DWARFAttribute &attribute, const ListForm &kind);
  void addList(DWARFUnit &unit, StringRef section, uint64_t offset);
  void refer(const DWARFAttribute &attribute, StringRef section) {
    references.push_back({attribute.Offset, attribute.ByteSize, section, attribute.Value.getRawUValue()});
  }
  /// The offset of a list that is named by its number in a table.
  std::optional<uint64_t> listOffset(DWARFUnit &unit, StringRef section, dwarf::Attribute base, uint64_t number) const;
  void writeConstant(const DWARFAttribute &attribute, uint64_t value);
  void noteProblem(const Twine &message) {
    if (problem.empty())
      problem = message.str();
  }

  struct Reference { ///< in .debug_info, to a place in another section
    uint64_t at;
    unsigned size;
    StringRef section;
    uint64_t offset;
  };
  const DebugSections &sections;
  const CodeLayout &layout;
  MovedSections &moved;
  std::string bytes;
  std::vector<Reference> references;
  std::map<StringRef, DebugLists> lists; ///< by section
  std::string problem;
};

std::optional<uint64_t> EntryMover::listOffset(DWARFUnit &unit, StringRef section, dwarf::Attribute base,
                                               uint64_t number) const {
  auto lists = sections.find(section);
  const std::optional<uint64_t> table = dwarf::toSectionOffset(unit.getUnitDIE().find(base));
  const uint64_t size = unit.getFormat() == dwarf::DWARF64 ? 8 : 4;
  if (lists == sections.end() || !table || *table > lists->second.size() ||
      number >= (lists->second.size() - *table) / size)
    return std::nullopt;
  const char *entry = lists->second.data() + *table + size * number;
  return *table + (size == 8 ? read64le(entry) : read32le(entry));
}

/// Writes a number into the bytes that another had.
void EntryMover::writeConstant(const DWARFAttribute &attribute, uint64_t value) {
  char *at = bytes.data() + attribute.Offset;
  const unsigned size = attribute.ByteSize;
  const dwarf::Form form = attribute.Value.getForm();
  if (form == dwarf::DW_FORM_udata || form == dwarf::DW_FORM_sdata) {
    const bool isSigned = form == dwarf::DW_FORM_sdata;
    uint8_t buffer[16];
    const unsigned needed = isSigned ? encodeSLEB128(int64_t(value), buffer, size) : encodeULEB128(value, buffer, size);
    if (needed > size)
      return noteProblem("a length at offset 0x" + Twine::utohexstr(attribute.Offset) +
                         " has no room for a larger one");
    std::copy_n(buffer, size, at);
    return;
  }
  if (size == 0 || size > 8 || (size < 8 && value >> 8 * size))
    return noteProblem("a length at offset 0x" + Twine::utohexstr(attribute.Offset) + " has no room for a larger one");
  for (unsigned i = 0; i < size; ++i)
    at[i] = char(value >> 8 * i);
}

void EntryMover::addList(DWARFUnit &unit, StringRef section, uint64_t offset) {
  DebugList &list = lists[section][offset];
  std::optional<object::SectionedAddress> base = unit.getBaseAddress();
  list.base = base ? base->Address : 0;
  list.addressAt = [&unit](uint64_t index) -> std::optional<uint64_t> {
    std::optional<object::SectionedAddress> address = unit.getAddrOffsetSectionItem(uint32_t(index));
    return address ? std::optional(address->Address) : std::nullopt;
  };
}

void EntryMover::moveList(DWARFUnit &unit, const DWARFAttribute &attribute, const ListForm &kind) {
  const uint64_t value = attribute.Value.getRawUValue();
  if (attribute.Value.getForm() == kind.indexed) {
    if (std::optional<uint64_t> offset = listOffset(unit, kind.section, kind.base, value))
      addList(unit, kind.section, *offset);
  } else if (kind.isOffset) {
    addList(unit, kind.section, value);
    refer(attribute, kind.section);
  }
}

void EntryMover::moveAttribute(DWARFUnit &unit, const DWARFDie &die, const DWARFAttribute &attribute) {
  using namespace dwarf;
  const DWARFFormValue &value = attribute.Value;
  const Form form = value.getForm();
  const bool isNew = unit.getVersion() >= 5;
  if (form == DW_FORM_addr) {
    const uint64_t address = value.getRawUValue();
    if (attribute.ByteSize == addressSize)
      write64le(bytes.data() + attribute.Offset,
                attribute.Attr == DW_AT_high_pc ? layout.end(address) : layout.target(address));
    return;
  }
  if (value.isFormClass(DWARFFormValue::FC_Exprloc) || value.isFormClass(DWARFFormValue::FC_Block)) {
    std::optional<ArrayRef<uint8_t>> block = value.getAsBlock();
    if (block && block->size() <= attribute.ByteSize && DWARFAttribute::mayHaveLocationExpr(attribute.Attr))
      moveExpression({bytes.data() + attribute.Offset + attribute.ByteSize - block->size(), block->size()}, layout);
    return;
  }
  switch (attribute.Attr) {
  case DW_AT_high_pc:
  case DW_AT_entry_pc:
    if (value.isFormClass(DWARFFormValue::FC_Constant)) {
      const std::optional<uint64_t> low = toAddress(die.find(DW_AT_low_pc));
      if (low && layout.isCode(*low)) {
        const uint64_t there = *low + value.getRawUValue();
        writeConstant(attribute, (attribute.Attr == DW_AT_high_pc ? layout.end(there) : layout.target(there)) -
                                     layout.target(*low));
      }
    }
    break;
  case DW_AT_stmt_list: refer(attribute, ".debug_line"); break;
  case DW_AT_rnglists_base: refer(attribute, ".debug_rnglists"); break;
  case DW_AT_loclists_base: refer(attribute, ".debug_loclists"); break;
  case DW_AT_ranges:
  case DW_AT_start_scope:
    moveList(unit, attribute,
             {isNew ? ".debug_rnglists" : ".debug_ranges", DW_FORM_rnglistx, DW_AT_rnglists_base,
              value.isFormClass(DWARFFormValue::FC_SectionOffset)});
    break;
  default:
    if (DWARFAttribute::mayHaveLocationList(attribute.Attr))
      moveList(unit, attribute,
               {isNew || form == DW_FORM_loclistx ? ".debug_loclists" : ".debug_loc", DW_FORM_loclistx,
                DW_AT_loclists_base, form == DW_FORM_sec_offset});
    break;
  }
}

void EntryMover::moveUnit(DWARFUnit &unit) {
  for (const DWARFDebugInfoEntry &entry : unit.dies()) {
    if (!entry.getAbbreviationDeclarationPtr())
      continue; // ends a list of children
    DWARFDie die(&unit, &entry);
    for (const DWARFAttribute &attribute : die.attributes())
      if (attribute.Offset + attribute.ByteSize <= bytes.size())
        moveAttribute(unit, die, attribute);
  }
}

Error EntryMover::move() {
  StringMap<std::unique_ptr<MemoryBuffer>> buffers;
  for (const auto &section : sections)
    buffers[section.first().drop_front()] =
        MemoryBuffer::getMemBuffer(section.second, section.first(), /*RequiresNullTerminator=*/false);
  std::unique_ptr<DWARFContext> context = DWARFContext::create(
      buffers, addressSize, /*isLittleEndian=*/true, [&](Error error) { noteProblem(toString(std::move(error))); },
      [](Error warning) { consumeError(std::move(warning)); });
  for (const std::unique_ptr<DWARFUnit> &unit : context->info_section_units())
    moveUnit(*unit);
  if (!problem.empty())
    return makeError(problem);
  if (Error error = moveLists(".debug_rnglists", false, lists[".debug_rnglists"], sections, layout, moved))
    return error;
  if (Error error = moveLists(".debug_loclists", true, lists[".debug_loclists"], sections, layout, moved))
    return error;
  if (Error error = movePlainLists(".debug_ranges", false, lists[".debug_ranges"], sections, layout, moved))
    return error;
  if (Error error = movePlainLists(".debug_loc", true, lists[".debug_loc"], sections, layout, moved))
    return error;
  for (const Reference &reference : references) {
    auto section = moved.find(reference.section);
    if (section == moved.end() || (reference.size != 4 && reference.size != 8))
      continue;
    const uint64_t offset = section->second.offset(reference.offset);
    if (reference.size == 8)
      write64le(bytes.data() + reference.at, offset);
    else
      write32le(bytes.data() + reference.at, uint32_t(offset));
  }
  moved[".debug_info"].bytes = std::move(bytes);
  return Error::success();
}
} // namespace

Error moveEntries(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved) {
  if (sections.contains(".debug_types"))
    return makeError(".debug_types is not supported");
  auto info = sections.find(".debug_info"), abbreviations = sections.find(".debug_abbrev");
  if (info == sections.end())
    return Error::success();
  if (!isWellFormedDebugInfo(info->second,
                             abbreviations == sections.end() ? StringRef() : StringRef(abbreviations->second)))
    return makeError(".debug_info is corrupt, or of a kind that is not supported");
  return EntryMover(sections, layout, moved).move();
}

Expected<MovedSections> moveDebugInfo(const DebugSections &sections, const CodeLayout &layout) {
  MovedSections moved;
  for (auto part : {moveLines, moveFrames, moveAddresses, moveEntries})
    if (Error error = part(sections, layout, moved))
      return std::move(error);
  // What came out the same stays untouched.
  for (const auto &section : sections)
    if (auto it = moved.find(section.first()); it != moved.end() && it->second.bytes == section.second)
      moved.erase(it);
  return std::move(moved);
}

} // namespace inflight
