#include "lint/ProgramLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <map>

using namespace llvm;

namespace inflight::lint {

static json::Object lineOf(const LintRequest &request, StringRef path, int status) {
  return json::Object{{"path", path.str()}, {"version", request.version}, {"rules", request.rules}, {"status", status}};
}

json::Object programLine(const LintRequest &request, const ServedProgram &served) {
  const Program &program = served.program;
  json::Object line = lineOf(request, served.path, served.status);
  line["file"] = program.name().str();
  line["chip"] = program.isa().target().chip;
  line["sha256"] = toHex(SHA256::hash(arrayRefFromStringRef(served.bytes)), /*LowerCase=*/true);
  line["instructions"] = program.instructions().size();
  line["seconds"] = served.seconds;
  line["peak_bytes"] = served.peakBytes;
  json::Array kernels;
  for (const Function &function : program.functions())
    if (function.isKernel)
      kernels.push_back(function.name);
  line["kernels"] = std::move(kernels);
  std::map<std::string, uint64_t> counts;
  for (const ReportItem &item : served.items)
    ++counts[item.rule];
  json::Object byRule;
  for (const auto &[rule, count] : counts)
    byRule[rule] = count;
  line["counts"] = std::move(byRule);
  json::Array findings;
  for (const ReportItem &item : served.items.take_front(request.maxFindings))
    findings.push_back(findingObject(item));
  line["findings"] = std::move(findings);
  return line;
}

json::Object errorLine(const LintRequest &request, StringRef path, StringRef error) {
  json::Object line = lineOf(request, path, unusableStatus);
  line["error"] = error.trim().str();
  return line;
}

} // namespace inflight::lint
