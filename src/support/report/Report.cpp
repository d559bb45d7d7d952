#include "support/report/Report.h"

#include "support/Printable.h"
#include "support/report/ClangText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

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

static StringRef levelName(Level level) { return level == Level::Warning ? "warning" : "error"; }

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

/// A file's name as a URI reference (RFC 3986): other characters than these as % and two digits.
static std::string asUri(StringRef name) {
  std::string out;
  for (char c : name)
    if (isAlnum(c) || StringRef("-._~/").contains(c))
      out += c;
    else
      out += formatv("%{0:X-2}", unsigned(uint8_t(c))).str();
  return out;
}

/// A location object of SARIF 2.1.0 (OASIS). A place without a source line is a byte of the artifact.
static json::Object sarifLocation(const ProgramPlace &place, StringRef artifact, StringRef message = "") {
  const bool hasSource = !place.source.file.empty();
  json::Object physical{
      {"artifactLocation", json::Object{{"uri", asUri(hasSource ? StringRef(place.source.file) : artifact)}}}};
  if (hasSource) {
    json::Object region{{"startLine", std::max(1u, place.source.line)}};
    if (place.source.column)
      region["startColumn"] = place.source.column;
    physical["region"] = std::move(region);
  }
  if (place.address)
    physical["address"] =
        json::Object{{"absoluteAddress", *place.address}, {"kind", "instruction"}, {"name", place.instruction}};
  json::Object location{{"physicalLocation", std::move(physical)}};
  if (!message.empty())
    location["message"] = json::Object{{"text", message.str()}}; // a StringRef would not be copied
  return location;
}

static json::Value sarifReport(ArrayRef<ReportItem> items, StringRef artifact) {
  std::set<std::string> names;
  json::Array results;
  for (const ReportItem &item : items) {
    names.insert(item.rule);
    const StringRef file = item.artifact.empty() ? artifact : StringRef(item.artifact);
    std::string text = item.message;
    if (!item.place.instruction.empty())
      text += ": " + item.place.instruction;
    if (!item.hint.empty())
      text += " (" + item.hint + ")";
    json::Object result{{"ruleId", item.rule},
                        {"level", levelName(item.level)},
                        {"message", json::Object{{"text", text}}},
                        {"locations", json::Array{sarifLocation(item.place, file)}}};
    json::Array related;
    for (const auto &[message, place] : item.related)
      related.push_back(sarifLocation(place, file, message + " " + place.instruction));
    if (!related.empty())
      result["relatedLocations"] = std::move(related);
    json::Object properties;
    for (const auto &[name, value] : item.facts)
      properties[name] = value;
    result["properties"] = std::move(properties);
    results.push_back(std::move(result));
  }
  json::Array rules;
  for (const std::string &name : names)
    rules.push_back(json::Object{{"id", name}});
  json::Object driver{{"name", "inflight"}, {"rules", std::move(rules)}};
  json::Object run{{"tool", json::Object{{"driver", std::move(driver)}}}, {"results", std::move(results)}};
  return json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", json::Array{std::move(run)}}};
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
  case ReportFormat::Sarif: os << formatv("{0:2}\n", sarifReport(items, artifact)); return;
  case ReportFormat::Github: return writeGithub(os, items, artifact);
  }
}

} // namespace inflight
