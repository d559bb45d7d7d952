#include "support/report/ClangText.h"

#include "support/Printable.h"
#include "support/report/Excerpt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight {

namespace {

class ClangText {
public:
  ClangText(raw_ostream &os, StringRef artifact, const ClangStyle &style) : os(os), artifact(artifact), style(style) {}

  void write(const ReportItem &item) {
    writePlace(item.place);
    os << (item.level == Level::Warning ? "warning: " : "error: ") << item.message << " [" << style.rulePrefix
       << item.rule << "]\n";
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
    if (const std::string run = whereInRun(item); !run.empty()) {
      writePlace(item.place);
      os << "note: " << run << '\n';
    }
  }

private:
  static bool hasSource(const ProgramPlace &place) { return !place.source.file.empty() && place.source.line; }

  void writePlace(const ProgramPlace &place) {
    if (hasSource(place)) {
      os << placeText(place.source) << ": ";
    } else if (place.address) {
      os << artifact << formatv(":0x{0:x-}: ", *place.address);
    } else {
      os << artifact << ": ";
    }
  }

  void writeExcerpt(const ProgramPlace &place) {
    std::optional<StringRef> line;
    if (hasSource(place) && style.sources)
      line = style.sources->line(place.source.file, place.source.line);
    if (line)
      inflight::writeExcerpt(os, *line, place.source, {style.columns, false});
    if (place.instruction.empty() || (line && !place.address))
      return;
    os << "      | ";
    if (place.address && hasSource(place))
      os << formatv("0x{0:x-}: ", *place.address);
    os << place.instruction << '\n';
  }

  /// Where in a run a finding was made: "workgroup (0, 0, 0), wave 1, lane 3, 16 times".
  static std::string whereInRun(const ReportItem &item) {
    std::string text;
    ListSeparator comma;
    raw_string_ostream os(text);
    for (const auto &[name, value] : item.facts)
      if (name == "workgroup" || name == "wave" || name == "other wave" || name == "lane")
        os << comma << name << ' ' << value;
      else if (name == "times" && value != "1")
        os << comma << value << " times";
    return text;
  }

  raw_ostream &os;
  StringRef artifact;
  const ClangStyle &style;
};

/// A line in pieces with their colours.
class Painter {
public:
  explicit Painter(raw_ostream &os) : os(os) {}

  void line(StringRef text) {
    const StringRef gutter = text.ltrim(" 0123456789");
    if (gutter.starts_with("| ") && !gutter.ltrim("| \t~").empty() && gutter.ltrim("| \t").starts_with("^"))
      return put(text.drop_back(gutter.size()), raw_ostream::RESET, false), caret(gutter);
    struct Word {
      StringRef text;
      raw_ostream::Colors colour;
    };
    for (const Word &word : {Word{"error: ", raw_ostream::RED}, Word{"warning: ", raw_ostream::MAGENTA},
                             Word{"note: ", raw_ostream::CYAN}})
      if (const size_t at = text.find((" " + word.text).str());
          at != StringRef::npos && text.take_front(at).ends_with(":")) {
        put(text.take_front(at + 1), raw_ostream::SAVEDCOLOR, true);
        put(word.text, word.colour, true);
        return put(text.drop_front(at + 1 + word.text.size()), raw_ostream::SAVEDCOLOR, word.text != "note: ");
      }
    os << text;
  }

private:
  void caret(StringRef gutter) {
    const size_t at = gutter.find('^');
    os << gutter.take_front(at);
    put(gutter.drop_front(at), raw_ostream::GREEN, true);
  }
  void put(StringRef text, raw_ostream::Colors colour, bool isBold) {
    if (colour == raw_ostream::RESET) {
      os << text;
      return;
    }
    os.changeColor(colour, isBold) << text;
    os.resetColor();
  }
  raw_ostream &os;
};

} // namespace

void showClangText(raw_ostream &os, StringRef text) {
  const std::string shown = printableLines(text);
  if (!os.has_colors()) {
    os << shown;
    return;
  }
  Painter painter(os);
  for (StringRef rest = shown; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    painter.line(line);
    if (line.size() < rest.size())
      os << '\n';
    rest = after;
  }
}

void writeClangText(raw_ostream &os, ArrayRef<ReportItem> items, StringRef artifact, const ClangStyle &style) {
  ClangText text(os, artifact, style);
  const std::string *kernel = nullptr;
  for (const ReportItem &item : items) {
    auto fact = find_if(item.facts, [](const auto &f) { return f.first == "kernel"; });
    if (fact != item.facts.end() && (!kernel || *kernel != fact->second)) {
      kernel = &fact->second;
      // What has no file is called by the kernel.
      if (*kernel != artifact)
        os << artifact << ": in " << *kernel << ":\n";
    }
    text.write(item);
  }
}

} // namespace inflight
