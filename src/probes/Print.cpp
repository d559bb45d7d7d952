// Reports as people read them in a terminal, and as JSON.
#include "probes/Probe.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace inflight::probes {

/// The number with at most two digits after the point, and none that say nothing.
static std::string shortNumber(double value) {
  std::string text = formatv("{0:f2}", value).str();
  if (StringRef(text).contains('.'))
    text = StringRef(text).rtrim('0').rtrim('.').str();
  return text == "-0" ? "0" : text;
}

static std::string textOf(const Cell &cell) { return cell.isNumber ? shortNumber(cell.number) : cell.text; }

static void printWrapped(raw_ostream &os, StringRef label, StringRef text) {
  constexpr size_t width = 118;
  os << label;
  size_t column = label.size();
  while (!text.empty()) {
    StringRef word;
    std::tie(word, text) = text.split(' ');
    if (column + 1 + word.size() > width) {
      os << '\n' << std::string(label.size(), ' ');
      column = label.size();
    }
    os << ' ' << word;
    column += 1 + word.size();
  }
  os << '\n';
}

static void printTable(raw_ostream &os, const Table &table) {
  if (!table.title.empty())
    os << "  " << table.title << '\n';
  std::vector<size_t> widths;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    size_t width = table.columns[column].size();
    for (const std::vector<Cell> &row : table.rows)
      width = std::max(width, textOf(row[column]).size());
    widths.push_back(width);
  }
  // Words to the left, numbers to the right.
  auto isText = [&](size_t column) {
    return !table.rows.empty() && !table.rows.front()[column].isNumber && column == 0;
  };
  auto line = [&](auto text) {
    std::string whole;
    raw_string_ostream held(whole);
    for (size_t column = 0; column < widths.size(); ++column) {
      const std::string cell = text(column);
      const std::string space(widths[column] - cell.size(), ' ');
      held << "  " << (isText(column) ? cell + space : space + cell);
    }
    os << StringRef(whole).rtrim() << '\n';
  };
  line([&](size_t column) { return table.columns[column]; });
  for (const std::vector<Cell> &row : table.rows)
    line([&](size_t column) { return textOf(row[column]); });
  os << '\n';
}

static void printCurve(raw_ostream &os, const Curve &curve) {
  constexpr unsigned width = 72, height = 14;
  static constexpr char marks[] = "*o+x";
  double left = INFINITY, right = -INFINITY, top = 0;
  auto place = [&](double x) { return curve.isLogX ? std::log2(std::max(x, 1e-9)) : x; };
  for (const Series &series : curve.series)
    for (auto [x, y] : series.points) {
      left = std::min(left, place(x));
      right = std::max(right, place(x));
      top = std::max(top, y);
    }
  if (!(right > left) || top <= 0)
    return;
  std::vector<std::string> rows(height, std::string(width, ' '));
  for (size_t s = 0; s < curve.series.size(); ++s)
    for (auto [x, y] : curve.series[s].points) {
      const unsigned column = unsigned(std::lround((place(x) - left) / (right - left) * (width - 1)));
      const unsigned row = unsigned(std::lround(std::max(0.0, y) / top * (height - 1)));
      rows[height - 1 - row][column] = marks[s % (sizeof(marks) - 1)];
    }
  os << "  " << curve.y;
  if (!curve.title.empty())
    os << ", " << curve.title;
  for (size_t s = 0; s < curve.series.size(); ++s)
    if (!curve.series[s].name.empty())
      os << (s ? ", " : ": ") << marks[s % (sizeof(marks) - 1)] << ' ' << curve.series[s].name;
  os << '\n';
  for (unsigned row = 0; row < height; ++row) {
    const std::string label = row == 0 ? shortNumber(std::round(top)) : row == height - 1 ? "0" : "";
    os << formatv("{0,8} |", label) << StringRef(rows[row]).rtrim() << '\n';
  }
  os << std::string(9, ' ') << '+' << std::string(width, '-') << '\n';
  const std::string first = shortNumber(curve.isLogX ? std::exp2(left) : left),
                    last = shortNumber(curve.isLogX ? std::exp2(right) : right);
  const std::string middle = curve.x + (curve.isLogX ? " (logarithmic)" : "");
  const size_t space = width - std::min<size_t>(width, first.size() + last.size() + middle.size());
  os << std::string(10, ' ') << first << std::string(space / 2, ' ') << middle << std::string(space - space / 2, ' ')
     << last << "\n\n";
}

void printText(raw_ostream &os, const Report &report) {
  os << report.about->name << ": " << report.about->title << '\n';
  printWrapped(os, "  shows:  ", report.about->shows);
  printWrapped(os, "  expect: ", report.about->expects);
  os << '\n';
  for (const Table &table : report.tables)
    printTable(os, table);
  for (const Curve &curve : report.curves)
    printCurve(os, curve);
  for (const std::string &note : report.notes)
    os << "  note: " << note << '\n';
}

void printJson(raw_ostream &os, const device::Device &device, ArrayRef<Report> reports) {
  json::OStream out(os, 1);
  auto value = [&](const Cell &cell) { cell.isNumber ? out.value(cell.number) : out.value(cell.text); };
  out.object([&] {
    out.attribute("chip", device.chip());
    out.attribute("device", device.name());
    out.attributeArray("probes", [&] {
      for (const Report &report : reports)
        out.object([&] {
          out.attribute("name", report.about->name);
          out.attribute("title", report.about->title);
          out.attribute("shows", report.about->shows);
          out.attribute("expect", report.about->expects);
          out.attributeArray("tables", [&] {
            for (const Table &table : report.tables)
              out.object([&] {
                out.attribute("title", table.title);
                out.attributeArray("columns", [&] {
                  for (const std::string &column : table.columns)
                    out.value(column);
                });
                out.attributeArray("rows", [&] {
                  for (const std::vector<Cell> &row : table.rows)
                    out.array([&] {
                      for (const Cell &cell : row)
                        value(cell);
                    });
                });
              });
          });
          out.attributeArray("curves", [&] {
            for (const Curve &curve : report.curves)
              out.object([&] {
                out.attribute("title", curve.title);
                out.attribute("x", curve.x);
                out.attribute("y", curve.y);
                out.attributeArray("series", [&] {
                  for (const Series &series : curve.series)
                    out.object([&] {
                      out.attribute("name", series.name);
                      out.attributeArray("points", [&] {
                        for (auto [x, y] : series.points)
                          out.array([&, x = x, y = y] {
                            out.value(x);
                            out.value(y);
                          });
                      });
                    });
                });
              });
          });
          out.attributeArray("notes", [&] {
            for (const std::string &note : report.notes)
              out.value(note);
          });
        });
    });
  });
  os << '\n';
}

} // namespace inflight::probes
