#include "compiler/emit/DebugInfo.h"

#include "support/Diagnostics.h"
#include "support/report/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDwarf.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

namespace inflight::lir {

std::string endOf(const Function &function) { return ".L" + function.name + "_end"; }

std::string quotedText(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << '"';
  // DWARF's strings end there.
  os.write_escaped(text.split('\0').first) << '"';
  return result;
}

DebugInfo::DebugInfo(ArrayRef<const Function *> functions, SourceFile input)
    : functions(functions),
      text(input.text),
      files{input.name == "-" ? "<stdin>" : input.name.str()},
      numbers{{input.name.str(), 0}} {
  if (SmallString<128> path; !sys::fs::current_path(path))
    folder = path.str();
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

bool CallRuns::begins(const Inst &inst) {
  constexpr size_t noCall = 1;
  const unsigned call = inst.place.known() ? inst.place.call : last.value_or(0);
  if (function.calls.size() == noCall || last == call)
    return false;
  last = call;
  ++runs;
  return true;
}

std::string CallRuns::labelOf(const Function &function, unsigned run) {
  return ".L" + function.name + "_run" + std::to_string(run);
}

DebugInfo::Begin DebugInfo::Lines::at(const Inst &inst, bool beginsBlock) {
  Begin begin;
  if (runs.begins(inst))
    begin.label = CallRuns::labelOf(function, runs.count() - 1);
  const bool isFirst = !last;
  Line line = info.lineOf(function, inst.place);
  if (!line.line && isFirst)
    line = info.lineOf(function, function.place);
  if (line != last && (line.line || beginsBlock || isFirst))
    last = begin.line = line;
  return begin;
}

void emitBegin(const DebugInfo::Begin &begin, raw_ostream &os) {
  if (!begin.label.empty())
    os << begin.label << ":\n";
  if (begin.line)
    os << "  .loc " << begin.line->file << ' ' << begin.line->line << ' ' << begin.line->column << '\n';
}

void emitBegin(const DebugInfo::Begin &begin, MCStreamer &streamer) {
  if (!begin.label.empty())
    streamer.emitLabel(streamer.getContext().getOrCreateSymbol(begin.label));
  if (begin.line)
    streamer.emitDwarfLocDirective(begin.line->file, begin.line->line, begin.line->column, DWARF2_FLAG_IS_STMT, 0, 0,
                                   "");
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
    const MD5::MD5Result sum = number ? checksumOf(file) : MD5::hash(arrayRefFromStringRef(text));
    os << ".file " << number << ' ' << (number ? "" : quotedText(folder) + " ") << quotedText(file) << " md5 0x"
       << sum.digest() << '\n';
  }
}

} // namespace inflight::lir
