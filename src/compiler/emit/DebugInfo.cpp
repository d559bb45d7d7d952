#include "compiler/emit/DebugInfo.h"

#include "support/Diagnostics.h"
#include "support/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/MC/MCDwarf.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inflight::lir {

std::string endOf(const Function &function) { return ".L" + function.name + "_end"; }

DebugInfo::DebugInfo(ArrayRef<const Function *> functions, SourceFile input)
    : functions(functions), input(input), files{input.name.str()}, numbers{{input.name.str(), 0}} {
  for (const Function *function : functions)
    for (const std::string &file : function->sourceFiles)
      if (!file.empty() && numbers.try_emplace(file, files.size()).second)
        files.push_back(file);
}

DebugInfo::Line DebugInfo::lineOf(const Function &function, Place place) const {
  if (!place.known())
    return {};
  // LLVM's tables have 16 bits for it.
  constexpr unsigned lastColumn = 0xffff;
  const auto number = numbers.find(function.fileOf(place).str());
  return {number == numbers.end() ? 0 : number->second, place.line, place.column > lastColumn ? 0 : place.column};
}

std::optional<DebugInfo::Line> DebugInfo::Lines::at(const Inst &inst, bool beginsBlock) {
  const bool isFirst = !last;
  Line line = info.lineOf(function, inst.place);
  if (!line.line && isFirst)
    line = info.lineOf(function, function.place);
  if (line == last || (!line.line && !beginsBlock && !isFirst))
    return std::nullopt;
  last = line;
  return line;
}

void emitLine(const DebugInfo::Line &line, raw_ostream &os) {
  os << "  .loc " << line.file << ' ' << line.line << ' ' << line.column << '\n';
}

void emitLine(const DebugInfo::Line &line, MCStreamer &streamer) {
  streamer.emitDwarfLocDirective(line.file, line.line, line.column, DWARF2_FLAG_IS_STMT, 0, 0, "");
}

/// As the assembler reads it back.
static void writeString(StringRef text, raw_ostream &os) {
  os << '"';
  // DWARF's strings end there.
  os.write_escaped(text.split('\0').first) << '"';
}

static StringRef nameOf(StringRef file) { return file == "-" ? "<stdin>" : file; }

static std::string currentFolder() {
  SmallString<128> folder;
  return sys::fs::current_path(folder) ? "" : folder.str().str();
}

/// Zeros, which debuggers take for none, of what can't be read: a line table has sums of all its files or none.
static MD5::MD5Result checksumOf(StringRef file) {
  const std::optional<std::string> path = pathOfSource(file);
  if (!path)
    return {};
  Expected<std::string> contents = readFile(*path);
  if (!contents) {
    consumeError(contents.takeError());
    return {};
  }
  return MD5::hash(arrayRefFromStringRef(*contents));
}

void DebugInfo::emitFiles(raw_ostream &os) const {
  for (auto [number, file] : enumerate(files)) {
    os << ".file " << number << ' ';
    if (!number) {
      writeString(currentFolder(), os);
      os << ' ';
    }
    writeString(nameOf(file), os);
    const MD5::MD5Result sum = number ? checksumOf(file) : MD5::hash(arrayRefFromStringRef(input.text));
    os << " md5 0x" << sum.digest() << '\n';
  }
}

namespace {

using namespace dwarf;

/// Entries of .debug_info, with the abbreviations that say how their attributes are stored.
class Entries {
public:
  Entries(raw_ostream &abbreviations, raw_ostream &entries) : abbreviations(abbreviations), entries(entries) {}

  struct Attribute {
    dwarf::Attribute name;
    Form form;
    std::string directive; ///< that stores the value, if it takes room
  };

  void add(Tag tag, bool hasChildren, ArrayRef<Attribute> attributes) {
    // An abbreviation for each tag.
    auto [entry, isNew] = codes.try_emplace(tag, codes.size() + 1);
    entries << ".uleb128 " << entry->second << '\n';
    for (const Attribute &attribute : attributes)
      if (!attribute.directive.empty())
        entries << attribute.directive << '\n';
    if (!isNew)
      return;
    abbreviations << ".uleb128 " << entry->second << "\n.uleb128 " << unsigned(tag) << " ; " << TagString(tag)
                  << "\n.byte " << (hasChildren ? DW_CHILDREN_yes : DW_CHILDREN_no) << '\n';
    for (const Attribute &attribute : attributes)
      abbreviations << ".uleb128 " << unsigned(attribute.name) << " ; " << AttributeString(attribute.name)
                    << "\n.uleb128 " << unsigned(attribute.form) << " ; " << FormEncodingString(attribute.form) << '\n';
    abbreviations << ".uleb128 0\n.uleb128 0\n";
  }

private:
  raw_ostream &abbreviations, &entries;
  std::map<Tag, unsigned> codes;
};

} // namespace

static std::string stringDirective(StringRef text) {
  std::string directive;
  raw_string_ostream os(directive);
  os << ".asciz ";
  writeString(text, os);
  return directive;
}

void DebugInfo::emitUnit(raw_ostream &os) const {
  std::string abbreviationText, entryText;
  raw_string_ostream abbreviations(abbreviationText), entryStream(entryText);
  Entries entries(abbreviations, entryStream);
  const std::string first = functions.front()->name, last = endOf(*functions.back());
  entries.add(DW_TAG_compile_unit, true,
              {{DW_AT_producer, DW_FORM_string, stringDirective("inflight")},
               // MLIR's kernels have no language that DWARF knows; MLIR's own debug info says C.
               {DW_AT_language, DW_FORM_data2, (".2byte " + Twine(unsigned(DW_LANG_C))).str()},
               {DW_AT_name, DW_FORM_string, stringDirective(nameOf(input.name))},
               {DW_AT_comp_dir, DW_FORM_string, stringDirective(currentFolder())},
               {DW_AT_stmt_list, DW_FORM_sec_offset, ".4byte .debug_line"},
               {DW_AT_low_pc, DW_FORM_addr, ".8byte " + first},
               {DW_AT_high_pc, DW_FORM_data8, ".8byte " + last + "-" + first}});
  for (const Function *function : functions) {
    const Line line = lineOf(*function, function->place);
    entries.add(DW_TAG_subprogram, false,
                {{DW_AT_name, DW_FORM_string, stringDirective(function->name)},
                 {DW_AT_decl_file, DW_FORM_udata, (".uleb128 " + Twine(line.file)).str()},
                 {DW_AT_decl_line, DW_FORM_udata, (".uleb128 " + Twine(line.line)).str()},
                 {DW_AT_external, DW_FORM_flag_present, ""},
                 {DW_AT_low_pc, DW_FORM_addr, ".8byte " + function->name},
                 {DW_AT_high_pc, DW_FORM_data8, ".8byte " + endOf(*function) + "-" + function->name}});
  }
  constexpr unsigned version = 5, addressBytes = 8;
  os << ".section .debug_abbrev,\"\",@progbits\n"
     << abbreviationText << ".byte 0\n"
     << ".section .debug_info,\"\",@progbits\n"
     << ".4byte .Ldebug_end-.Ldebug_version\n.Ldebug_version:\n"
     << ".2byte " << version << "\n.byte " << unsigned(DW_UT_compile) << "\n.byte " << addressBytes
     << "\n.4byte .debug_abbrev\n"
     << entryText
     << ".byte 0\n.Ldebug_end:\n"
     // The assembler fills it.
     << ".section .debug_line,\"\",@progbits\n";
}

} // namespace inflight::lir
