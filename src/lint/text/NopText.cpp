#include "lint/text/NopText.h"

#include "hazards/Verify.h"
#include "lint/text/Findings.h"
#include "lint/text/Where.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::lint {

using hazards::NopReason;
using hazards::NopReport;

static constexpr RuleSpec rules[] = {
    {"missing-wait-states", Level::Error},        {"wait-state-advice", Level::Ignored},
    {"superfluous-nop", Level::Ignored},          {"unresolved-hazard", Level::Error},
    {"unresolved-hazard-advice", Level::Ignored},
};

ArrayRef<RuleSpec> hazardRules() { return rules; }

std::vector<ReportItem> hazardItems(const Program &program, bool strictness) {
  const Where where(program);
  std::vector<ReportItem> items;
  auto add = [&](ReportItem item, uint32_t instruction) {
    if (const Function *function = where.functionOf(instruction))
      item.facts.push_back({"kernel", function->name});
    if (!isSuppressed(program, instruction, item.rule))
      items.push_back(std::move(item));
  };
  const hazards::Verified verified = hazards::verify(program);
  for (const hazards::Finding &finding : verified.findings)
    add(hazards::describeFinding(program, finding), finding.instruction);
  for (const hazards::shadow::Finding &finding : verified.shadows)
    add(hazards::shadow::describeFinding(program, finding), finding.instruction);
  for (const std::string &problem : verified.problems) {
    ReportItem item;
    item.rule = "undecided";
    item.message = problem;
    items.push_back(std::move(item));
  }
  if (strictness)
    for (const NopReport &nop : hazards::report(program)) {
      if (nop.isPadding || nop.wanted >= nop.states)
        continue;
      ReportItem item;
      item.rule = "superfluous-nop";
      item.message = nop.wanted ? formatv("{0} wait states where {1} would do", nop.states, nop.wanted).str()
                                : "no rule wants these wait states";
      item.place = placeOf(program, nop.instruction);
      if (nop.wanted)
        item.hint = hazards::nopText(nop.wanted) + " instead";
      add(std::move(item), nop.instruction);
    }
  return items;
}

static StringRef verdict(const NopReport &nop) {
  return nop.isPadding ? "padding" : nop.wanted == nop.states ? "exact" : nop.wanted ? "strict" : "superfluous";
}

void writeNopText(raw_ostream &os, const Program &program, ArrayRef<NopReport> reports) {
  const Where where(program);
  auto text = [&](uint32_t instruction) { return StringRef(program.text(instruction)).trim().str(); };
  for (const NopReport &nop : reports) {
    if (nop.isPadding)
      continue;
    os << '\n' << where.full(nop.instruction) << ": " << text(nop.instruction) << ": ";
    if (nop.wanted == nop.states)
      os << "needed as it is\n";
    else if (nop.wanted)
      os << hazards::nopText(nop.wanted) << " is enough\n";
    else
      os << "superfluous\n";
    for (const NopReason &reason : nop.reasons)
      os << formatv("    {0,-20} {1} {2}, then {3} {4}\n    {5,-20} {6}: {7} wait states\n", "stands between",
                    where.brief(reason.producer), text(reason.producer), where.brief(reason.consumer),
                    text(reason.consumer), "", reason.rule->text, reason.required);
  }
}

json::Array nopJson(const Program &program, ArrayRef<NopReport> reports) {
  json::Array array;
  for (const NopReport &nop : reports) {
    auto place = [&](uint32_t instruction) {
      const ProgramPlace p = placeOf(program, instruction);
      json::Object object{{"instruction", StringRef(p.instruction).trim().str()}};
      if (p.address)
        object["address"] = *p.address;
      if (!p.source.file.empty())
        object["line"] = p.source.line;
      return object;
    };
    json::Object object = place(nop.instruction);
    object["verdict"] = verdict(nop);
    object["states"] = nop.states;
    object["wanted"] = nop.wanted;
    json::Array reasons;
    for (const NopReason &reason : nop.reasons)
      reasons.push_back(json::Object{{"producer", place(reason.producer)},
                                     {"consumer", place(reason.consumer)},
                                     {"hazard", reason.rule->name},
                                     {"required", reason.required},
                                     {"states", reason.states}});
    object["reasons"] = std::move(reasons);
    array.push_back(std::move(object));
  }
  return array;
}

} // namespace inflight::lint
