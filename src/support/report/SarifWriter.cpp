#include "support/report/SarifWriter.h"

#include "support/report/RulePage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight {

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

/// A reporting descriptor, with what `inflight explain` says.
static json::Object sarifRule(StringRef name) {
  json::Object rule{{"id", name.str()}};
  if (const RulePage *page = rulePage(name)) {
    rule["shortDescription"] = json::Object{{"text", page->title}};
    if (std::string link = ruleLink(name); !link.empty())
      rule["helpUri"] = std::move(link);
    rule["help"] = json::Object{{"text", page->text}, {"markdown", page->markdown}};
  }
  return rule;
}

static json::Object sarifResult(const ReportItem &item, StringRef artifact) {
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
  return result;
}

SarifWriter::SarifWriter(raw_ostream &os) : os(os), json(std::make_unique<json::OStream>(os, 2)) {
  json->objectBegin();
  json->attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json->attributeBegin("runs");
  json->arrayBegin();
  json->objectBegin();
  json->attributeBegin("results");
  json->arrayBegin();
}

SarifWriter::~SarifWriter() = default;

void SarifWriter::add(ArrayRef<ReportItem> items, StringRef artifact) {
  for (const ReportItem &item : items) {
    rules.insert(item.rule);
    json->value(sarifResult(item, artifact));
  }
}

void SarifWriter::finish() {
  json->arrayEnd();
  json->attributeEnd();
  json::Array all;
  for (const std::string &name : rules)
    all.push_back(sarifRule(name));
  json->attribute("tool", json::Object{{"driver", json::Object{{"name", "inflight"}, {"rules", std::move(all)}}}});
  json->objectEnd();
  json->arrayEnd();
  json->attributeEnd();
  json->attribute("version", "2.1.0");
  json->objectEnd();
  json->flush();
  os << '\n';
}

} // namespace inflight
