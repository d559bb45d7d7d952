#include "cli/WaitsDiff.h"

#include "support/Diagnostics.h"
#include "support/InputFile.h"
#include "waits/text/DiffText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

using Programs = std::vector<std::unique_ptr<Program>>;

static Expected<Programs> read(StringRef path, StringRef chip) {
  Expected<std::string> bytes = readProgramFile(path);
  if (!bytes)
    return bytes.takeError();
  return readPrograms(*bytes, path == "-" ? "<stdin>" : path, chip);
}

Expected<int> diffFiles(StringRef before, StringRef after, const WaitsRequest &request) {
  Expected<Programs> old = read(before, request.chip);
  if (!old)
    return old.takeError();
  Expected<Programs> now = read(after, request.chip);
  if (!now)
    return now.takeError();
  int status = cleanStatus;
  std::vector<ReportItem> items;
  for (const std::unique_ptr<Program> &program : *now) {
    // Entries of fat binaries by their chip.
    auto same = find_if(*old, [&](const auto &other) { return &other->isa() == &program->isa(); });
    if (same == old->end() && now->size() > 1)
      continue;
    Expected<std::unique_ptr<waits::Diff>> diff = waits::diff(same == old->end() ? *old->front() : **same, *program);
    if (!diff)
      return diff.takeError();
    const Program &other = **same;
    if (request.format == ReportFormat::Text)
      waits::writeDiffText(outs(), other, *program, **diff);
    for (ReportItem &item : waits::diffItems(other, *program, **diff)) {
      item.level = request.levels->of(item.rule);
      if (item.level == Level::Ignored)
        continue;
      status = worse(status, item.level == Level::Error ? findingsStatus : cleanStatus);
      items.push_back(std::move(item));
    }
  }
  if (request.format == ReportFormat::Json) {
    json::Array findings;
    for (const ReportItem &item : items)
      findings.push_back(findingObject(item));
    outs() << formatv("{0:2}\n", json::Value(json::Object{{"before", before}, {"after", after}, {"changes", std::move(findings)}}));
  } else if (request.format != ReportFormat::Text) {
    writeReport(outs(), items, after, request.format);
  }
  return status;
}

} // namespace inflight::cli
