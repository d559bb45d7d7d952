#include "support/report/Baseline.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

static constexpr StringRef heading = "# inflight baseline 1: rule, kernel, instructions, how many\n";

/// Tabs part the fields.
static std::string field(StringRef text) {
  std::string result = text.str();
  for (char &c : result)
    if (c == '\t' || c == '\n' || c == '\r')
      c = ' ';
  return result;
}

std::string Baseline::keyOf(const ReportItem &item) {
  std::string key = item.rule + '\t';
  for (const auto &[name, value] : item.facts)
    if (name == "kernel")
      key += field(value);
  key += '\t' + field(item.place.instruction);
  if (!item.related.empty())
    key += '\t' + field(item.related.front().second.instruction);
  return key;
}

Expected<Baseline> Baseline::parse(StringRef text, StringRef name) {
  Baseline baseline;
  unsigned number = 0;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    line = line.rtrim('\r');
    if (line.empty() || line.starts_with("#"))
      continue;
    auto [key, count] = line.rsplit('\t');
    unsigned times;
    if (key.count('\t') < 2 || count.getAsInteger(10, times))
      return errorAt({name.str(), number, 0},
                     "no line of a baseline: rule, kernel, instructions and a number, parted by tabs");
    baseline.counts[key.str()] += times;
  }
  return baseline;
}

void Baseline::add(ArrayRef<ReportItem> items) {
  for (const ReportItem &item : items)
    ++counts[keyOf(item)];
}

std::string Baseline::format() const {
  std::string text = heading.str();
  for (const auto &[key, count] : counts)
    text += key + '\t' + std::to_string(count) + '\n';
  return text;
}

void Baseline::filter(std::vector<ReportItem> &items) const {
  std::map<std::string, unsigned> seen;
  erase_if(items, [&](const ReportItem &item) {
    const std::string key = keyOf(item);
    auto known = counts.find(key);
    return known != counts.end() && seen[key]++ < known->second;
  });
}

} // namespace inflight
