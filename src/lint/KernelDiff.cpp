#include "lint/KernelDiff.h"

#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace inflight::lint {

static constexpr StringLiteral worseRule = "kernel-worse", budgetRule = "budget";

ArrayRef<StringRef> kernelDiffRules() {
  static constexpr StringRef rules[] = {worseRule, budgetRule};
  return rules;
}

static double valueOf(const KernelFigures &kernel, StringRef key) {
  auto found = kernel.values.find(key);
  return found == kernel.values.end() ? 0 : found->second;
}

/// Above 0: worse. What was 0 and is no longer counts as a change by its number.
static double worsening(const Figure &figure, double before, double after) {
  const double growth = (after - before) / std::max(1.0, before);
  return figure.isBetterLarge ? -growth : growth;
}

KernelDiff diffKernels(ArrayRef<KernelPair> pairs) {
  KernelDiff diff;
  for (const KernelPair &pair : pairs) {
    const auto &[before, after] = pair;
    if (before && after && before->values == after->values && before->loops == after->loops) {
      ++diff.same;
      continue;
    }
    KernelChange change{pair};
    for (const Figure &figure : figures())
      if (before && after)
        change.score += figure.weight * worsening(figure, valueOf(*before, figure.key), valueOf(*after, figure.key));
    diff.changes.push_back(change);
  }
  stable_sort(diff.changes, [](const KernelChange &a, const KernelChange &b) { return a.score > b.score; });
  return diff;
}

/// Whether the kernel had another name, or is of another chip.
static bool isAnother(const KernelChange &change) {
  return change.before && change.after &&
         (change.before->name != change.after->name || change.before->chip != change.after->chip);
}

static std::string number(double value) {
  return std::floor(value) == value ? formatv("{0:F0}", value).str() : formatv("{0:F1}", value).str();
}

static std::string changeText(const Figure &figure, double before, double after) {
  std::string text = number(before) + " -> " + number(after);
  if (before > 0 && after != before)
    text += formatv(" ({0}{1:F1} %)", after > before ? "+" : "", (after / before - 1) * 100).str();
  return text;
}

/// What limits occupancy now, and what would lift it.
static std::string occupancyText(const KernelFigures &kernel) {
  if (!kernel.vgprsForMoreWaves)
    return "";
  return formatv("one more wave on a SIMD would need at most {0} VGPRs per wave, AGPRs included",
                 kernel.vgprsForMoreWaves);
}

static std::string stateText(const KernelChange &change) {
  if (!change.before)
    return "new";
  if (!change.after)
    return "gone";
  return change.score > 0 ? "worse" : change.score < 0 ? "better" : "other";
}

void writeKernelDiff(raw_ostream &os, const KernelDiff &diff, bool isMarkdown) {
  if (isMarkdown)
    os << "| kernel | | figure | before | after |\n|---|---|---|---:|---:|\n";
  for (const KernelChange &change : diff.changes) {
    const KernelFigures &kernel = *(change.after ? change.after : change.before);
    if (!isMarkdown)
      os << kernel.name << " (" << kernel.chip << ")"
         << (isAnother(change) ? ", before " + change.before->name + " (" + change.before->chip + ")" : "") << ": "
         << stateText(change) << '\n';
    else if (!change.before || !change.after)
      os << "| `" << kernel.name << "` | " << stateText(change) << " | | | |\n";
    if (!change.before || !change.after)
      continue;
    for (const Figure &figure : figures()) {
      const double before = valueOf(*change.before, figure.key), after = valueOf(kernel, figure.key);
      if (before == after)
        continue;
      if (isMarkdown)
        os << "| `" << kernel.name << "` | " << (worsening(figure, before, after) > 0 ? "worse" : "better") << " | "
           << figure.name << " | " << number(before) << " | " << number(after) << " |\n";
      else
        os << formatv("  {0,-28}{1}\n", figure.name, changeText(figure, before, after));
    }
    if (const std::string text = occupancyText(kernel); !isMarkdown && !text.empty())
      os << "  " << text << '\n';
  }
  os << (isMarkdown ? "\n" : "") << counted(diff.changes.size(), "kernel") << " changed, " << diff.same
     << " the same\n";
}

json::Object kernelDiffObject(const KernelDiff &diff) {
  auto valuesOf = [](const KernelFigures *kernel) -> json::Value {
    if (!kernel)
      return nullptr;
    json::Object values;
    for (const Figure &figure : figures())
      values[figure.key] = valueOf(*kernel, figure.key);
    values["loops"] = json::Array(kernel->loops);
    values["file"] = kernel->file;
    return values;
  };
  json::Array changes;
  for (const KernelChange &change : diff.changes) {
    const KernelFigures &kernel = *(change.after ? change.after : change.before);
    json::Object row{{"kernel", kernel.name},
                     {"chip", kernel.chip},
                     {"state", stateText(change)},
                     {"before", valuesOf(change.before)},
                     {"after", valuesOf(change.after)}};
    if (isAnother(change))
      row["was"] = json::Object{{"kernel", change.before->name}, {"chip", change.before->chip}};
    if (kernel.vgprsForMoreWaves)
      row["vgprs_for_more_waves"] = kernel.vgprsForMoreWaves;
    changes.push_back(std::move(row));
  }
  json::Array violations;
  for (const ReportItem &item : diff.violations)
    violations.push_back(findingObject(item));
  return json::Object{{"changes", std::move(changes)}, {"same", diff.same}, {"violations", std::move(violations)}};
}

std::vector<ReportItem> kernelDiffItems(const KernelDiff &diff) {
  std::vector<ReportItem> items = diff.violations;
  for (const KernelChange &change : diff.changes) {
    if (!change.before || !change.after || change.score <= 0)
      continue;
    ReportItem item;
    item.rule = worseRule;
    item.level = Level::Warning;
    item.artifact = change.after->file;
    item.facts = {{"kernel", change.after->name}};
    std::string text;
    for (const Figure &figure : figures()) {
      const double before = valueOf(*change.before, figure.key), after = valueOf(*change.after, figure.key);
      if (worsening(figure, before, after) > 0)
        text += (text.empty() ? "" : ", ") + figure.name.str() + " " + changeText(figure, before, after);
    }
    item.message = "kernel '" + change.after->name + "': " + text;
    items.push_back(std::move(item));
  }
  return items;
}

/// One limit of a budget on one kernel; the message if it is broken.
static Expected<std::string> brokenLimit(const Figure &figure, const json::Value &limit, const KernelFigures *before,
                                         const KernelFigures &after, StringRef name) {
  const double value = valueOf(after, figure.key);
  if (std::optional<double> most = limit.getAsNumber()) {
    if (figure.isBetterLarge ? value >= *most : value <= *most)
      return "";
    return (figure.name + ": " + number(value) + (figure.isBetterLarge ? ", at least " : ", at most ") + number(*most))
        .str();
  }
  const std::optional<StringRef> text = limit.getAsString();
  StringRef percent = text.value_or("");
  double allowed;
  if (!percent.consume_front("+") || !percent.consume_back("%") || percent.getAsDouble(allowed))
    return makeError(name + ": '" + figure.key + "' is a number, or a text like \"+5%\"");
  if (!before)
    return "";
  const double old = valueOf(*before, figure.key);
  if (worsening(figure, old, value) * 100 <= allowed)
    return "";
  return (figure.name + ": " + changeText(figure, old, value) + ", at most " + *text).str();
}

Error checkBudget(StringRef text, StringRef name, ArrayRef<KernelPair> pairs, KernelDiff &diff) {
  Expected<json::Value> budget = json::parse(text);
  if (!budget)
    return makeError(name + ": " + toString(budget.takeError()));
  if (!budget->getAsObject())
    return makeError(name + ": a budget is an object: {\"PATTERN\": {\"vgprs\": 128}}");
  for (const auto &[pattern, limits] : *budget->getAsObject()) {
    Expected<GlobPattern> glob = GlobPattern::create(pattern);
    if (!glob)
      return makeError(name + ": '" + StringRef(pattern) + "': " + toString(glob.takeError()));
    if (!limits.getAsObject())
      return makeError(name + ": '" + StringRef(pattern) + "' is not an object of limits");
    for (const auto &[key, limit] : *limits.getAsObject()) {
      const Figure *figure = find_if(figures(), [k = StringRef(key)](const Figure &f) { return f.key == k; });
      if (figure == figures().end())
        return makeError(name + ": no figure '" + StringRef(key) + "'; there are " +
                         join(map_range(figures(), [](const Figure &f) { return f.key.str(); }), ", "));
      for (const KernelPair &pair : pairs) {
        if (!pair.after || !glob->match(pair.after->name))
          continue;
        const KernelFigures &kernel = *pair.after;
        Expected<std::string> broken = brokenLimit(*figure, limit, pair.before, kernel, name);
        if (!broken)
          return broken.takeError();
        if (broken->empty())
          continue;
        ReportItem item;
        item.rule = budgetRule;
        item.message = "kernel '" + kernel.name + "': " + *broken;
        item.artifact = kernel.file;
        item.facts = {{"kernel", kernel.name}};
        diff.violations.push_back(std::move(item));
      }
    }
  }
  return Error::success();
}

} // namespace inflight::lint
