#include "lint/LintDiff.h"

#include "lint/text/DiffText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::lint {

using Programs = std::vector<std::unique_ptr<Program>>;

Expected<LintResult> lintDiff(NamedBytes before, NamedBytes after, const LintRequest &request) {
  Expected<Programs> old = readPrograms(before.bytes, before.name, request.chip);
  if (!old)
    return old.takeError();
  Expected<Programs> now = readPrograms(after.bytes, after.name, request.chip);
  if (!now)
    return now.takeError();
  LintResult result;
  raw_string_ostream out(result.out);
  for (const std::unique_ptr<Program> &program : *now) {
    // Entries of fat binaries by their chip.
    auto same = find_if(*old, [&](const auto &other) { return &other->isa() == &program->isa(); });
    if (same == old->end() && now->size() > 1)
      continue;
    const Program &other = same == old->end() ? *old->front() : **same;
    Expected<std::unique_ptr<waits::Diff>> diff = waits::diff(other, *program);
    if (!diff)
      return diff.takeError();
    if (request.format == ReportFormat::Text)
      writeDiffText(out, other, *program, **diff);
    for (ReportItem &item : diffItems(other, *program, **diff)) {
      item.level = request.levels->of(item.rule);
      if (item.level == Level::Ignored)
        continue;
      result.status = worse(result.status, item.level == Level::Error ? findingsStatus : cleanStatus);
      result.items.push_back(std::move(item));
    }
  }
  if (request.format == ReportFormat::Json) {
    json::Array findings;
    for (const ReportItem &item : result.items)
      findings.push_back(findingObject(item));
    out << formatv("{0:2}\n", json::Value(json::Object{
                                  {"before", before.name}, {"after", after.name}, {"changes", std::move(findings)}}));
  } else if (request.format != ReportFormat::Text) {
    writeReport(out, result.items, after.name, request.format);
  }
  return result;
}

} // namespace inflight::lint
