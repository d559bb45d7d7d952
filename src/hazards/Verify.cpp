#include "hazards/Verify.h"

#include "hazards/Paths.h"
#include "program/Place.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::hazards {

/// Adds what is missing before one instruction.
static void addFindings(Paths &paths, uint32_t block, uint32_t instruction, std::vector<Finding> &findings) {
  const size_t begin = findings.size();
  unsigned missing = 0, missingOfErrors = 0;
  SmallDenseMap<uint32_t, size_t, 8> known; // by producer
  paths.shortages(block, instruction, {}, [&](const Shortage &shortage) {
    const HazardTable::Shortfall &worst = shortage.worst;
    const unsigned lacks = worst.states - shortage.found;
    missing = std::max(missing, lacks);
    if (worst.gravity == Gravity::Error)
      missingOfErrors = std::max(missingOfErrors, lacks);
    auto [place, isNew] = known.try_emplace(shortage.producer, findings.size());
    if (isNew)
      findings.emplace_back();
    Finding &finding = findings[place->second];
    if (!isNew && std::pair(finding.gravity, finding.required - finding.found) >= std::pair(worst.gravity, lacks))
      return;
    finding = {instruction,      shortage.producer, worst.rule,
               worst.states,     shortage.found,    0,
               shortage.elapsed, worst.gravity,     {shortage.path.begin(), shortage.path.end()}};
  });
  for (size_t i = begin; i < findings.size(); ++i)
    findings[i].missing = findings[i].gravity == Gravity::Error ? missingOfErrors : missing;
  std::sort(findings.begin() + begin, findings.end(),
            [](const Finding &a, const Finding &b) { return a.producer < b.producer; });
}

Verified verify(const Program &program) {
  Verified verified;
  Expected<const HazardTable *> table = HazardTable::get(program.isa());
  if (!table) {
    verified.problems.push_back(toString(table.takeError()));
    return verified;
  }
  Expected<const shadow::Table *> shadows = shadow::Table::get(program.isa());
  if (!shadows) {
    verified.problems.push_back(toString(shadows.takeError()));
    return verified;
  }
  verified.shadows = shadow::verify(program, **shadows);
  if ((*table)->rules().empty())
    return verified;
  Paths paths(program, **table);
  for (const auto &[number, block] : enumerate(program.blocks()))
    for (uint32_t i = block.begin; i < block.end; ++i)
      if (paths.mayLack(i))
        addFindings(paths, number, i, verified.findings);
  return verified;
}

std::string nopText(unsigned states) {
  std::string text;
  for (; states > maximumNop; states -= maximumNop)
    text += formatv("s_nop {0} and ", maximumNop - 1);
  return text + formatv("s_nop {0}", states - 1).str();
}

static std::string count(unsigned states) { return formatv("{0} wait state{1}", states, states == 1 ? "" : "s"); }

static std::string whyAdvice(const Finding &finding) {
  if (finding.elapsed >= finding.required)
    return formatv("what stands between takes the time of {0}", count(finding.elapsed));
  return finding.rule->evidence;
}

ReportItem describeFinding(const Program &program, const Finding &finding) {
  ReportItem item;
  const bool isAdvice = finding.gravity == Gravity::Advice;
  item.rule = isAdvice ? "wait-state-advice" : "missing-wait-states";
  const StringRef producer = program.instructions()[finding.producer].desc->mnemonic;
  item.message = formatv("{0} after {1}, which it must follow by {2} ({3})", count(finding.found), producer,
                         count(finding.required), finding.rule->text);
  if (isAdvice)
    item.message += "; " + whyAdvice(finding);
  item.place = placeOf(program, finding.instruction);
  item.hint = nopText(finding.missing) + " before it";
  item.related.push_back({"the first of the two", placeOf(program, finding.producer)});
  // The jumps of the path.
  ArrayRef<Block> blocks = program.blocks();
  for (size_t i = 0; i + 1 < finding.path.size(); ++i) {
    const uint32_t last = blocks[finding.path[i]].end - 1, first = blocks[finding.path[i + 1]].begin;
    if (first != last + 1)
      item.related.push_back({first <= last ? "over this jump back" : "over this jump", placeOf(program, last)});
  }
  item.facts.push_back({"hazard", finding.rule->name});
  item.facts.push_back({"source", finding.rule->source});
  return item;
}

} // namespace inflight::hazards
