#include "support/Excerpt.h"

#include "support/Printable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight {

TextStyle styleOf(const raw_ostream &os) {
  const bool isErrors = &os == &errs();
  return {isErrors ? sys::Process::StandardErrColumns() : sys::Process::StandardOutColumns(), os.has_colors()};
}

/// What a line shows of itself, and which of its columns the caret is under.
std::string placeText(const SourceLocation &place) {
  StringRef file = place.file;
  SmallString<128> current;
  if (!sys::fs::current_path(current) && file.starts_with((current + "/").str()))
    file = file.drop_front(current.size() + 1);
  std::string text = file.str() + ":" + std::to_string(place.line);
  return place.column ? text + ":" + std::to_string(place.column) : text;
}

namespace {
struct Shown {
  std::string text;
  size_t caret;
};
} // namespace

/// Tabs take up to eight columns, as terminals have them; what a terminal must not get is spelled out.
static Shown shownLine(StringRef line, size_t column) {
  Shown shown{"", 0};
  for (size_t i = 0; i < line.size(); ++i) {
    if (i == column)
      shown.caret = shown.text.size();
    if (line[i] == '\t')
      shown.text.append(8 - shown.text.size() % 8, ' ');
    else
      shown.text += line[i];
  }
  if (column >= line.size())
    shown.caret = shown.text.size();
  return shown;
}

void writeExcerpt(raw_ostream &os, StringRef line, const SourceLocation &place, const TextStyle &style) {
  Shown shown = shownLine(line, place.column ? place.column - 1 : line.size() - line.ltrim().size());
  // A statement begins there, or an operator is within one.
  const bool isWhole = StringRef(shown.text).take_front(shown.caret).trim().empty();
  StringRef statement = StringRef(shown.text).substr(shown.caret, isWhole ? StringRef::npos : 1);
  for (StringRef comment : {";", "//"})
    statement = statement.take_front(statement.find(comment));
  statement = statement.rtrim();
  constexpr size_t margin = 8;
  const size_t room = style.columns > 2 * margin ? style.columns - margin : std::string::npos;
  size_t cut = 0; // from the beginning, where the caret would be beyond the end
  if (shown.caret + 1 > room) {
    cut = shown.caret + 1 - room / 2;
    shown.text = "..." + shown.text.substr(cut + 3);
  }
  if (shown.text.size() > room)
    shown.text = shown.text.substr(0, room - 3) + "...";
  const size_t caret = shown.caret - cut, tail = std::min(statement.size(), room - caret);
  os << formatv("{0,5} | {1}\n      | {2}", place.line, printable(shown.text), std::string(caret, ' '));
  if (style.hasColour)
    os.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  os << '^' << std::string(std::max<size_t>(tail, 1) - 1, '~');
  if (style.hasColour)
    os.resetColor();
  os << '\n';
}

} // namespace inflight
