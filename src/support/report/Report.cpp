#include "support/report/Report.h"

#include "support/Printable.h"
#include "support/report/ClangText.h"
#include "support/report/SarifWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight {

Expected<ReportFormat> parseReportFormat(StringRef name) {
  if (name == "text")
    return ReportFormat::Text;
  if (name == "json")
    return ReportFormat::Json;
  if (name == "sarif")
    return ReportFormat::Sarif;
  if (name == "github")
    return ReportFormat::Github;
  return makeError("unknown format '" + name + "'; there are text, json, sarif and github");
}

StringRef levelName(Level level) { return level == Level::Warning ? "warning" : "error"; }

static std::string describe(const ProgramPlace &place) {
  std::string text;
  if (place.address)
    text = formatv("0x{0:x-}: ", *place.address).str();
  return text + place.instruction;
}

static json::Object placeObject(const ProgramPlace &place) {
  json::Object object;
  if (place.address)
    object["address"] = *place.address;
  if (!place.instruction.empty())
    object["instruction"] = place.instruction;
  if (!place.source.file.empty()) {
    object["file"] = place.source.file;
    object["line"] = place.source.line;
    if (place.source.column)
      object["column"] = place.source.column;
  }
  return object;
}

json::Object findingObject(const ReportItem &item) {
  json::Object object = placeObject(item.place);
  object["rule"] = item.rule;
  object["message"] = item.message;
  if (item.level != Level::Error)
    object["level"] = levelName(item.level);
  if (!item.hint.empty())
    object["hint"] = item.hint;
  for (const auto &[name, value] : item.facts) {
    uint64_t number;
    double ratio;
    if (name != "kernel" && !StringRef(value).getAsInteger(10, number))
      object[name] = number;
    else if (name == "margin" && !StringRef(value).getAsDouble(ratio))
      object[name] = ratio;
    else
      object[name] = value;
  }
  json::Array related;
  for (const auto &[message, place] : item.related) {
    json::Object other = placeObject(place);
    other["message"] = message;
    related.push_back(std::move(other));
  }
  if (!related.empty())
    object["related"] = std::move(related);
  return object;
}

json::Object reportObject(ArrayRef<ReportItem> items, StringRef artifact) {
  json::Array findings;
  for (const ReportItem &item : items)
    findings.push_back(findingObject(item));
  return json::Object{{"file", artifact}, {"findings", std::move(findings)}};
}

/// Workflow commands escape what ends their fields; what a log can't show is escaped before.
static std::string githubEscape(StringRef text, bool isProperty) {
  std::string out;
  for (char c : printableLines(text))
    if (c == '%' || c == '\n' || c == '\r' || (isProperty && (c == ':' || c == ',')))
      out += formatv("%{0:X-2}", unsigned(c)).str();
    else
      out += c;
  return out;
}

static void writeGithub(raw_ostream &os, ArrayRef<ReportItem> items, StringRef artifact) {
  for (const ReportItem &item : items) {
    const bool hasSource = !item.place.source.file.empty();
    const StringRef file = item.artifact.empty() ? artifact : StringRef(item.artifact);
    os << "::" << levelName(item.level)
       << " file=" << githubEscape(hasSource ? StringRef(item.place.source.file) : file, true);
    if (hasSource)
      os << ",line=" << item.place.source.line;
    if (hasSource && item.place.source.column)
      os << ",col=" << item.place.source.column;
    os << ",title=" << githubEscape(item.rule, true) << "::";
    std::string text = item.message + "\nat " + describe(item.place);
    for (const auto &[message, place] : item.related)
      text += formatv("\n{0} {1}", message, describe(place)).str();
    if (!item.hint.empty())
      text += "\nhint: " + item.hint;
    for (const auto &[name, value] : item.facts)
      text += formatv("\n{0} {1}", name, value).str();
    os << githubEscape(text, false) << '\n';
  }
}

void writeReport(raw_ostream &os, ArrayRef<ReportItem> items, StringRef artifact, ReportFormat format,
                 SourceText *sources, unsigned columns) {
  switch (format) {
  case ReportFormat::Text: {
    std::string text;
    raw_string_ostream lines(text);
    writeClangText(lines, items, artifact, {sources, "", columns});
    showClangText(os, text);
    return;
  }
  case ReportFormat::Json: os << formatv("{0:2}\n", json::Value(reportObject(items, artifact))); return;
  case ReportFormat::Sarif: {
    SarifWriter writer(os);
    writer.add(items, artifact);
    return writer.finish();
  }
  case ReportFormat::Github: return writeGithub(os, items, artifact);
  }
}

} // namespace inflight
