#include "object/SourceLines.h"

#include "object/DebugInfoCheck.h"
#include "support/Printable.h"
#include "support/report/SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace inflight {

struct SourceLines::Contents {
  std::unique_ptr<object::ObjectFile> file;
  std::unique_ptr<DWARFContext> dwarf;
};

namespace {

using object::ELF64LE;

template <typename T> std::optional<T> take(Expected<T> expected) {
  if (expected)
    return std::move(*expected);
  consumeError(expected.takeError());
  return std::nullopt;
}

/// Whether what refers to something in the file refers to what is there: LLVM's reader of debug info ends the process
/// otherwise.
class LinesCheck {
public:
  explicit LinesCheck(const object::ELFFile<ELF64LE> &elf) : elf(elf) {}

  /// False, too, when there are no lines to read.
  bool mayHaveLines() {
    std::optional<ELF64LE::ShdrRange> found = take(elf.sections());
    if (!found)
      return false;
    sections = *found;
    for (const ELF64LE::Shdr &section : sections)
      if (!checkContents(section) || !checkTable(section))
        return false;
    if (elf.getHeader().e_type == ELF::ET_REL)
      relocateInfo();
    return hasLines && isWellFormedDebugInfo(info, abbreviations);
  }

private:
  std::optional<size_t> symbolsOf(uint32_t index) const {
    if (index >= sections.size())
      return std::nullopt;
    const ELF64LE::Shdr &table = sections[index];
    if ((table.sh_type != ELF::SHT_SYMTAB && table.sh_type != ELF::SHT_DYNSYM) ||
        !take(elf.getStringTableForSymtab(table)))
      return std::nullopt;
    std::optional<ELF64LE::SymRange> symbols = take(elf.symbols(&table));
    return symbols ? std::optional(symbols->size()) : std::nullopt;
  }

  bool checkContents(const ELF64LE::Shdr &section) {
    std::optional<StringRef> name = take(elf.getSectionName(section));
    if (!name || (section.sh_type != ELF::SHT_NOBITS && !take(elf.getSectionContents(section))))
      return false;
    if (section.sh_flags & ELF::SHF_COMPRESSED) {
      // A corrupt header must not make us allocate the size it claims.
      constexpr uint64_t maximumBytes = uint64_t(1) << 28;
      const size_t header = sizeof(ELF64LE::Chdr);
      std::optional<ArrayRef<uint8_t>> contents = take(elf.getSectionContents(section));
      if (!contents || contents->size() < header ||
          reinterpret_cast<const ELF64LE::Chdr *>(contents->data())->ch_size > maximumBytes)
        return false;
    }
    hasLines |= *name == ".debug_line";
    if (*name == ".debug_info" || *name == ".debug_abbrev")
      if (std::optional<ArrayRef<uint8_t>> contents = take(elf.getSectionContents(section));
          contents && !(section.sh_flags & ELF::SHF_COMPRESSED))
        (*name == ".debug_info" ? info : abbreviations) = toStringRef(*contents).str();
    return true;
  }

  /// Whether what a table of symbols or relocations refers to exists.
  bool checkTable(const ELF64LE::Shdr &section) const {
    if (section.sh_type == ELF::SHT_REL || section.sh_type == ELF::SHT_CREL)
      return false; // not of this machine
    if (section.sh_type == ELF::SHT_SYMTAB || section.sh_type == ELF::SHT_DYNSYM) {
      std::optional<ELF64LE::SymRange> symbols =
          symbolsOf(&section - sections.begin()) ? take(elf.symbols(&section)) : std::nullopt;
      return symbols && none_of(*symbols, [&](const ELF64LE::Sym &symbol) {
               return (symbol.st_shndx >= sections.size() && symbol.st_shndx < ELF::SHN_LORESERVE) ||
                      symbol.st_shndx == ELF::SHN_XINDEX;
             });
    }
    if (section.sh_type == ELF::SHT_RELA) {
      std::optional<ELF64LE::RelaRange> relocations = take(elf.relas(section));
      std::optional<size_t> symbols = symbolsOf(section.sh_link);
      return relocations && symbols && section.sh_info < sections.size() &&
             none_of(
                 *relocations,
                 [&](const ELF64LE::Rela &relocation) { return relocation.getSymbol(false) >= *symbols; });
    }
    return true;
  }

  /// Offsets of tables of abbreviations are among these.
  void relocateInfo() {
    for (const ELF64LE::Shdr &section : sections)
      if (section.sh_type == ELF::SHT_RELA &&
          take(elf.getSectionName(sections[section.sh_info])) == StringRef(".debug_info"))
        for (const ELF64LE::Rela &relocation : cantFail(elf.relas(section)))
          if (relocation.getType(false) == ELF::R_AMDGPU_ABS32 && info.size() >= 4 &&
              relocation.r_offset <= info.size() - 4) {
            std::optional<ELF64LE::SymRange> symbols = take(elf.symbols(&sections[section.sh_link]));
            if (symbols)
              support::endian::write32le(
                  info.data() + relocation.r_offset,
                  uint32_t((*symbols)[relocation.getSymbol(false)].st_value + relocation.r_addend));
          }
  }

  const object::ELFFile<ELF64LE> &elf;
  ELF64LE::ShdrRange sections;
  bool hasLines = false;
  std::string info, abbreviations; ///< contents of .debug_info and .debug_abbrev
};

} // namespace

static bool mayHaveLines(StringRef bytes) {
  std::optional<object::ELFFile<ELF64LE>> elf = take(object::ELFFile<ELF64LE>::create(bytes));
  return elf && LinesCheck(*elf).mayHaveLines();
}

SourceLines::SourceLines(StringRef bytes) : contents(std::make_unique<Contents>()) {
  if (!mayHaveLines(bytes))
    return;
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(bytes, "code object"));
  if (!file) {
    consumeError(file.takeError());
    return;
  }
  contents->file = std::move(*file);
  // Broken debug info is as good as none.
  contents->dwarf = DWARFContext::create(
      *contents->file, DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
      [](Error error) { consumeError(std::move(error)); }, [](Error warning) { consumeError(std::move(warning)); });
}

SourceLines::~SourceLines() = default;

/// Line 0 stands for code that belongs to no line: the last line before it says where one is.
static void moveToLine(const DWARFDebugLine::LineTable &table, uint32_t row, const char *folder, DILineInfo &line) {
  if (row >= table.Rows.size())
    return;
  while (!table.Rows[row].Line && row && !table.Rows[row - 1].EndSequence)
    --row;
  const DWARFDebugLine::Row &found = table.Rows[row];
  std::string file;
  if (!found.Line || !table.getFileNameByIndex(found.File, folder ? folder : "",
                                               DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, file))
    return;
  line.FileName = std::move(file);
  line.Line = found.Line;
  line.Column = found.Column;
}

static DILineInfoSpecifier wanted() {
  return {DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, DILineInfoSpecifier::FunctionNameKind::None};
}

bool SourceLines::hasAny() const { return contents->dwarf && contents->dwarf->getNumCompileUnits(); }

std::vector<SourceLocation> SourceLines::frames(uint64_t address) const {
  std::vector<SourceLocation> places = {of(address)};
  if (places.front().file.empty())
    return {};
  const DIInliningInfo inlined =
      contents->dwarf->getInliningInfoForAddress({address, object::SectionedAddress::UndefSection}, wanted());
  for (uint32_t i = 1; i < inlined.getNumberOfFrames(); ++i)
    if (const DILineInfo &call = inlined.getFrame(i); call.FileName != DILineInfo::BadString)
      places.push_back({printable(call.FileName), call.Line, call.Column});
  return places;
}

SourceLocation SourceLines::own(uint64_t address) const {
  const std::vector<SourceLocation> places = frames(address);
  if (places.empty())
    return {};
  const auto found = find_if(places, [](const SourceLocation &place) { return !isSystemSource(place.file); });
  return found == places.end() ? places.front() : *found;
}

std::string SourceLines::text(uint64_t address) const {
  std::string text;
  for (const SourceLocation &place : frames(address))
    text += (text.empty() ? "" : " -> ") + place.file + ":" + std::to_string(place.line);
  return text;
}

SourceLocation SourceLines::of(uint64_t address) const {
  if (!contents->dwarf)
    return {};
  const object::SectionedAddress place{address, object::SectionedAddress::UndefSection};
  std::optional<DILineInfo> line = contents->dwarf->getLineInfoForAddress(place, wanted());
  if (!line || line->FileName == DILineInfo::BadString)
    return {};
  if (!line->Line)
    if (DWARFCompileUnit *unit = contents->dwarf->getCompileUnitForCodeAddress(address))
      if (const DWARFDebugLine::LineTable *table = contents->dwarf->getLineTableForUnit(unit))
        moveToLine(*table, table->lookupAddress(place), unit->getCompilationDir(), *line);
  return {printable(line->FileName), line->Line, line->Column};
}

std::map<std::string, MD5::MD5Result> SourceLines::checksums() const {
  std::map<std::string, MD5::MD5Result> sums;
  if (!contents->dwarf)
    return sums;
  for (const auto &unit : contents->dwarf->compile_units()) {
    const DWARFDebugLine::LineTable *table = contents->dwarf->getLineTableForUnit(unit.get());
    if (!table || !table->Prologue.ContentTypes.HasMD5)
      continue;
    const char *folder = unit->getCompilationDir();
    for (uint64_t file = 0; file < table->Prologue.FileNames.size(); ++file)
      if (std::string name; table->getFileNameByIndex(file, folder ? folder : "",
                                                      DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, name))
        sums[name] = table->Prologue.FileNames[file].Checksum;
  }
  return sums;
}

} // namespace inflight
