#include "support/report/Excerpt.h"

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

std::string placeText(const SourceLocation &place) {
  StringRef file = place.file;
  SmallString<128> current;
  if (!sys::fs::current_path(current) && file.starts_with((current + "/").str()))
    file = file.drop_front(current.size() + 1);
  std::string text = file.str() + ":" + std::to_string(place.line);
  return place.column ? text + ":" + std::to_string(place.column) : text;
}

namespace {

/// What is shown of a line: `before` the caret, from there on, and how much of that is underlined.
struct Shown {
  std::string before, after;
  size_t underlined = 1;
};

Shown shownLine(StringRef line, unsigned column) {
  const size_t caret = std::min<size_t>(column ? column - 1 : line.size() - line.ltrim().size(), line.size());
  Shown shown{line.take_front(caret).str(), line.drop_front(caret).str()};
  // A statement begins there, or an operator is within one.
  if (!StringRef(shown.before).trim().empty())
    return shown;
  StringRef statement = shown.after;
  for (StringRef comment : {";", "//"})
    statement = statement.take_front(statement.find(comment));
  shown.underlined = std::max<size_t>(1, statement.rtrim().size());
  return shown;
}

/// Tabs take up to eight columns, as terminals have them; what doesn't fit goes.
void fit(Shown &shown, size_t room) {
  std::string expanded;
  for (char c : shown.before)
    expanded.append(c == '\t' ? 8 - expanded.size() % 8 : 1, c == '\t' ? ' ' : c);
  shown.before = std::move(expanded);
  const std::string dots = "...";
  if (shown.before.size() + 1 > room)
    shown.before = dots + shown.before.substr(shown.before.size() - room / 2 + dots.size());
  const size_t left = room - shown.before.size();
  if (shown.after.size() > left)
    shown.after = left > dots.size() ? shown.after.substr(0, left - dots.size()) + dots : shown.after.substr(0, left);
  shown.underlined = std::min(shown.underlined, std::max<size_t>(1, shown.after.size()));
}

} // namespace

void writeExcerpt(raw_ostream &os, StringRef line, const SourceLocation &place, const TextStyle &style) {
  Shown shown = shownLine(line, place.column);
  constexpr size_t margin = 8, least = 16;
  if (style.columns > margin + least)
    fit(shown, style.columns - margin);
  os << formatv("{0,5} | {1}\n      | ", place.line, printableLines(shown.before + shown.after));
  for (char c : shown.before)
    os << (c == '\t' ? '\t' : ' ');
  if (style.hasColour)
    os.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  os << '^' << std::string(shown.underlined - 1, '~');
  if (style.hasColour)
    os.resetColor();
  os << '\n';
}

} // namespace inflight
