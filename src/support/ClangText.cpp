#include "support/ClangText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight {

StringRef SourceText::line(unsigned number) const {
  if (starts.empty()) {
    starts.push_back(0);
    for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1))
      starts.push_back(at + 1);
  }
  if (number == 0 || number > starts.size())
    return {};
  return text.drop_front(starts[number - 1]).take_until([](char c) { return c == '\n'; }).rtrim('\r');
}

namespace {

class ClangText {
public:
  ClangText(raw_ostream &os, StringRef artifact, const SourceText *source)
      : os(os), artifact(artifact), source(source) {}

  void write(const ReportItem &item) {
    writePlace(item.place);
    os << (item.level == Level::Warning ? "warning: " : "error: ") << item.message << " [-W" << item.rule << "]\n";
    writeExcerpt(item.place);
    for (const auto &[message, place] : item.related) {
      writePlace(place);
      os << "note: " << message << '\n';
      writeExcerpt(place);
    }
    if (!item.hint.empty()) {
      writePlace(item.place);
      os << "note: fix: " << item.hint << '\n';
    }
  }

private:
  void writePlace(const ProgramPlace &place) {
    if (place.address)
      os << artifact << formatv(":0x{0:x-}: ", *place.address);
    else if (place.source.file.empty())
      os << artifact << ": ";
    else if (place.source.column)
      os << place.source.file << ':' << place.source.line << ':' << place.source.column << ": ";
    else
      os << place.source.file << ':' << place.source.line << ": ";
  }

  void writeExcerpt(const ProgramPlace &place) {
    const StringRef line = source && !place.address ? source->line(place.source.line) : StringRef();
    if (line.empty()) {
      if (place.instruction.empty())
        return;
      os << "      | " << place.instruction;
      if (place.address && !place.source.file.empty())
        os << "  ; " << place.source.file << ':' << place.source.line;
      os << '\n';
      return;
    }
    os << formatv("{0,5} | {1}\n", place.source.line, line);
    const size_t column = std::min<size_t>(place.source.column ? place.source.column - 1 : 0, line.size());
    os << "      | ";
    for (char c : line.take_front(column))
      os << (c == '\t' ? '\t' : ' ');
    os << '^';
    StringRef statement = line.drop_front(column);
    for (StringRef comment : {";", "//"})
      statement = statement.take_front(statement.find(comment));
    os << std::string(std::max<size_t>(statement.rtrim().size(), 1) - 1, '~') << '\n';
  }

  raw_ostream &os;
  StringRef artifact;
  const SourceText *source;
};

} // namespace

void writeClangText(raw_ostream &os, ArrayRef<ReportItem> items, StringRef artifact, const SourceText *source) {
  ClangText text(os, artifact, source);
  const std::string *kernel = nullptr;
  for (const ReportItem &item : items) {
    auto fact = find_if(item.facts, [](const auto &f) { return f.first == "kernel"; });
    if (fact != item.facts.end() && (!kernel || *kernel != fact->second)) {
      kernel = &fact->second;
      os << artifact << ": in " << *kernel << ":\n";
    }
    text.write(item);
  }
}

} // namespace inflight
