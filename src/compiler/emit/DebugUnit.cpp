// The compile unit of .debug_info, as directives: enough to find the line table, the kernels and inlined calls.
#include "compiler/emit/DebugInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;
using namespace llvm::dwarf;

namespace inflight::lir {

namespace {

class UnitWriter {
public:
  explicit UnitWriter(const DebugInfo &info) : info(info) {}
  void write(raw_ostream &os);

private:
  struct Attribute {
    dwarf::Attribute name;
    Form form;
    std::string directive; ///< that stores the value, if it takes room
  };
  void add(Tag tag, bool hasChildren, ArrayRef<Attribute> attributes);
  void endChildren() { entries << ".byte 0\n"; }
  void addUnit();
  void addKernel(const Function &function);
  void addCalls(const Function &function, unsigned parent);
  void addRuns(const Function &function);
  std::string listOf(const Function &function, unsigned call) const {
    return CallRuns::labelOf(function, 0) + "_call" + std::to_string(call);
  }

  const DebugInfo &info;
  std::string abbreviationText, entryText, rangeText;
  raw_string_ostream abbreviations{abbreviationText}, entries{entryText}, ranges{rangeText};
  std::map<std::pair<Tag, bool>, unsigned> codes;    ///< of abbreviations
  std::map<unsigned, std::vector<unsigned>> callsIn; ///< by call, those that code came from
};

std::string unsignedDirective(unsigned value) { return ".uleb128 " + std::to_string(value); }

} // namespace

void UnitWriter::add(Tag tag, bool hasChildren, ArrayRef<Attribute> attributes) {
  auto [entry, isNew] = codes.try_emplace({tag, hasChildren}, codes.size() + 1);
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

void UnitWriter::addUnit() {
  const std::string first = info.kernels().front()->name, last = endOf(*info.kernels().back());
  add(DW_TAG_compile_unit, true,
      {{DW_AT_producer, DW_FORM_string, ".asciz \"inflight\""},
       // MLIR's kernels have no language that DWARF knows; MLIR's own debug info says C.
       {DW_AT_language, DW_FORM_data2, ".2byte " + std::to_string(DW_LANG_C)},
       {DW_AT_name, DW_FORM_string, ".asciz " + quotedText(info.inputName())},
       {DW_AT_comp_dir, DW_FORM_string, ".asciz " + quotedText(info.workingFolder())},
       {DW_AT_stmt_list, DW_FORM_sec_offset, ".4byte .debug_line"},
       {DW_AT_low_pc, DW_FORM_addr, ".8byte " + first},
       {DW_AT_high_pc, DW_FORM_data8, ".8byte " + last + "-" + first}});
  for (const Function *function : info.kernels())
    addKernel(*function);
  endChildren();
}

void UnitWriter::addKernel(const Function &function) {
  addRuns(function);
  const DebugInfo::Line line = info.lineOf(function, function.place);
  add(DW_TAG_subprogram, !callsIn.empty(),
      {{DW_AT_name, DW_FORM_string, ".asciz " + quotedText(function.name)},
       {DW_AT_decl_file, DW_FORM_udata, unsignedDirective(line.file)},
       {DW_AT_decl_line, DW_FORM_udata, unsignedDirective(line.line)},
       {DW_AT_external, DW_FORM_flag_present, ""},
       {DW_AT_low_pc, DW_FORM_addr, ".8byte " + function.name},
       {DW_AT_high_pc, DW_FORM_data8, ".8byte " + endOf(function) + "-" + function.name}});
  if (callsIn.empty())
    return;
  addCalls(function, 0);
  endChildren();
}

/// What is called has no name in MLIR: entries say where it is called, and which code came of it.
void UnitWriter::addCalls(const Function &function, unsigned parent) {
  for (unsigned call : callsIn.find(parent)->second) {
    const bool hasCalls = callsIn.contains(call);
    const DebugInfo::Line line = info.lineOf(function, function.calls[call]);
    add(DW_TAG_inlined_subroutine, hasCalls,
        {{DW_AT_ranges, DW_FORM_sec_offset, ".4byte " + listOf(function, call)},
         {DW_AT_call_file, DW_FORM_udata, unsignedDirective(line.file)},
         {DW_AT_call_line, DW_FORM_udata, unsignedDirective(line.line)},
         {DW_AT_call_column, DW_FORM_udata, unsignedDirective(line.column)}});
    if (!hasCalls)
      continue;
    addCalls(function, call);
    endChildren();
  }
}

/// Lists of the code that came from each call, what was called inside included.
void UnitWriter::addRuns(const Function &function) {
  std::map<unsigned, std::vector<unsigned>> runsOf; // by call
  CallRuns runs(function);
  for (const Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      if (runs.begins(inst))
        for (unsigned call = runs.call(); call; call = function.calls[call].call)
          runsOf[call].push_back(runs.count() - 1);
  callsIn.clear();
  for (const auto &[call, numbers] : runsOf) {
    callsIn[function.calls[call].call].push_back(call);
    ranges << listOf(function, call) << ":\n";
    for (size_t i = 0; i < numbers.size(); ++i) {
      ranges << ".byte " << unsigned(DW_RLE_start_end) << "\n.8byte " << CallRuns::labelOf(function, numbers[i]);
      while (i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1)
        ++i;
      const unsigned end = numbers[i] + 1;
      ranges << "\n.8byte " << (end < runs.count() ? CallRuns::labelOf(function, end) : endOf(function)) << '\n';
    }
    ranges << ".byte " << unsigned(DW_RLE_end_of_list) << '\n';
  }
}

void UnitWriter::write(raw_ostream &os) {
  addUnit();
  constexpr unsigned version = 5, addressBytes = 8;
  os << ".section .debug_abbrev,\"\",@progbits\n"
     << abbreviationText << ".byte 0\n"
     << ".section .debug_info,\"\",@progbits\n"
     << ".4byte .Ldebug_end-.Ldebug_version\n.Ldebug_version:\n"
     << ".2byte " << version << "\n.byte " << unsigned(DW_UT_compile) << "\n.byte " << addressBytes
     << "\n.4byte .debug_abbrev\n"
     << entryText << ".Ldebug_end:\n";
  if (!rangeText.empty())
    os << ".section .debug_rnglists,\"\",@progbits\n"
       << ".4byte .Lranges_end-.Lranges_version\n.Lranges_version:\n"
       << ".2byte " << version << "\n.byte "
       << addressBytes
       // No segments; no offsets before the lists.
       << "\n.byte 0\n.4byte 0\n"
       << rangeText << ".Lranges_end:\n";
  // The assembler fills it.
  os << ".section .debug_line,\"\",@progbits\n";
}

void DebugInfo::emitUnit(raw_ostream &os) const { UnitWriter(*this).write(os); }

} // namespace inflight::lir
