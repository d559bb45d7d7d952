#include "object/DebugInfoCheck.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Error.h"
#include <map>
#include <vector>

using namespace llvm;

namespace inflight {

namespace {
constexpr unsigned addressSize = 8; ///< bytes

class InfoChecker {
public:
  InfoChecker(StringRef info, StringRef abbreviations)
      : info(info, /*IsLittleEndian=*/true, addressSize),
        abbreviations(abbreviations, /*IsLittleEndian=*/true, addressSize) {}
  bool check();

private:
  struct Abbreviation {
    bool hasChildren;
    SmallVector<uint64_t, 8> forms;
  };
  using Table = DenseMap<uint64_t, Abbreviation>;
  const Table *tableAt(uint64_t offset);
  bool checkUnit(uint64_t &at);
  /// Moves over a value; false when that can't be.
  bool skip(DataExtractor::Cursor &cursor, uint64_t form, unsigned version, unsigned offsetSize, uint64_t end);

  DataExtractor info, abbreviations;
  std::map<uint64_t, Table> tables;
};

const InfoChecker::Table *InfoChecker::tableAt(uint64_t offset) {
  auto [it, isNew] = tables.try_emplace(offset);
  Table &table = it->second;
  if (!isNew)
    return &table;
  DataExtractor::Cursor cursor(offset);
  bool isGood = true;
  while (cursor && isGood) {
    const uint64_t code = abbreviations.getULEB128(cursor);
    if (!cursor || !code)
      break;
    Abbreviation abbreviation;
    abbreviations.getULEB128(cursor); // the tag
    abbreviation.hasChildren = abbreviations.getU8(cursor);
    while (cursor) {
      const uint64_t attribute = abbreviations.getULEB128(cursor), form = abbreviations.getULEB128(cursor);
      if (form == dwarf::DW_FORM_implicit_const)
        abbreviations.getSLEB128(cursor);
      if (!attribute && !form)
        break;
      abbreviation.forms.push_back(form);
    }
    // Codes that stand for special values in the map stand for nothing here.
    isGood = code < UINT32_MAX && table.try_emplace(code, std::move(abbreviation)).second;
  }
  if (cursor && isGood)
    return &table;
  consumeError(cursor.takeError());
  tables.erase(it);
  return nullptr;
}

bool InfoChecker::skip(DataExtractor::Cursor &cursor, uint64_t form, unsigned version, unsigned offsetSize,
                       uint64_t end) {
  using namespace dwarf;
  uint64_t size = 0;
  switch (form) {
  case DW_FORM_flag_present:
  case DW_FORM_implicit_const: break;
  case DW_FORM_flag:
  case DW_FORM_data1:
  case DW_FORM_ref1:
  case DW_FORM_strx1:
  case DW_FORM_addrx1: size = 1; break;
  case DW_FORM_data2:
  case DW_FORM_ref2:
  case DW_FORM_strx2:
  case DW_FORM_addrx2: size = 2; break;
  case DW_FORM_strx3:
  case DW_FORM_addrx3: size = 3; break;
  case DW_FORM_data4:
  case DW_FORM_ref4:
  case DW_FORM_strx4:
  case DW_FORM_addrx4:
  case DW_FORM_ref_sup4: size = 4; break;
  case DW_FORM_data8:
  case DW_FORM_ref8:
  case DW_FORM_ref_sig8:
  case DW_FORM_ref_sup8: size = 8; break;
  case DW_FORM_data16: size = 16; break;
  case DW_FORM_addr: size = addressSize; break;
  case DW_FORM_ref_addr: size = version <= 2 ? addressSize : offsetSize; break;
  case DW_FORM_sec_offset:
  case DW_FORM_strp:
  case DW_FORM_line_strp:
  case DW_FORM_strp_sup: size = offsetSize; break;
  case DW_FORM_sdata:
  case DW_FORM_udata:
  case DW_FORM_ref_udata:
  case DW_FORM_strx:
  case DW_FORM_addrx:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
    info.getULEB128(cursor); // signed and unsigned ones end alike
    break;
  case DW_FORM_string: info.getCStrRef(cursor); break;
  case DW_FORM_block1: size = info.getU8(cursor); break;
  case DW_FORM_block2: size = info.getU16(cursor); break;
  case DW_FORM_block4: size = info.getU32(cursor); break;
  case DW_FORM_block:
  case DW_FORM_exprloc: size = info.getULEB128(cursor); break;
  default: return false; // of DWARF that no compiler for these chips writes
  }
  if (!cursor || cursor.tell() > end || size > end - cursor.tell())
    return false;
  cursor.seek(cursor.tell() + size);
  return true;
}

bool InfoChecker::checkUnit(uint64_t &at) {
  DataExtractor::Cursor cursor(at);
  auto finish = [&](bool isGood) {
    if (Error error = cursor.takeError()) {
      consumeError(std::move(error));
      return false;
    }
    return isGood;
  };
  uint64_t length = info.getU32(cursor);
  const bool isWide = length == dwarf::DW_LENGTH_DWARF64;
  if (isWide)
    length = info.getU64(cursor);
  const unsigned offsetSize = isWide ? 8 : 4;
  if (!cursor || length > info.size() - cursor.tell())
    return finish(false);
  const uint64_t end = cursor.tell() + length;
  const unsigned version = info.getU16(cursor);
  unsigned kind = dwarf::DW_UT_compile, size = addressSize;
  uint64_t table = 0;
  if (version >= 5) {
    kind = info.getU8(cursor);
    size = info.getU8(cursor);
    table = info.getUnsigned(cursor, offsetSize);
  } else {
    table = info.getUnsigned(cursor, offsetSize);
    size = info.getU8(cursor);
  }
  if (kind != dwarf::DW_UT_compile && kind != dwarf::DW_UT_partial && kind != dwarf::DW_UT_type)
    return finish(false);
  if (kind == dwarf::DW_UT_type) {
    info.getU64(cursor);
    info.getUnsigned(cursor, offsetSize);
  }
  if (!cursor || cursor.tell() > end || version < 2 || version > 5 || size != addressSize)
    return finish(false);
  const Table *abbreviation = tableAt(table);
  if (!abbreviation)
    return finish(false);
  uint64_t depth = 0;
  while (cursor && cursor.tell() < end) {
    const uint64_t code = info.getULEB128(cursor);
    if (!code) {
      // Zeros at the end are padding.
      depth -= depth > 0;
      continue;
    }
    auto found = code < UINT32_MAX ? abbreviation->find(code) : abbreviation->end();
    if (found == abbreviation->end())
      return finish(false);
    for (uint64_t form : found->second.forms)
      if (!skip(cursor, form, version, offsetSize, end))
        return finish(false);
    depth += found->second.hasChildren;
    constexpr uint64_t deepest = 1000;
    if (depth > deepest)
      return finish(false);
  }
  at = end;
  return finish(depth == 0 && cursor.tell() == end);
}

bool InfoChecker::check() {
  for (uint64_t at = 0; at < info.size();)
    if (!checkUnit(at))
      return false;
  return true;
}
} // namespace

bool isWellFormedDebugInfo(StringRef info, StringRef abbreviations) { return InfoChecker(info, abbreviations).check(); }

} // namespace inflight
