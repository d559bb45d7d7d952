#include "machine/check/Report.h"

#include "isa/instr/InstrDesc.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

/// What the other side did, for the note at it.
static std::string roleOf(const ReportedFinding &finding) {
  switch (finding.kind) {
  case check::Kind::Hazard:
  case check::Kind::HazardAdvice: return "must follow this";
  case check::Kind::Barrier: return formatv("wave {0} ended here", finding.otherWave);
  case check::Kind::BarrierPlaces: return formatv("wave {0} waits here", finding.otherWave);
  default: break;
  }
  const InstrDesc *desc = finding.otherDesc;
  if (!desc)
    return "the other access";
  if (desc->isLdsDma)
    return "copied to LDS here";
  if (desc->mayStore)
    return desc->mayLoad ? "changed here" : "written here";
  return finding.kind == check::Kind::InFlight ? "loaded here" : "read here";
}

std::vector<ReportItem> reportItems(ArrayRef<ReportedFinding> findings, const SourceLines &lines, StringRef kernel) {
  std::vector<ReportItem> items;
  for (const ReportedFinding &finding : findings) {
    ReportItem &item = items.emplace_back();
    item.rule = kindName(finding.kind).str();
    item.message = finding.message;
    item.hint = finding.hint;
    item.place = {lines.own(finding.address), finding.address, finding.instruction};
    if (finding.other)
      item.related.push_back(
          {roleOf(finding), {lines.own(finding.otherAddress), finding.otherAddress, finding.otherInstruction}});
    auto fact = [&](StringRef name, const Twine &value) { item.facts.push_back({name.str(), value.str()}); };
    fact("kernel", kernel);
    fact("workgroup", formatv("({0}, {1}, {2})", finding.group[0], finding.group[1], finding.group[2]).str());
    if (finding.wave >= 0)
      fact("wave", Twine(finding.wave));
    if (finding.otherWave >= 0 && finding.otherWave != finding.wave)
      fact("other wave", Twine(finding.otherWave));
    if (finding.lane >= 0)
      fact("lane", Twine(finding.lane));
    fact("times", Twine(finding.count));
  }
  return items;
}

} // namespace inflight::machine::check
